import type { Operation, Word } from '../ast/nodes.ts';
import { unescape } from '../builtins/printf.ts';
import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { evaluateArithmetic } from './arithmetic.ts';
import type { Value } from './parameter.ts';
import { globRegExp, globSource } from './pattern.ts';
import { quoteWord } from './quote.ts';
import { expandToPattern, unsplit } from './word.ts';

/** `${#x}`, `${x:1:2}`, `${x%.txt}`, `${x//a/b}`, `${x^}`, `${x@Q}` on one value or each of a list. */
export async function applyOperation(shell: Shell, name: string, value: Value, operation: Operation): Promise<Value> {
	switch (operation.type) {
		case 'Length': {
			const size = value.list ? value.values.length : [...(value.values[0] ?? '')].length;
			return { values: [String(size)], keys: ['0'], list: null, set: true };
		}
		case 'Substring':
			return substring(shell, name, value, operation);
		case 'PatternRemoval': {
			const pattern = await expandToPattern(shell, operation.pattern);
			return each(value, (text) => removePattern(text, pattern, operation.side, operation.greedy));
		}
		case 'PatternReplacement': {
			const pattern = await expandToPattern(shell, operation.pattern);
			const replacement = operation.replacement ? await replacementText(shell, operation.replacement) : '';
			if (pattern === '' && !operation.anchor) return value;
			const source = globSource(pattern, false);
			const anchored =
				operation.anchor === 'start' ? `^(?:${source})` : operation.anchor === 'end' ? `(?:${source})$` : source;
			const expression = new RegExp(anchored, operation.all ? 'gsu' : 'su');
			return each(value, (text) =>
				text.replace(expression, (match) => (match === '' && operation.all ? '' : replacement))
			);
		}
		case 'CaseModification': {
			const pattern = operation.pattern ? globRegExp(await expandToPattern(shell, operation.pattern)) : null;
			const change = (char: string) => {
				if (pattern && !pattern.test(char)) return char;
				return operation.direction === 'upper' ? char.toUpperCase() : char.toLowerCase();
			};
			return each(value, (text) =>
				[...text].map((char, index) => (operation.all || index === 0 ? change(char) : char)).join('')
			);
		}
		case 'Transform':
			return transform(shell, name, value, operation.operator);
		default:
			throw new ShellError(`\${${name}}: bad substitution`, 1, true);
	}
}

const each = (value: Value, change: (text: string) => string): Value => ({
	...value,
	values: value.values.map(change)
});

async function replacementText(shell: Shell, word: Word): Promise<string> {
	return (await unsplit(shell, word.parts)).map((segment) => segment.text).join('');
}

async function substring(
	shell: Shell,
	name: string,
	value: Value,
	operation: Extract<Operation, { type: 'Substring' }>
): Promise<Value> {
	const offset = Number(await evaluateArithmetic(shell, operation.offset));
	const length = operation.length ? Number(await evaluateArithmetic(shell, operation.length)) : undefined;
	if (!value.list) {
		const chars = [...(value.values[0] ?? '')];
		return { ...value, values: [slice(chars, offset, length, name).join('')] };
	}
	// Positional parameters count from $1; offset 0 includes $0.
	const all = name === '@' || name === '*' ? [shell.name, ...value.values] : value.values;
	return { ...value, values: slice(all, offset, length, name, true) };
}

function slice(items: string[], offset: number, length: number | undefined, name: string, list = false): string[] {
	const start = offset < 0 ? items.length + offset : offset;
	if (start < 0) return [];
	if (length === undefined) return items.slice(start);
	if (length >= 0) return items.slice(start, start + length);
	if (list || items.length + length < start) throw new ShellError(`${name}: ${length}: substring expression < 0`);
	return items.slice(start, items.length + length);
}

/** Takes the shortest or longest match of `pattern` off one end. */
export function removePattern(text: string, pattern: string, side: 'prefix' | 'suffix', greedy: boolean): string {
	const expression = globRegExp(pattern);
	const lengths = Array.from({ length: text.length + 1 }, (_value, index) => (greedy ? text.length - index : index));
	for (const length of lengths) {
		const piece = side === 'prefix' ? text.slice(0, length) : text.slice(text.length - length);
		if (expression.test(piece)) return side === 'prefix' ? text.slice(length) : text.slice(0, text.length - length);
	}
	return text;
}

function transform(shell: Shell, name: string, value: Value, operator: string): Value {
	const bare = name.replace(/\[.*$/, '');
	switch (operator) {
		case 'Q':
			return each(value, (text) => quoteWord(text, true));
		case 'U':
			return each(value, (text) => text.toUpperCase());
		case 'L':
			return each(value, (text) => text.toLowerCase());
		case 'u':
			return each(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1));
		case 'A':
			return value.list ? declaration(shell, bare, value) : each(value, (text) => `${bare}=${quoteWord(text, true)}`);
		case 'E':
			return each(value, (text) => unescape(text, 'format').text);
		case 'a': {
			const variable = shell.variables.find(bare);
			const flags = variable
				? (variable.indexed ? 'a' : '') +
					(variable.associative ? 'A' : '') +
					(variable.integer ? 'i' : '') +
					(variable.readonly ? 'r' : '') +
					(variable.exported ? 'x' : '')
				: '';
			return { ...value, values: [flags], list: null };
		}
		case 'K':
			return { ...value, list: 'star', values: value.values.map((text, index) => `${value.keys[index]} "${text}"`) };
		case 'k':
			return { ...value, values: value.values.flatMap((text, index) => [value.keys[index] ?? '', text]) };
		default:
			return value;
	}
}

/** `${a[@]@A}`: the command that makes the array again. */
function declaration(shell: Shell, name: string, value: Value): Value {
	const kind = shell.variables.find(name)?.associative ? 'A' : 'a';
	const items = value.values.map(
		(text, index) => `[${value.keys[index] ?? index}]="${text.replace(/[$`"\\]/g, '\\$&')}"`
	);
	return { ...value, list: null, values: [`declare -${kind} ${name}=(${items.join(' ')}${kind === 'A' ? ' ' : ''})`] };
}
