import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import { grammarOf } from './languages.ts';

/** A run of text in one color. */
export interface Span {
	text: string;
	/** CSS class of its color; empty for plain text. */
	colour: string;
}

/** Longer texts are not highlighted: parsing them synchronously would block the page. */
const MOST_CHARACTERS = 60_000;

const colours = tagHighlighter([
	{ tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: 'tok-keyword' },
	{ tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'tok-string' },
	{ tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'tok-number' },
	{ tag: [tags.comment, tags.meta], class: 'tok-comment' },
	{ tag: [tags.typeName, tags.className, tags.tagName], class: 'tok-type' },
	{ tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 'tok-function' }
]);

/**
 * Highlights a text line by line.
 *
 * @param language language name, or path of the file
 * @returns `null` if there is no grammar or the text is too large
 */
export async function highlightLines(language: string, text: string): Promise<Span[][] | null> {
	const load = grammarOf(language);
	if (!load || text.length > MOST_CHARACTERS) return null;
	const parser = await load();
	let line: Span[] = [];
	const lines = [line];
	highlightCode(
		text,
		parser.parse(text),
		colours,
		(part, colour) => void line.push({ text: part, colour }),
		() => void lines.push((line = []))
	);
	return lines;
}
