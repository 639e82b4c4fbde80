import { UsageError } from '../options.ts';

/** Letters of the options that affect the order. */
export const ORDERINGS = 'bdfghiMnRrV';

/** Key of `sort`: part of a line, and how it is compared. */
export interface Key {
	from: [field: number, character: number];
	to: [field: number, character: number] | null;
	/** Letters of the key; the global ones if it has none. */
	letters: string;
	/** Set if leading blanks of the first or last field are skipped. */
	skipsBlanks: { start: boolean; end: boolean };
	/** Source text in the form used before POSIX 2001. */
	obsolescent?: { used: string; instead: string };
}

/**
 * Parses `2,3nr`, `1.2,1.4`.
 *
 * @param globals letters of the global options
 * @throws UsageError
 */
export function keyOf(text: string, globals: string): Key {
	const match = /^(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*))?$/.exec(text);
	if (!match || match[1] === '0')
		throw new UsageError(`invalid number at field start: invalid count at start of '${text}'`);
	const [, field, character, letters = '', toField, toCharacter, toLetters = ''] = match;
	const own = letters + toLetters;
	const isBlank = (given: string) => (own === '' ? globals : given).includes('b');
	return {
		from: [Number(field), Number(character ?? 1)],
		to: toField === undefined ? null : [Number(toField), Number(toCharacter ?? 0)],
		letters: own || globals,
		skipsBlanks: { start: isBlank(letters), end: isBlank(toLetters) }
	};
}

/** Parses `+2.2 -1b`: fields and characters are counted from 0. @throws UsageError */
export function obsolescentKeyOf(text: string, globals: string): Key {
	const [, field = '0', character = '0', letters = '', to, toCharacter = '0', toLetters = ''] =
		/^\+(\d+)(?:\.(\d+))?(\D*?)(?: -(\d+)(?:\.(\d+))?(\D*))?$/.exec(text) ?? [];
	const [first, last] = [Number(field) + 1, Number(to)];
	const start = `${first}.${Number(character) + 1}${letters}`;
	const end = toCharacter === '0' ? `${to}` : `${last + 1}.${toCharacter}`;
	const key = keyOf(to === undefined ? start : `${start},${last === 0 ? 1 : end}${toLetters}`, globals);
	const shownEnd = to === undefined ? ['', ''] : [` -${to}`, `,${end}`];
	const obsolescent = { used: `+${field}${shownEnd[0]}`, instead: `-k ${first}${shownEnd[1]}` };
	return { ...key, obsolescent };
}

/** Joins each `+2 -1` of a command line into a single option. */
export function withObsolescentKeys(args: readonly string[]): string[] {
	const joined: string[] = [];
	for (let index = 0; index < args.length; index++) {
		const [arg = '', next = ''] = [args[index], args[index + 1]];
		if (arg === '--') return [...joined, ...args.slice(index)];
		const isPair = /^\+\d+(?:\.\d+)?[bdfgiMnRrV]*$/.test(arg) && /^-\d+(?:\.\d+)?[bdfgiMnRrV]*$/.test(next);
		joined.push(isPair ? `---obsolescent-key=${arg} ${args[++index]}` : arg);
	}
	return joined;
}

/** Start and end of each field of a line. */
function fieldsOf(line: string, separator: string | undefined): [number, number][] {
	const fields: [number, number][] = [];
	if (separator === undefined) {
		for (const match of line.matchAll(/\s*\S+|\s+$/g)) fields.push([match.index, match.index + match[0].length]);
		return fields;
	}
	let from = 0;
	for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, from)) {
		fields.push([from, at]);
		from = at + 1;
	}
	fields.push([from, line.length]);
	return fields;
}

/** Part of a line that a key compares: its start, and its end, which may be before the start. */
export function keyRange(line: string, key: Key, separator: string | undefined): [start: number, end: number] {
	const fields = fieldsOf(line, separator);
	const [field, character] = key.from;
	const first = fields[field - 1];
	const skipped = (at: number, end: number) => {
		while (at < end && /\s/.test(line[at] ?? '')) at++;
		return at;
	};
	if (!first) return [line.length, line.length];
	const begin = key.skipsBlanks.start ? skipped(first[0], line.length) : first[0];
	const start = Math.min(begin + character - 1, line.length);
	const last = key.to && fields[key.to[0] - 1];
	if (!key.to || !last) return [start, line.length];
	const [, lastCharacter] = key.to;
	if (lastCharacter === 0) return [start, last[1]];
	const from = key.skipsBlanks.end ? skipped(last[0], line.length) : last[0];
	return [start, Math.min(from + lastCharacter, line.length)];
}
