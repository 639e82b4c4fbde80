import { replacements as builtIn, type Replacement } from './replacements.ts';
import { joinWords, splitWords } from './words.ts';

export { createCounter } from './counter.ts';
export type { Replacement } from './replacements.ts';

export interface Options {
	/** What stands between words. */
	separator?: string;
	/** Whether capitals are lowered. */
	lowercase?: boolean;
	/** Cuts at a word's end, never inside one. */
	maxLength?: number;
	/** Pairs tried before the built-in ones. */
	replacements?: readonly Replacement[];
}

/** Turns a title into the readable end of a URL. */
export function slugify(title: string, options: Options = {}): string {
	const { separator = '-', lowercase = true, maxLength = Infinity, replacements = [] } = options;
	let text = title.normalize('NFC');
	for (const [from, to] of [...replacements, ...builtIn]) {
		text = text.replaceAll(from, to);
	}
	if (lowercase) text = text.toLowerCase();
	return joinWords(splitWords(text), separator, maxLength);
}
