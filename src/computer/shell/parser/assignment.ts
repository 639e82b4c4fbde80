import type { ArrayElement, Assignment, Part } from '../ast/nodes.ts';
import type { Cursor } from './cursor.ts';
import { ShellSyntaxError } from './error.ts';
import { readParts, withoutTilde, withTilde } from './word.ts';

/**
 * Parses an assignment, if there is one here. In an argument, the brackets must not contain blanks.
 *
 * @throws ShellSyntaxError
 */
export function readAssignment(cursor: Cursor, isArgument = false): Assignment | null {
	const name = cursor.match(/[A-Za-z_]\w*(?=\+?=|\[)/y)?.[0];
	if (name === undefined) return null;
	const { at, line } = cursor;
	cursor.at += name.length;
	const subscript = subscriptOrNull(cursor, isArgument);
	if (subscript === undefined && !isArgument) cursor.unclosed(']');
	const append = cursor.sees('+=');
	const isAssignment = cursor.take('+=') || cursor.take('=');
	if (!isAssignment || subscript === undefined) {
		cursor.at = at;
		cursor.line = line;
		return null;
	}
	if (cursor.char === '(') {
		const start = { at: cursor.at, line: cursor.line };
		cursor.at++;
		const array = readElements(cursor);
		if (cursor.atMeta) return { name, subscript, append, value: null, array };
		// If more text follows the parentheses, they are not an array: `let a=(1 + 2)/3`.
		Object.assign(cursor, start);
		return { name, subscript, append, value: { type: 'Word', parts: readParts(cursor, 'regex', '') }, array: null };
	}
	const value = { type: 'Word' as const, parts: withTilde(readParts(cursor, 'word', ''), true).map(withInnerTilde) };
	return { name, subscript, append, value, array: null };
}

/** In an assigned value, the word of `${x-~:~}` may also have a tilde after each colon. */
function withInnerTilde(part: Part): Part {
	if (part.type !== 'Parameter' || !part.operation || !('checkEmpty' in part.operation)) return part;
	const { word } = part.operation;
	return {
		...part,
		operation: { ...part.operation, word: { ...word, parts: withTilde(withoutTilde(word.parts), true) } }
	};
}

/** Text between brackets; null if there are none, undefined if they are unclosed or contain blanks. */
function subscriptOrNull(cursor: Cursor, endsAtBlank = false): string | null | undefined {
	if (!cursor.take('[')) return null;
	const from = cursor.at;
	const parts = readParts(cursor, 'subscript', ']');
	if (endsAtBlank && parts.some((part) => part.type === 'Literal' && /[ \t\n]/.test(part.value))) return undefined;
	const text = cursor.source.slice(from, cursor.at);
	return cursor.take(']') ? text : undefined;
}

function readElements(cursor: Cursor): ArrayElement[] {
	const elements: ArrayElement[] = [];
	for (cursor.lines(); !cursor.take(')'); cursor.lines()) {
		const from = cursor.at;
		elements.push(readElement(cursor));
		if (cursor.at === from) failElement(cursor);
	}
	return elements;
}

/** An error in an array discards the line, not the rest of the script. @throws ShellSyntaxError */
function failElement(cursor: Cursor): never {
	try {
		return cursor.fail();
	} catch (error) {
		throw error instanceof ShellSyntaxError ? error.with('line') : error;
	}
}

function readElement(cursor: Cursor): ArrayElement {
	const { at, line } = cursor;
	if (cursor.char === '[') {
		const key = subscriptOrNull(cursor);
		const append = cursor.sees('+=');
		if (typeof key === 'string' && (cursor.take('+=') || cursor.take('='))) {
			return { key, append, value: { type: 'Word', parts: withTilde(readParts(cursor, 'word', ''), true) } };
		}
		cursor.at = at;
		cursor.line = line;
	}
	return { key: null, append: false, value: { type: 'Word', parts: withTilde(readParts(cursor, 'word', ''), false) } };
}
