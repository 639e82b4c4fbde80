import { MakeFailure } from './failure.ts';
import { parted, patternOf, replacePattern, stemOf, suffixAt, words } from './names.ts';

/** Function that only needs its arguments. */
interface TextFunction {
	/** Number of arguments; text after the last comma belongs to the last one. */
	least: number;
	/** @param place position for errors */
	run(values: string[], place: string): string;
}

const of = (least: number, run: TextFunction['run']): TextFunction => ({ least, run });

/** Makes a function that is applied to each word. */
const each = (change: (word: string) => string | null): TextFunction =>
	of(0, ([text = '']) =>
		words(text)
			.map(change)
			.filter((word) => word !== null)
			.join(' ')
	);

/** Words that match one of the patterns or, unless `wanted`, none of them. */
function filtered(patterns: string, text: string, wanted: boolean): string {
	const parsed = words(patterns).map(patternOf);
	return words(text)
		.filter((word) => parsed.some((pattern) => stemOf(pattern, word) !== null) === wanted)
		.join(' ');
}

/** Parses an integer argument. @throws MakeFailure */
function numberOf(text: string, which: string, name: string, place: string): number {
	if (!/^\s*\d+\s*$/.test(text))
		throw new MakeFailure(`non-numeric ${which} argument to '${name}' function: '${text}'`, place);
	return Number(text);
}

/** The functions of GNU make that only need their arguments. */
export const textFunctions: Record<string, TextFunction> = {
	subst: of(3, ([from = '', to = '', text = '']) => (from === '' ? text + to : text.replaceAll(from, () => to))),
	patsubst: of(3, ([from = '', to = '', text = '']) => replacePattern(from, to, text)),
	strip: of(1, ([text = '']) => words(text).join(' ')),
	findstring: of(2, ([part = '', text = '']) => (text.includes(part) ? part : '')),
	filter: of(2, ([patterns = '', text = '']) => filtered(patterns, text, true)),
	'filter-out': of(2, ([patterns = '', text = '']) => filtered(patterns, text, false)),
	sort: of(0, ([text = '']) => [...new Set(words(text))].sort(byBytes).join(' ')),
	word: of(2, ([number = '', text = ''], place) => {
		const at = numberOf(number, 'first', 'word', place);
		if (at === 0) throw new MakeFailure("first argument to 'word' function must be greater than 0", place);
		return words(text)[at - 1] ?? '';
	}),
	wordlist: of(3, ([first = '', last = '', text = ''], place) => {
		const start = numberOf(first, 'first', 'wordlist', place);
		const end = numberOf(last, 'second', 'wordlist', place);
		if (start < 1) throw new MakeFailure(`invalid first argument to 'wordlist' function: '${first}'`, place);
		return words(text)
			.slice(start - 1, Math.max(end, start - 1))
			.join(' ');
	}),
	words: of(0, ([text = '']) => String(words(text).length)),
	firstword: of(0, ([text = '']) => words(text)[0] ?? ''),
	lastword: of(0, ([text = '']) => words(text).at(-1) ?? ''),
	dir: each((name) => parted(name)[0]),
	notdir: each((name) => parted(name)[1]),
	suffix: each((name) => name.slice(suffixAt(name)) || null),
	basename: each((name) => name.slice(0, suffixAt(name))),
	addsuffix: of(2, ([suffix = '', text = '']) =>
		words(text)
			.map((word) => word + suffix)
			.join(' ')
	),
	addprefix: of(2, ([prefix = '', text = '']) =>
		words(text)
			.map((word) => prefix + word)
			.join(' ')
	),
	join: of(2, ([first = '', second = '']) => {
		const [left, right] = [words(first), words(second)];
		const length = Math.max(left.length, right.length);
		return Array.from({ length }, (_, at) => (left[at] ?? '') + (right[at] ?? '')).join(' ');
	})
};

/** Compares by bytes, which is the order of code points. */
function byBytes(a: string, b: string): number {
	const [left, right] = [[...a], [...b]];
	const at = left.findIndex((letter, index) => letter !== right[index]);
	if (at < 0) return left.length - right.length;
	return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}
