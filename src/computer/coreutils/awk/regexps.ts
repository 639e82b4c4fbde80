import { rawByte } from '#computer/process/text.ts';
import { PatternError, posixPattern } from '../text/posix-pattern.ts';
import { AwkError } from './faults.ts';
import { reading } from './values.ts';

const patterns = new Map<string, RegExp>();
const MOST_KEPT = 2_000;

/** Compiles a regular expression, from a literal or a string. @throws AwkError */
export function awkPattern(source: string, ignoreCase = false): RegExp {
	const key = `${ignoreCase ? 'i' : ''}${reading.traditional ? 't' : ''}/${source}`;
	let pattern = patterns.get(key);
	if (pattern) return pattern;
	try {
		pattern = posixPattern(translated(source), { extended: true, escapes: true, ignoreCase });
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		throw new AwkError(`invalid regexp: ${error.message}: /${source}/`);
	}
	if (patterns.size > MOST_KEPT) patterns.clear();
	patterns.set(key, pattern);
	return pattern;
}

/** Translates awk's own escapes to common ones: `\y` for a word boundary, numbers to characters. */
function translated(source: string): string {
	if (!/[\\^]|---/.test(source)) return source;
	const plain = source
		// A quantifier with nothing to repeat is literal, and three hyphens are a range of one.
		.replace(/(^|[(|])\^([*+?])/g, '$1^\\$2')
		.replace(/(\[\^?[^\]]*)---([^\]]*)\]/g, '$1$2-]');
	let isInBrackets = false;
	let opened = -1;
	return plain.replace(
		/\\([0-7]{1,3}|x[\da-fA-F]{1,2}|[^])|\[:\w+:\]|[[\]]/g,
		(whole, escaped: string | undefined, at: number) => {
			if (whole === '[' && !isInBrackets) {
				isInBrackets = true;
				opened = at + (plain[at + 1] === '^' ? 1 : 0);
			} else if (whole === ']' && at > opened + 1) isInBrackets = false;
			return escaped === undefined ? whole : escape(whole, escaped, isInBrackets);
		}
	);
}

function escape(whole: string, escaped: string, isInBrackets: boolean): string {
	if (/^[0-7]|^x./.test(escaped)) {
		const code = escaped.startsWith('x') ? parseInt(escaped.slice(1), 16) : parseInt(escaped, 8) & 0xff;
		const character = rawByte(code);
		const isOperator = /[()|*+?.^$\\[\]]/.test(character);
		return (isOperator && reading.traditional) || character === '\\' ? `\\${character}` : character;
	}
	if (escaped === 'b' || escaped === 'y') return escaped === 'b' ? '\x08' : '\\b';
	if (/^[89/"&]$/.test(escaped)) return escaped;
	return isInBrackets && !/^[ntrfva\\\]^-]$/.test(escaped) ? escaped : whole;
}

/** Copies the expression with the flag to search all matches. */
export function searching(pattern: RegExp): RegExp {
	let found = searchers.get(pattern);
	if (!found) searchers.set(pattern, (found = new RegExp(pattern.source, `${pattern.flags}g`)));
	return found;
}

const searchers = new WeakMap<RegExp, RegExp>();

const sticky = new WeakMap<RegExp, RegExp[]>();

/** Alternatives of an expression, each to be tried at one position; empty if there is only one. */
function alternativesOf(pattern: RegExp): RegExp[] {
	let found = sticky.get(pattern);
	if (!found) {
		const sources = /\\[1-9]/.test(pattern.source) ? [] : cutAtBars(pattern.source);
		found = sources.length > 1 ? sources.map((source) => new RegExp(source, `${pattern.flags}y`)) : [];
		sticky.set(pattern, found);
	}
	return found;
}

/** Splits the source of an expression at the bars that are not in a group or brackets. */
function cutAtBars(source: string): string[] {
	const parts: string[] = [];
	let [start, depth] = [0, 0];
	let isInBrackets = false;
	for (let at = 0; at < source.length; at++) {
		const char = source[at];
		if (char === '\\') at++;
		else if (isInBrackets) isInBrackets = char !== ']';
		else if (char === '[') isInBrackets = true;
		else if (char === '(') depth++;
		else if (char === ')') depth--;
		else if (char === '|' && depth === 0) {
			parts.push(source.slice(start, at));
			start = at + 1;
		}
	}
	parts.push(source.slice(start));
	return parts;
}

/** Finds the first match from a position on; of those that start there, the longest that any alternative gives. */
export function longestFrom(pattern: RegExp, text: string, from: number): { index: number; text: string } | null {
	const search = searching(pattern);
	search.lastIndex = from;
	const match = search.exec(text);
	if (!match) return null;
	let [longest] = match;
	for (const alternative of alternativesOf(pattern)) {
		alternative.lastIndex = match.index;
		const other = alternative.exec(text)?.[0];
		if (other !== undefined && other.length > longest.length) longest = other;
	}
	return { index: match.index, text: longest };
}

/**
 * Finds all matches in a text, each the longest that starts at its position; groups are numbered over the whole
 * expression.
 */
export function matchesOf(pattern: RegExp, text: string): Iterable<RegExpExecArray> {
	if (alternativesOf(pattern).length > 0) return longestMatches(pattern, text);
	const search = searching(pattern);
	search.lastIndex = 0;
	return text.matchAll(search);
}

function* longestMatches(pattern: RegExp, text: string): Generator<RegExpExecArray> {
	const search = searching(pattern);
	for (let at = 0; at <= text.length;) {
		search.lastIndex = at;
		const match = search.exec(text);
		if (!match) return;
		match[0] = longestFrom(pattern, text, match.index)?.text ?? match[0];
		yield match;
		const step = match[0].length || ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
		at = match.index + step;
	}
}
