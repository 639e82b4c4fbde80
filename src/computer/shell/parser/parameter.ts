import type { Operation, ParameterPart, Part, Word } from '../ast/nodes.ts';
import type { Cursor } from './cursor.ts';
import { decodeEscapes } from './escapes.ts';
import { readEscaped, readParts, withLeadingTilde, withTilde } from './word.ts';

const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]/y;

/** Parameter and its operator up to the last line continuation. */
const JOINED_NAME = /(?:[^\s"'`$\\}]*\\\n)+/y;

/** Parses `${…}`. An invalid expansion fails when it is expanded. @throws ShellSyntaxError if it is not closed */
export function readParameter(cursor: Cursor, quoted: boolean): ParameterPart {
	const { at, line } = cursor;
	cursor.at += 2;
	cursor.joinToken(JOINED_NAME);
	const found = readKnown(cursor, quoted);
	if (found && cursor.take('}')) return { ...found, text: cursor.source.slice(at, cursor.at) };
	cursor.at = at + 2;
	cursor.line = line;
	readParts(cursor, quoted ? 'quotedOperand' : 'operand', '}');
	if (!cursor.take('}')) cursor.unclosed('}', line);
	const text = cursor.source.slice(at, cursor.at);
	return {
		type: 'Parameter',
		// The error message shows `$'…'` decoded.
		text: text.replace(/\$'((?:[^'\\]|\\[^])*)'/g, (_whole, escaped: string) => `'${decodeEscapes(escaped)}'`),
		name: '',
		subscript: null,
		indirect: false,
		operation: { type: 'BadSubstitution' }
	};
}

function readKnown(cursor: Cursor, quoted: boolean): Omit<ParameterPart, 'text'> | null {
	if (cursor.char === '#') {
		const length = readLength(cursor);
		if (length) return length;
		if (/^#[/%=+]\}/.test(cursor.source.slice(cursor.at, cursor.at + 3))) return null;
	}
	const indirect =
		cursor.char === '!' &&
		/^(?:[A-Za-z_0-9]|[@*$!]\}|#[-=?+#%/:@}])/.test(cursor.source.slice(cursor.at + 1, cursor.at + 3));
	if (indirect) cursor.at++;
	else if (cursor.sees('!#')) return null;
	const name = readName(cursor);
	if (name === null) return null;
	const star = cursor.char;
	if (indirect && (star === '*' || star === '@') && cursor.peek(1) === '}') {
		if (!/^[A-Za-z_]/.test(name)) return null;
		cursor.at++;
		return parameter(name, null, true, { type: 'Names', star: star === '*' });
	}
	const subscript = readSubscript(cursor);
	if (subscript === '') return null;
	if (cursor.char === '}') return parameter(name, subscript, indirect, null);
	const operation = readOperation(cursor, quoted);
	return operation && parameter(name, subscript, indirect, operation);
}

/** Parses the parameter's name, which may be written as `$'name'`. */
function readName(cursor: Cursor): string | null {
	if (cursor.sees("$'")) {
		cursor.at++;
		const name = readEscaped(cursor);
		return /^[A-Za-z_]\w*$/.test(name) ? name : null;
	}
	const name = cursor.match(NAME)?.[0];
	if (name === undefined) return null;
	cursor.at += name.length;
	return name;
}

const parameter = (
	name: string,
	subscript: string | null,
	indirect: boolean,
	operation: Operation | null
): Omit<ParameterPart, 'text'> => ({ type: 'Parameter', name, subscript, indirect, operation });

/** Parses `${#name}`; null if the `#` is the parameter itself. */
function readLength(cursor: Cursor): Omit<ParameterPart, 'text'> | null {
	const { at } = cursor;
	cursor.at++;
	const name = cursor.match(NAME)?.[0];
	if (name !== undefined) {
		cursor.at += name.length;
		const subscript = readSubscript(cursor);
		if (cursor.char === '}' && subscript !== '') return parameter(name, subscript, false, { type: 'Length' });
	}
	cursor.at = at;
	return null;
}

/** Parses text between brackets; null if there are none. @throws ShellSyntaxError */
function readSubscript(cursor: Cursor): string | null {
	if (cursor.char !== '[') return null;
	cursor.at++;
	const from = cursor.at;
	readParts(cursor, 'subscript', ']');
	const text = cursor.source.slice(from, cursor.at);
	if (!cursor.take(']')) cursor.unclosed(']');
	return text;
}

function readOperation(cursor: Cursor, quoted: boolean): Operation | null {
	const operand = (stops = '}'): Word => word(readParts(cursor, 'operand', stops));
	const value = cursor.match(/:?[-=?+]/y)?.[0];
	if (value !== undefined) {
		cursor.at += value.length;
		const types = { '-': 'Default', '=': 'Assign', '?': 'Error', '+': 'Alternative' } as const;
		const parts = readParts(cursor, quoted ? 'quotedOperand' : 'operand', '}');
		const sign = value.at(-1);
		const type = sign === '-' || sign === '=' || sign === '?' || sign === '+' ? types[sign] : 'Default';
		return { type, word: word(quoted ? parts : withLeadingTilde(parts)), checkEmpty: value.length > 1 };
	}
	if (cursor.char === ':' && cursor.peek(1) !== '}') {
		cursor.at++;
		const offset = word(readParts(cursor, 'arithmetic', ':}'));
		return { type: 'Substring', offset, length: cursor.take(':') ? word(readParts(cursor, 'arithmetic', '}')) : null };
	}
	for (const sign of ['#', '%'] as const) {
		if (!cursor.take(sign)) continue;
		const greedy = cursor.take(sign);
		return {
			type: 'Remove',
			side: sign === '#' ? 'prefix' : 'suffix',
			greedy,
			pattern: word(withLeadingTilde(operand().parts))
		};
	}
	if (cursor.take('/')) return readReplacement(cursor);
	for (const [sign, change] of [
		['^', 'upper'],
		[',', 'lower'],
		['~', 'toggle']
	] as const) {
		if (cursor.take(sign)) return { type: 'Case', change, all: cursor.take(sign), pattern: operand() };
	}
	if (cursor.char === '@' && /[A-Za-z]/.test(cursor.peek(1)) && cursor.peek(2) === '}') {
		cursor.at += 2;
		return { type: 'Transform', operator: cursor.source[cursor.at - 1] ?? '' };
	}
	return null;
}

function readReplacement(cursor: Cursor): Operation {
	let which: 'first' | 'all' | 'start' | 'end' = 'first';
	if (cursor.take('/')) which = 'all';
	else if (cursor.take('#')) which = 'start';
	else if (cursor.take('%')) which = 'end';
	// A slash directly after `//` belongs to the pattern.
	const slash: Part[] = which === 'all' && cursor.take('/') ? [{ type: 'Literal', value: '/' }] : [];
	const pattern = word(withTilde([...slash, ...readParts(cursor, 'operand', '/}')], false));
	const replacement = cursor.take('/') ? word(withTilde(readParts(cursor, 'operand', '}'), false)) : word([]);
	return { type: 'Replace', which, pattern, replacement };
}

const word = (parts: Part[]): Word => ({ type: 'Word', parts });
