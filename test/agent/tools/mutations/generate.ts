import type { Random } from './random.ts';

/** A line with its line ending; the last may have none. */
export interface FileLine {
	text: string;
	end: string;
}

/** One intended change to a file: the lines before and after. */
export interface Mutation {
	mark: string;
	lines: FileLine[];
	/** Index of the first line that changes. */
	from: number;
	/** Number of lines that change; at least one. */
	count: number;
	/** Replacement lines. */
	now: string[];
	/** The file was changed after the model read it, so the text to replace no longer exists. */
	isStale: boolean;
}

const WORDS = [
	'alpha',
	'beta',
	'return',
	'const',
	'value',
	'für',
	'漢字',
	'naïve',
	'x',
	'🌍',
	'if',
	'}',
	'{',
	'('
] as const;
const ODD = ['\u2018q\u2019', '\u201cw\u201d', 'a\u00a0b', '1\u20132', 'n\u2014m', '3\u00a0000'] as const;
const INDENTS = ['', '\t', '\t\t', '  ', '    ', '\t  '] as const;
const REPEATED = ['}', '', 'end', '\treturn;', '  });'] as const;

function line(random: Random): string {
	if (random.chance(0.3)) return random.pick(REPEATED);
	const words = Array.from({ length: 1 + random.below(5) }, () => random.pick(random.chance(0.12) ? ODD : WORDS));
	const number = random.chance(0.7) ? ` ${random.below(1_000)}` : '';
	return random.pick(INDENTS) + words.join(' ') + number + (random.chance(0.12) ? random.pick([' ', '   ', '\t']) : '');
}

/** A file with everything that makes edits hard, and one change to it. */
export function mutation(random: Random): Mutation {
	const texts = [`the first of ${random.below(1_000)}`];
	const length = 1 + random.below(60);
	while (texts.length < length) {
		if (texts.length > 4 && random.chance(0.08)) {
			const start = random.below(texts.length - 2);
			texts.push(...texts.slice(start, start + 2 + random.below(4)));
		} else texts.push(line(random));
	}
	const ends = random.pick(['\n', '\n', '\r\n', 'mixed']);
	const lines = texts.map((text) => ({ text, end: ends === 'mixed' ? random.pick(['\n', '\r\n']) : ends }));
	const last = lines.at(-1);
	if (last && last.text !== '' && random.chance(0.3)) last.end = '';
	const from = random.below(lines.length);
	const count = Math.min(1 + random.below(4), lines.length - from);
	const old = lines.slice(from, from + count).map(({ text }) => text);
	return {
		mark: random.chance(0.15) ? '\ufeff' : '',
		lines,
		from,
		count,
		now: changed(old, random),
		isStale: random.chance(0.15)
	};
}

function changed(old: readonly string[], random: Random): string[] {
	const now = [...old];
	const at = random.below(now.length);
	const kind = random.below(4);
	if (kind === 0) now.splice(at, 0, `${random.pick(INDENTS)}added ${random.below(10_000)}`);
	else if (kind === 1 && now.length > 1) now.splice(at, 1);
	else now[at] = `${random.pick(INDENTS)}changed ${random.pick(WORDS)} ${random.below(10_000)}`;
	return now.join('\n') === old.join('\n') ? [...now, 'one more'] : now;
}

export const textOf = ({ mark, lines }: Pick<Mutation, 'mark' | 'lines'>): string =>
	mark + lines.map(({ text, end }) => text + end).join('');

/** Normalizes trailing spaces and typographic characters, which a model may not distinguish. */
export const plain = (text: string): string =>
	text
		.replace(/[\u2018\u2019]/g, "'")
		.replace(/[\u201c\u201d]/g, '"')
		.replace(/[\u2013\u2014]/g, '-')
		.replaceAll('\u00a0', ' ')
		.replace(/[ \t]+$/, '');

/** Lines as a model may repeat them: unchanged, or normalized. */
export function asGiven(lines: readonly string[], random: Random): string[] {
	return random.chance(0.5) ? [...lines] : lines.map((text) => plain(text));
}

/** Number of positions of these lines as a substring, normalized; overlapping ones count, too. */
export function placesOf(file: readonly FileLine[], wanted: readonly string[]): number {
	const whole = file.map(({ text, end }) => plain(text) + (end && '\n')).join('');
	const needle = wanted.map(plain).join('\n');
	let count = 0;
	for (let at = whole.indexOf(needle); at !== -1; at = whole.indexOf(needle, at + 1)) count++;
	return count;
}
