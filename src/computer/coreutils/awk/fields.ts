import { AwkError } from './faults.ts';
import { awkPattern, longestFrom, matchesOf } from './regexps.ts';

/** Parts of a text, and the separators between them. */
export interface Pieces {
	pieces: string[];
	/** Text before the first part, between two parts, and after the last: one more than parts. */
	between: string[];
}

/** Rules for splitting at a separator. */
export interface Cutting {
	ignoreCase: boolean;
	/** Records are paragraphs: newlines separate as well. */
	paragraphs?: boolean;
}

/** Splits a text at a separator with the rules of `FS`. */
export function splitAt(text: string, separator: string | RegExp, how: Cutting): Pieces {
	if (text === '') return { pieces: [], between: [''] };
	if (separator === ' ') return splitAtBlanks(text);
	if (separator === '') return splitToCharacters(text);
	return cut(text, separatorPattern(separator, how));
}

/**
 * Converts a separator to a regular expression: a single character represents itself, except a blank and a backslash.
 */
function separatorPattern(separator: string | RegExp, { ignoreCase, paragraphs }: Cutting): RegExp {
	if (typeof separator !== 'string') return separator;
	const isSingle = separator.length === 1;
	const source = isSingle ? separator.replace(/[\\^$.*+?()[\]{}|]/, '\\$&') : separator;
	const folds = ignoreCase && !isSingle;
	if (!paragraphs || separator === '\n') return awkPattern(source, folds);
	return awkPattern(`(${source})|\n`, folds);
}

function splitAtBlanks(text: string): Pieces {
	const pieces: string[] = [];
	const between: string[] = [];
	let end = 0;
	for (const match of text.matchAll(/[^ \t\n]+/g)) {
		between.push(text.slice(end, match.index));
		pieces.push(match[0]);
		end = match.index + match[0].length;
	}
	between.push(text.slice(end));
	return { pieces, between };
}

function splitToCharacters(text: string): Pieces {
	const pieces = [...text];
	return { pieces, between: Array.from({ length: pieces.length + 1 }, () => '') };
}

function cut(text: string, pattern: RegExp): Pieces {
	const pieces: string[] = [];
	const between = [''];
	let from = 0;
	for (const match of matchesOf(pattern, text)) {
		if (match[0] === '') continue;
		pieces.push(text.slice(from, match.index));
		between.push(match[0]);
		from = match.index + match[0].length;
	}
	pieces.push(text.slice(from));
	between.push('');
	return { pieces, between };
}

/** Finds the parts that match a pattern (`FPAT`); an empty match directly after another one does not count. */
export function splitByContent(text: string, pattern: RegExp): Pieces {
	const pieces: string[] = [];
	const between: string[] = [];
	if (text === '') return { pieces, between: [''] };
	let [at, end] = [0, 0];
	let wasFilled = false;
	while (at <= text.length) {
		const match = longestFrom(pattern, text, at);
		if (!match) break;
		const isEmpty = match.text === '';
		const width = (text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1;
		at = isEmpty ? match.index + width : match.index + match.text.length;
		if (isEmpty && wasFilled && match.index === end) continue;
		between.push(text.slice(end, match.index));
		pieces.push(match.text);
		end = match.index + match.text.length;
		wasFilled = !isEmpty;
	}
	between.push(text.slice(end));
	return { pieces, between };
}

/**
 * Parses `FIELDWIDTHS`: widths, each with the number of characters skipped before it; `*` takes the rest.
 * @throws AwkError
 */
export function readWidths(text: string): { skip: number; width: number }[] {
	const words = text.split(/[ \t\n]+/).filter(Boolean);
	return words.map((word, index) => {
		const [, skip, width = ''] = /^(?:(\d+):)?(\d+|\*)$/.exec(word) ?? [];
		if (width === '' || (width === '*' && index < words.length - 1)) {
			if (width === '*') throw new AwkError("`*' must be the last designator in FIELDWIDTHS");
			const rest = words.slice(index).join(' ');
			const near = /^\d+:(.*)$/s.exec(rest)?.[1] ?? rest;
			throw new AwkError(`invalid FIELDWIDTHS value, for field ${index + 1}, near \`${near}'`);
		}
		return { skip: Number(skip ?? 0), width: width === '*' ? Infinity : Number(width) };
	});
}

export function splitByWidths(text: string, widths: readonly { skip: number; width: number }[]): string[] {
	const characters = /[\ud800-\udfff]/.test(text) ? [...text] : null;
	const length = characters ? characters.length : text.length;
	const pieces: string[] = [];
	let at = 0;
	for (const { skip, width } of widths) {
		at += skip;
		if (at >= length) break;
		const end = Math.min(length, at + width);
		pieces.push(characters ? characters.slice(at, end).join('') : text.slice(at, end));
		at = end;
	}
	return pieces;
}
