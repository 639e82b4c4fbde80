import type { ArrayElement, Assignment } from '../ast/nodes.ts';
import type { Cursor } from './cursor.ts';
import { readParts, withTilde } from './word.ts';

/** An assignment, if one stands at this place. @throws ShellSyntaxError */
export function readAssignment(cursor: Cursor, arraysOnly = false): Assignment | null {
	const name = cursor.match(/[A-Za-z_]\w*(?=\+?=|\[)/y)?.[0];
	if (name === undefined) return null;
	const { at, line } = cursor;
	cursor.at += name.length;
	const subscript = subscriptOrNull(cursor);
	const append = cursor.sees('+=');
	const isAssignment = cursor.take('+=') || cursor.take('=');
	if (!isAssignment || subscript === undefined || (arraysOnly && cursor.char !== '(')) {
		cursor.at = at;
		cursor.line = line;
		return null;
	}
	if (cursor.char === '(') {
		cursor.at++;
		return { name, subscript, append, value: null, array: readElements(cursor) };
	}
	const value = { type: 'Word' as const, parts: withTilde(readParts(cursor, 'word', ''), true) };
	return { name, subscript, append, value, array: null };
}

/** Text between brackets; null where there are none, undefined where they are not closed. */
function subscriptOrNull(cursor: Cursor): string | null | undefined {
	if (!cursor.take('[')) return null;
	const from = cursor.at;
	readParts(cursor, 'subscript', ']');
	const text = cursor.source.slice(from, cursor.at);
	return cursor.take(']') ? text : undefined;
}

function readElements(cursor: Cursor): ArrayElement[] {
	const elements: ArrayElement[] = [];
	for (cursor.lines(); !cursor.take(')'); cursor.lines()) {
		const from = cursor.at;
		elements.push(readElement(cursor));
		if (cursor.at === from) cursor.fail();
	}
	return elements;
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
