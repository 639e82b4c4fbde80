import { describeClosest } from './closest-lines.ts';
import { exactSpace, fuzzySpace, fuzzyText, lineFeeds, trimSpaces, type MatchSpace } from './edit-space.ts';
import { findSequence } from './find-sequence.ts';
import { ToolError } from './result.ts';

export interface TextEdit {
	oldText: string;
	newText: string;
	/** Replaces every occurrence; otherwise there must be only one. */
	all?: boolean;
}

export interface EditedText {
	text: string;
	replacements: number;
	/** Set if any edit was found only in fuzzy space. */
	fuzzy: boolean;
}

interface Region {
	from: number;
	to: number;
	text: string;
}

const BYTE_ORDER_MARK = '\ufeff';
/**
 * Longer texts are not searched with `indexOf`: some texts make it take time proportional to the product of both
 * lengths.
 */
const MAX_QUICK_NEEDLE = 64;
/** Maximum number of places listed for a text that is not unique. */
const MAX_PLACES = 20;

/**
 * Applies edits to a file's text; the common core of every profile's edit tool (003 §A). Each edit is searched in the
 * original text, first exactly, then in fuzzy space; uniqueness is checked in fuzzy space. Only the matched regions
 * change: byte order mark, line ends and all else stay.
 *
 * @param path for error messages
 * @throws ToolError with 003's messages
 */
export function editText(original: string, edits: readonly TextEdit[], path: string): EditedText {
	const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
	const content = original.slice(mark.length);
	const spaces = { exact: exactSpace(content), fuzzy: fuzzySpace(content) };
	const ending = content.match(/\r?\n/)?.[0] ?? '\n';
	const regions: Region[] = [];
	let fuzzy = false;
	for (const [index, edit] of edits.entries()) {
		const which = edits.length > 1 ? ` (edit ${index + 1} of ${edits.length})` : '';
		const found = find(spaces, edit, path, which);
		fuzzy ||= found.fuzzy;
		for (const at of apart(found.places, found.needle.length)) regions.push(regionOf(content, found, at, edit, ending));
	}
	regions.sort((a, b) => a.from - b.from);
	for (const [index, region] of regions.entries()) {
		const next = regions[index + 1];
		if (next && next.from < region.to)
			throw new ToolError(`Two edits overlap in ${path}. Merge them into one edit, or make them apart.`);
	}
	const text = mark + spliced(content, regions);
	if (text === original) throw new ToolError(`No changes made to ${path}. The replacement produced identical content.`);
	return { text, replacements: regions.length, fuzzy };
}

interface Found {
	space: MatchSpace;
	needle: string;
	places: number[];
	fuzzy: boolean;
}

function find(spaces: { exact: MatchSpace; fuzzy: MatchSpace }, edit: TextEdit, path: string, which: string): Found {
	const exactNeedle = lineFeeds(edit.oldText);
	if (exactNeedle === '')
		throw new ToolError(`The old text is empty, but ${path} is not${which}. Give the text to replace.`);
	const exact = occurrences(spaces.exact.text, exactNeedle);
	let needle = fuzzyText(edit.oldText);
	let fuzzy = needle === '' ? [] : occurrences(spaces.fuzzy.text, needle);
	if (exact.length === 0 && fuzzy.length === 0) {
		needle = trimSpaces(needle);
		fuzzy = needle === '' ? [] : occurrences(spaces.fuzzy.text, needle);
	}
	const count = Math.max(exact.length, fuzzy.length);
	if (count === 0)
		throw new ToolError(
			`Could not find the exact text in ${path}${which}. The old text must match exactly including all whitespace and newlines.` +
				(describeClosest(spaces.exact.text.split('\n'), exactNeedle.split('\n')) ||
					' Read the file again and take the text as it is there.')
		);
	if (count > 1 && !edit.all)
		throw new ToolError(
			`Found ${count} occurrences of the text in ${path}${which}. The text must be unique. Please provide more context to make it unique.` +
				beginnings(
					fuzzy.length > exact.length ? spaces.fuzzy.text : spaces.exact.text,
					fuzzy.length > exact.length ? fuzzy : exact
				)
		);
	return exact.length > 0
		? { space: spaces.exact, needle: exactNeedle, places: exact, fuzzy: false }
		: { space: spaces.fuzzy, needle, places: fuzzy, fuzzy: true };
}

/** Includes overlapping occurrences: `}` newline `}` occurs twice in three such lines. */
function occurrences(text: string, needle: string): number[] {
	if (needle.length > MAX_QUICK_NEEDLE) return [...findSequence(codes(text), codes(needle))];
	const places: number[] = [];
	for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) places.push(at);
	return places;
}

/** Removes occurrences that overlap the previous one, since both cannot be replaced. */
function apart(places: readonly number[], length: number): number[] {
	const kept: number[] = [];
	for (const at of places) if (at >= (kept.at(-1) ?? -length) + length) kept.push(at);
	return kept;
}

function codes(text: string): Uint16Array {
	const found = new Uint16Array(text.length);
	for (let at = 0; at < text.length; at++) found[at] = text.charCodeAt(at);
	return found;
}

/**
 * Returns the region to replace. Whole lines that old and new text share at either end are excluded, so that they stay
 * byte for byte.
 */
function regionOf(content: string, { space, needle }: Found, at: number, edit: TextEdit, ending: string): Region {
	const old = needle.split('\n');
	const asked = lineFeeds(edit.oldText).split('\n');
	const now = lineFeeds(edit.newText).split('\n');
	const most = Math.min(old.length, now.length) - 1;
	let head = 0;
	while (head < most && asked[head] === now[head]) head++;
	let tail = 0;
	while (tail < most - head && asked[asked.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
	const lengthOf = (lines: string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
	const first = at + lengthOf(old.slice(0, head));
	const last = at + needle.length - lengthOf(old.slice(old.length - tail));
	const from = first < space.text.length ? space.start(first) : content.length;
	// Spaces before a kept line end belong to the removed line.
	const to = tail > 0 ? space.start(last) : last > first ? space.end(last - 1) : from;
	const own = content.slice(from, to).match(/\r?\n/)?.[0] ?? ending;
	return { from, to, text: now.slice(head, now.length - tail).join(own) };
}

function spliced(content: string, regions: readonly Region[]): string {
	const pieces: string[] = [];
	let at = 0;
	for (const { from, to, text } of regions) {
		pieces.push(content.slice(at, from), text);
		at = to;
	}
	pieces.push(content.slice(at));
	return pieces.join('');
}

/** Lists the line numbers of the occurrences. */
function beginnings(text: string, places: readonly number[]): string {
	const shown = places.slice(0, MAX_PLACES);
	const lines: number[] = [];
	let line = 1;
	let at = 0;
	for (const place of shown) {
		for (let next = text.indexOf('\n', at); next !== -1 && next < place; next = text.indexOf('\n', at)) {
			line++;
			at = next + 1;
		}
		lines.push(line);
	}
	return ` They begin at lines ${lines.join(', ')}${places.length > shown.length ? ' …' : ''}.`;
}
