import type { OperationOf, Operation, Word } from '../ast/nodes.ts';
import { attributeLetters, describe, describeArray, declarationOf, keyText } from '../builtins/describe.ts';
import { printWord } from '../ast/print.ts';
import { decodeEscapes } from '../parser/escapes.ts';
import { IndexFailed, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import type { Place, Value } from './parameter.ts';
import type { Segment } from './field.ts';
import { globRegExp, globSource } from './pattern.ts';
import { expandPrompt } from './prompt.ts';
import { doubleQuote, quoteWord } from './quote.ts';
import { expandToPattern, unsplit } from './word.ts';

/** Applies `${#x}`, `${x:1:2}`, `${x%.txt}`, `${x//a/b}`, `${x^}`, `${x@Q}` to one value or each of a list. */
export async function applyOperation(shell: Shell, place: Place, value: Value, operation: Operation): Promise<Value> {
	switch (operation.type) {
		case 'Length': {
			const size = value.list ? value.values.length : [...(value.values[0] ?? '')].length;
			return { values: [String(size)], keys: ['0'], list: null, set: true };
		}
		case 'Substring':
			return substring(shell, place, value, operation);
		case 'Remove': {
			const pattern = globRegExp(await expandToPattern(shell, operation.pattern), { isPlain: isPlain(shell) });
			return each(value, (text) => removePattern(text, pattern, operation));
		}
		case 'Replace':
			return replace(shell, value, operation);
		case 'Case':
			return changeCase(shell, value, operation);
		case 'Transform':
			return transform(shell, place, value, operation.operator);
		default:
			throw new ShellError(`${place.name}: bad substitution`, 1, true);
	}
}

/** Returns whether `@(a|b)` and similar are not patterns. */
const isPlain = (shell: Shell): boolean => !shell.shopt.has('extglob');

const each = (value: Value, change: (text: string) => string): Value => ({
	...value,
	values: value.values.map(change)
});

async function changeCase(shell: Shell, value: Value, operation: OperationOf<'Case'>): Promise<Value> {
	const text = await expandToPattern(shell, operation.pattern);
	const pattern = text === '' ? null : globRegExp(text, { isPlain: isPlain(shell) });
	const change = (char: string) => {
		if (pattern && !pattern.test(char)) return char;
		const toUpper = operation.change === 'upper' || (operation.change === 'toggle' && char !== char.toUpperCase());
		const changed = toUpper ? char.toUpperCase() : char.toLowerCase();
		return changed.length === char.length ? changed : char;
	};
	return each(value, (one) =>
		[...one].map((char, index) => (operation.all || index === 0 ? change(char) : char)).join('')
	);
}

async function replace(shell: Shell, value: Value, operation: OperationOf<'Replace'>): Promise<Value> {
	const pattern = await expandToPattern(shell, operation.pattern);
	const replacement = await unsplit(shell, operation.replacement.parts);
	const { which } = operation;
	if (pattern === '' && which !== 'start' && which !== 'end') return value;
	const hasMatch = shell.shopt.has('patsub_replacement');
	const put = (match: string) =>
		replacement.map((segment) => (hasMatch ? withMatch(segment, match) : segment.text)).join('');
	const flags = `su${shell.shopt.has('nocasematch') ? 'i' : ''}`;
	if (!isPlain(shell) && /[@?*+!]\(/.test(pattern) && (which === 'first' || which === 'all'))
		return each(value, (text) =>
			replaceLongest(text, globRegExp(pattern, { ignoreCase: flags.includes('i') }), put, which === 'all')
		);
	const source = globSource(pattern, false, { isPlain: isPlain(shell) });
	const anchored = which === 'start' ? `^(?:${source})` : which === 'end' ? `(?:${source})$` : source;
	const expression = new RegExp(anchored, which === 'all' ? `g${flags}` : flags);
	return each(value, (text) =>
		text.replace(expression, (match) => (match === '' && which === 'all' && text !== '' ? '' : put(match)))
	);
}

/** Replaces an unquoted `&` in a replacement by the match. */
const withMatch = ({ text, quoted }: Segment, match: string): string =>
	quoted ? text : text.replace(/\\([\\&])|&/g, (_whole, escaped?: string) => escaped ?? match);

/** Replaces the longest match at each place, which the alternatives of a regular expression do not find. */
function replaceLongest(text: string, whole: RegExp, put: (match: string) => string, all: boolean): string {
	let result = '';
	let at = 0;
	while (at < text.length) {
		let end = text.length;
		while (end > at && !whole.test(text.slice(at, end))) end--;
		if (end === at) {
			result += text[at++] ?? '';
			continue;
		}
		result += put(text.slice(at, end));
		at = end;
		if (!all) break;
	}
	return result + text.slice(at);
}

/** Evaluates the offset or length of a substring; an error names the parameter. */
async function boundary(shell: Shell, place: Place, expression: Word): Promise<bigint> {
	try {
		return await evaluateArithmetic(shell, expression);
	} catch (error) {
		if (!(error instanceof ShellError) || error.fatal !== 'line' || error instanceof IndexFailed) throw error;
		throw new ShellError(`${place.name}: ${error.message}`, error.status, error.fatal);
	}
}

async function substring(
	shell: Shell,
	place: Place,
	value: Value,
	operation: OperationOf<'Substring'>
): Promise<Value> {
	let offset = Number(await boundary(shell, place, operation.offset));
	const length = operation.length ? Number(await boundary(shell, place, operation.length)) : undefined;
	const tooShort = () =>
		new ShellError(
			`${operation.length ? printWord(operation.length).trim() : length}: substring expression < 0`,
			1,
			'line'
		);
	const variable = place.subscript === null ? undefined : shell.variables.find(place.name);
	const isScalar = variable !== undefined && !variable.indexed && !variable.associative;
	if (!value.list || isScalar) {
		const chars = [...(value.values[0] ?? '')];
		const start = offset < 0 ? chars.length + offset : offset;
		if (start < 0) return { ...value, values: [''] };
		const end = length === undefined ? chars.length : length < 0 ? chars.length + length : start + length;
		if (end < start && length !== undefined && length < 0 && start <= chars.length) throw tooShort();
		return { ...value, values: [chars.slice(start, end).join('')] };
	}
	if (length !== undefined && length < 0) throw tooShort();
	// Positional parameters count from $1; offset 0 includes $0.
	const isPositional = place.subscript === null;
	const values = isPositional ? [shell.name, ...value.values] : value.values;
	const isIndexed = !isPositional && shell.variables.find(place.name)?.indexed !== undefined;
	const keys = isIndexed ? value.keys.map(Number) : values.map((_value, index) => index);
	// Elements of an associative array are counted from 1, and so are offsets before the first element.
	const isAssociative = !isPositional && shell.variables.find(place.name)?.associative !== undefined;
	if (offset < 0) offset += (isAssociative ? keys.length : (keys.at(-1) ?? -1)) + 1;
	if (isAssociative && offset > 0) offset--;
	if (offset < 0) return { ...value, values: [] };
	const from = keys.findIndex((key) => key >= offset);
	if (from < 0) return { ...value, values: [] };
	return { ...value, values: values.slice(from, length === undefined ? undefined : from + length) };
}

/** Removes the shortest or longest match of `pattern` from one end. */
function removePattern(text: string, expression: RegExp, { side, greedy }: OperationOf<'Remove'>): string {
	const chars = [...text];
	for (let step = 0; step <= chars.length; step++) {
		const length = greedy ? chars.length - step : step;
		const cut = side === 'prefix' ? length : chars.length - length;
		const [head, tail] = [chars.slice(0, cut).join(''), chars.slice(cut).join('')];
		if (expression.test(side === 'prefix' ? head : tail)) return side === 'prefix' ? tail : head;
	}
	return text;
}

async function transform(shell: Shell, place: Place, value: Value, operator: string): Promise<Value> {
	const variable = shell.variables.find(place.name);
	switch (operator) {
		case 'Q':
			return each(value, (text) => quoteWord(text, true));
		case 'U':
			return each(value, (text) => text.toUpperCase());
		case 'L':
			return each(value, (text) => text.toLowerCase());
		case 'u':
			return each(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1));
		case 'E':
			return each(value, decodeEscapes);
		case 'P': {
			const values: string[] = [];
			for (const text of value.values) values.push(await expandPrompt(shell, text));
			return { ...value, values };
		}
		case 'a': {
			const letters = variable ? attributeLetters(variable) : '';
			if (!value.list || (variable && !value.set)) return { ...value, list: null, values: [letters] };
			return each(value, () => letters);
		}
		case 'A':
			// Without an element 0, the variable is shown like one without a value.
			if (variable && !value.set) {
				const shown = value.list ? variable : { ...variable, isUnset: true };
				return { ...value, list: null, values: [describe(place.name, shown)] };
			}
			if (!value.list)
				return value.set || variable ? each(value, (text) => declarationOf(place.name, variable, text)) : value;
			if (!variable) {
				const set = value.values.map((text) => quoteWord(text, true)).join(' ');
				return { ...value, list: null, values: [value.set ? `set -- ${set}` : ''] };
			}
			return { ...value, list: null, values: [describeArray(place.name, variable)] };
		case 'K':
			if (!value.list || place.subscript === null) return each(value, (text) => quoteWord(text, true));
			return {
				...value,
				list: null,
				values: [
					value.values.map((text, index) => `${keyText(value.keys[index] ?? '')} ${doubleQuote(text)}`).join(' ') +
						(variable?.associative && value.set ? ' ' : '')
				]
			};
		case 'k':
			if (!value.list || place.subscript === null) return each(value, (text) => quoteWord(text, true));
			return { ...value, values: value.values.flatMap((text, index) => [value.keys[index] ?? '', text]) };
		default: {
			const subscript = place.subscript === null ? '' : `[${place.subscript}]`;
			if (value.set) throw new ShellError(`\${${place.name}${subscript}@${operator}}: bad substitution`, 1, 'line');
			return { ...value, values: [''] };
		}
	}
}
