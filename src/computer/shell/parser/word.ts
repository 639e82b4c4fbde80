import type { Part, Word } from '../ast/nodes.ts';
import type { Cursor } from './cursor.ts';
import { decodeEscapes } from './escapes.ts';
import { readParameter } from './parameter.ts';
import { subscriptEnd } from './subscript.ts';

/**
 * Lexical context: `word` up to a blank or operator, `regex` after `=~`, `double` inside double quotes, `requoted`
 * inside double quotes in a quoted operand, where a backslash escapes any character, `operand` inside `${…}`,
 * `subscript` inside brackets, `arithmetic` and `document` like double quotes, except for the quotes themselves.
 */
export type Mode =
	| 'word'
	| 'pattern'
	| 'regex'
	| 'double'
	| 'requoted'
	| 'operand'
	| 'subscript'
	| 'quotedOperand'
	| 'arithmetic'
	| 'document';

/** Parses a word at this position; null if none starts here. @throws ShellSyntaxError */
export function readWord(cursor: Cursor, mode: 'word' | 'pattern' | 'regex' = 'word'): Word | null {
	const from = cursor.at;
	const parts = readParts(cursor, mode, '');
	if (cursor.at === from) return null;
	return { type: 'Word', parts: cursor.dialect.posix ? withLeadingTilde(parts) : withTilde(parts, false) };
}

/** Parses parts up to a character of `stops`, or to the end of the mode. @throws ShellSyntaxError */
export function readParts(cursor: Cursor, mode: Mode, stops: string): Part[] {
	return new PartReader(cursor, mode, stops).read();
}

class PartReader {
	#parts: Part[] = [];
	#literal = '';
	/** Open parentheses of patterns, regular expressions and arithmetic. */
	#depth = 0;
	#brackets = 0;
	/** Number of question marks in arithmetic whose colon is still missing. */
	#choices = 0;
	#isBetweenQuotes = false;
	/** Set if surrounding double quotes end here: `"${x:-"a"}"`. */
	readonly #quoted: boolean;
	readonly #bare: boolean;
	readonly #isOperand: boolean;

	constructor(
		private readonly cursor: Cursor,
		private readonly mode: Mode,
		private readonly stops: string
	) {
		this.#bare = mode === 'word' || mode === 'pattern' || mode === 'regex';
		this.#isOperand = mode === 'operand' || mode === 'subscript';
		this.#quoted = !this.#bare && !this.#isOperand;
	}

	read(): Part[] {
		const { cursor } = this;
		while (!cursor.ended) {
			if (this.#stops()) break;
			if (this.#bare && this.#endsWord()) break;
			this.#piece();
		}
		this.#flush();
		return this.#parts;
	}

	/** Returns whether the text ends here; not at the colon of a choice, or between single quotes. */
	#stops(): boolean {
		const { char } = this.cursor;
		if (this.#depth > 0 || this.#brackets > 0 || this.#isBetweenQuotes || !this.stops.includes(char)) return false;
		if (char !== ':' || this.#choices === 0) return true;
		this.#choices--;
		return false;
	}

	#endsWord(): boolean {
		const { cursor } = this;
		const { char } = cursor;
		if (!cursor.atMeta) return false;
		if ((char === '<' || char === '>') && cursor.peek(1) === '(' && this.mode !== 'regex') return false;
		if (this.#depth > 0) return false;
		return this.mode !== 'regex' || !'(|'.includes(char);
	}

	#piece(): void {
		const { cursor, mode } = this;
		const { char } = cursor;
		if (char === '\\') return this.#backslash();
		if (char === '$') return this.#dollar();
		if (char === '`') return this.#push(readBackquoted(cursor, this.#quoted && mode !== 'arithmetic'));
		if (char === '"') {
			if (this.#bare || this.#isOperand) return this.#doubleQuoted();
			if (mode === 'quotedOperand' || mode === 'arithmetic') return this.#innerQuotes();
		}
		if (char === "'" && (this.#bare || this.#isOperand)) {
			return this.#push({ type: 'SingleQuoted', value: readSingleQuoted(cursor) });
		}
		if (char === '[' && mode === 'arithmetic' && this.#subscript()) return;
		if ((char === '<' || char === '>') && cursor.peek(1) === '(' && this.#mayBeProcess()) {
			cursor.at++;
			cursor.at++;
			return this.#push({ type: 'ProcessSubstitution', body: commands(cursor), direction: char });
		}
		this.#plain(char);
	}

	/** Parses the subscript in an arithmetic text. Returns false if it is not closed. */
	#subscript(): boolean {
		const { cursor } = this;
		const end = subscriptEnd(cursor.source, cursor.at);
		if (end < 0 || end === cursor.at + 1) return false;
		const { at, line } = cursor;
		cursor.at++;
		const parts = readParts(cursor, 'subscript', ']');
		if (cursor.take(']')) {
			this.#push({ type: 'Subscript', parts, text: cursor.source.slice(at, cursor.at) });
			return true;
		}
		cursor.at = at;
		cursor.line = line;
		return false;
	}

	#mayBeProcess(): boolean {
		return this.mode === 'word' || this.mode === 'pattern' || (this.mode === 'operand' && this.#depth === 0);
	}

	/** Consumes a character without special meaning, or a parenthesis that is counted. */
	#plain(char: string): void {
		const { cursor, mode } = this;
		if (this.#bare) {
			const opensPattern =
				char !== '' &&
				'?*+@!'.includes(char) &&
				cursor.peek(1) === '(' &&
				mode !== 'regex' &&
				(mode === 'pattern' || cursor.dialect.extglob);
			if (opensPattern) {
				this.#literal += cursor.next() + cursor.next();
				this.#depth++;
				return;
			}
			if (char === '(' && (this.#depth > 0 || mode === 'regex')) this.#depth++;
			if (char === ')' && this.#depth > 0) this.#depth--;
		} else if (mode === 'arithmetic' || mode === 'subscript') {
			if (char === '(') this.#depth++;
			if (char === ')' && this.#depth > 0) this.#depth--;
			if (char === '?') this.#choices++;
			if (char === ':' && this.#depth > 0 && this.#choices > 0) this.#choices--;
			if (char === '[') this.#brackets++;
			if (char === ']' && this.#brackets > 0) this.#brackets--;
		}
		// In POSIX mode, single quotes are literal there.
		const mayQuote = char === "'" && mode === 'quotedOperand' && cursor.dialect.posix !== true;
		if (mayQuote && (this.#isBetweenQuotes || cursor.match(/'[^']*'/y))) this.#isBetweenQuotes = !this.#isBetweenQuotes;
		else if (mayQuote && !cursor.isDocument && !cursor.isFragment) cursor.unclosed("'");
		this.#literal += cursor.next();
		if (cursor.ended && this.#depth > 0 && this.#bare) cursor.unclosed(')');
	}

	#backslash(): void {
		const { cursor, mode } = this;
		const next = cursor.peek(1);
		if (next === '\n') {
			cursor.next();
			cursor.next();
			return;
		}
		if (next === '') {
			this.#literal += cursor.next();
			return;
		}
		const isSpecial =
			this.#bare ||
			this.#isOperand ||
			mode === 'requoted' ||
			'$`\\'.includes(next) ||
			(next === '"' && mode !== 'document') ||
			(next === '}' && mode === 'quotedOperand');
		cursor.next();
		if (!isSpecial) {
			this.#literal += '\\';
			// The backslash stays, but the quote after it is literal.
			if (next === "'" && mode === 'quotedOperand' && !this.#isBetweenQuotes) this.#literal += cursor.next();
			return;
		}
		this.#push({ type: 'Escaped', value: cursor.next() });
	}

	#dollar(): void {
		const { cursor } = this;
		const next = cursor.peek(1);
		// Inside quotes, only an operand has quotes.
		const hasQuotes = !this.#quoted || (this.mode === 'quotedOperand' && !cursor.isDocument);
		if (hasQuotes && next === "'") {
			cursor.at++;
			return this.#push({ type: 'SingleQuoted', value: readEscaped(cursor) });
		}
		if (hasQuotes && next === '"') {
			cursor.at++;
			return this.#doubleQuoted();
		}
		if (this.mode === 'arithmetic' && next === '"') {
			cursor.at++;
			return;
		}
		const part = readDollar(cursor, this.#quoted);
		if (part) this.#push(part);
		else this.#literal += cursor.next();
	}

	#doubleQuoted(mode: 'double' | 'requoted' = 'double'): void {
		const { line } = this.cursor;
		this.cursor.at++;
		const parts = readParts(this.cursor, mode, '"');
		if (!this.cursor.take('"') && !this.cursor.isFragment) this.cursor.unclosed('"', line);
		this.#push({ type: 'DoubleQuoted', parts });
	}

	/** Removes quotes inside text that is already quoted. */
	#innerQuotes(): void {
		if (this.mode === 'arithmetic' || this.#isBetweenQuotes) {
			this.cursor.at++;
			return;
		}
		this.#doubleQuoted('requoted');
	}

	#push(part: Part): void {
		this.#flush();
		this.#parts.push(part);
	}

	#flush(): void {
		if (this.#literal !== '') this.#parts.push({ type: 'Literal', value: this.#literal });
		this.#literal = '';
	}
}

/** Parses `$x`, `${…}`, `$(…)`, `$((…))`, `$[…]`; null if the dollar is literal. @throws ShellSyntaxError */
function readDollar(cursor: Cursor, quoted: boolean): Part | null {
	cursor.joinLine(1);
	const next = cursor.peek(1);
	if (next === '(') {
		cursor.joinLine(2);
		if (cursor.peek(2) === '(') {
			const arithmetic = readArithmetic(cursor);
			if (arithmetic) return arithmetic;
		}
		cursor.at += 2;
		return { type: 'CommandSubstitution', body: commands(cursor) };
	}
	if (next === '{') return readParameter(cursor, quoted);
	if (next === '[') {
		const from = cursor.at;
		cursor.at += 2;
		const parts = readParts(cursor, 'arithmetic', ']');
		if (!cursor.take(']')) cursor.unclosed(']');
		const expression = { type: 'Word' as const, parts };
		return { type: 'ArithmeticExpansion', expression, text: cursor.source.slice(from, cursor.at) };
	}
	cursor.at++;
	cursor.joinToken(/(?:\w+(?:\\\n)+)+/y);
	const name = cursor.match(/[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y)?.[0];
	cursor.at--;
	if (name === undefined) return null;
	cursor.at += 1 + name.length;
	return { type: 'Parameter', text: `$${name}`, name, subscript: null, indirect: false, operation: null };
}

/**
 * Parses `$((…))`; null if the parentheses turn out to be a subshell.
 *
 * @throws ShellSyntaxError if the parentheses of an expression are not closed; those in a here-document count
 */
function readArithmetic(cursor: Cursor): Part | null {
	const { at, line } = cursor;
	cursor.at += 3;
	const expression = readArithmeticBody(cursor);
	if (expression) return { type: 'ArithmeticExpansion', expression, text: cursor.source.slice(at, cursor.at) };
	cursor.at = at;
	cursor.line = line;
	if (!hasClosing(cursor.source, at + 3, 2)) cursor.unclosed(')');
	return null;
}

/** Parses an expression and its `))`; null if it ends otherwise. */
export function readArithmeticBody(cursor: Cursor): Word | null {
	const parts = readParts(cursor, 'arithmetic', ')');
	cursor.joinLine(1);
	if (!cursor.take('))')) return null;
	return { type: 'Word', parts };
}

/** Returns whether parentheses close the `depth` open ones before a position. Quoted ones do not count. */
function hasClosing(text: string, from: number, depth: number): boolean {
	const token = /\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|`(?:[^`\\]|\\[^])*`|[()]/g;
	token.lastIndex = from;
	for (let found = token.exec(text); found; found = token.exec(text)) {
		if (found[0] === '(') depth++;
		else if (found[0] === ')' && --depth === 0) return true;
	}
	return false;
}

function commands(cursor: Cursor) {
	const { isDocument, isFragment } = cursor;
	cursor.isDocument = cursor.isFragment = false;
	cursor.depth++;
	const body = cursor.substitution(cursor);
	cursor.depth--;
	cursor.isDocument = isDocument;
	cursor.isFragment = isFragment;
	return body;
}

function readSingleQuoted(cursor: Cursor): string {
	const found = cursor.source.indexOf("'", cursor.at + 1);
	if (found < 0 && !cursor.isFragment) cursor.unclosed("'");
	const end = found < 0 ? cursor.source.length : found;
	const value = cursor.source.slice(cursor.at + 1, end);
	cursor.line += value.split('\n').length - 1;
	cursor.at = end + 1;
	return value;
}

/** Parses `$'a\tb'` after its dollar. @throws ShellSyntaxError */
export function readEscaped(cursor: Cursor): string {
	const found = cursor.match(cursor.isFragment ? /'((?:[^'\\]|\\[^])*)(?:'|\\?$)/y : /'((?:[^'\\]|\\[^])*)'/y);
	if (!found) cursor.unclosed("'");
	cursor.at += found[0].length;
	cursor.line += found[0].split('\n').length - 1;
	return decodeEscapes(found[1] ?? '');
}

function readBackquoted(cursor: Cursor, quoted: boolean): Part {
	const found = cursor.match(/`((?:[^`\\]|\\[^])*)`/y);
	if (!found) cursor.unclosed('`');
	cursor.at += found[0].length;
	cursor.line += found[0].split('\n').length - 1;
	const source = (found[1] ?? '').replace(quoted ? /\\(?:([$`\\"])|\n)/g : /\\(?:([$`\\])|\n)/g, '$1');
	return { type: 'Backquoted', source, text: found[0] };
}

/** Replaces `~` at the start of the parts. */
export function withLeadingTilde(parts: Part[]): Part[] {
	const [first] = parts;
	return first?.type === 'Literal' && /^~(?!\{)/.test(first.value) ? tildeAt(parts, 0, /^~([^/]*)/) : parts;
}

/** Replaces `~` at the start of the parts, and in an assigned value after each `:`. */
export function withTilde(parts: Part[], isValue: boolean): Part[] {
	const [first] = parts;
	if (!isValue) {
		if (first?.type !== 'Literal') return parts;
		// An argument that looks like an assignment is treated as one.
		const assignment = /^[A-Za-z_]\w*\+?=/.exec(first.value)?.[0];
		if (assignment === undefined) return withLeadingTilde(parts);
		const value = withTilde(
			[{ type: 'Literal', value: first.value.slice(assignment.length) }, ...parts.slice(1)],
			true
		);
		return [{ type: 'Literal', value: assignment }, ...value];
	}
	const result: Part[] = [];
	for (const [index, part] of parts.entries()) {
		if (part.type !== 'Literal' || !part.value.includes('~')) {
			result.push(part);
			continue;
		}
		const pieces = part.value.split(/(:)/);
		for (const [at, piece] of pieces.entries()) {
			const isStart = at === 0 ? index === 0 : pieces[at - 1] === ':';
			const isLast = at === pieces.length - 1;
			const user = isStart ? /^~([^/]*)/.exec(piece)?.[1] : undefined;
			const runsOn = isLast && user !== undefined && piece.length === user.length + 1 && parts[index + 1] !== undefined;
			if (user === undefined || runsOn) {
				if (piece) result.push({ type: 'Literal', value: piece });
				continue;
			}
			result.push({ type: 'Tilde', user });
			if (piece.length > user.length + 1) result.push({ type: 'Literal', value: piece.slice(user.length + 1) });
		}
	}
	return result;
}

/** Converts each `~` in parts back to literal text. */
export function withoutTilde(parts: readonly Part[]): Part[] {
	const result: Part[] = [];
	for (const part of parts) {
		const text = part.type === 'Tilde' ? `~${part.user}` : part.type === 'Literal' ? part.value : null;
		const last = result.at(-1);
		if (text === null) result.push(part);
		else if (last?.type === 'Literal') result[result.length - 1] = { type: 'Literal', value: last.value + text };
		else result.push({ type: 'Literal', value: text });
	}
	return result;
}

function tildeAt(parts: Part[], index: number, expression: RegExp): Part[] {
	const part = parts[index];
	if (part?.type !== 'Literal') return parts;
	const user = expression.exec(part.value)?.[1] ?? '';
	const rest = part.value.slice(user.length + 1);
	if (rest === '' && parts[index + 1]) return parts;
	const literal: Part[] = rest ? [{ type: 'Literal', value: rest }] : [];
	return [...parts.slice(0, index), { type: 'Tilde', user }, ...literal, ...parts.slice(index + 1)];
}
