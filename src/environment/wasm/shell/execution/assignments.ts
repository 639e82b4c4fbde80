import type { Assignment, Part, Word } from '../ast/nodes.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { arrayKey } from '../expansion/parameter.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable, type Variable } from '../state/variables.ts';

/** `name=value`, `name+=value`, `name[i]=value`, `name=(…)` in this shell. */
export async function assign(shell: Shell, assignment: Assignment): Promise<void> {
	const { name, append } = assignment;
	if (assignment.array) return assignArray(shell, name, assignment.array, append);
	const text = assignment.value ? await expandToText(shell, assignment.value) : '';
	return assignText(shell, name, text, append);
}

export async function assignText(shell: Shell, name: string, text: string, append: boolean): Promise<void> {
	const element = /^(\w+)\[(.*)\]$/s.exec(name);
	const base = element?.[1] ?? name;
	const variable = shell.variables.find(base);
	const key = element ? await arrayKey(shell, base, element[2] ?? '') : null;
	const before = append ? valueAt(shell, base, key) : '';
	const integer = variable?.integer === true;
	const value = integer
		? String((append ? await evaluateText(shell, before) : 0n) + (await evaluateText(shell, text)))
		: before + text;
	if (key === null) shell.variables.set(name, value);
	else shell.variables.setElement(base, key, value);
	if (shell.options.allexport) shell.variables.declare(base, { exported: true });
}

function valueAt(shell: Shell, name: string, key: string | number | null): string {
	const variable = shell.variables.find(name);
	if (key === null) return shell.variables.get(name) ?? '';
	if (variable?.associative) return variable.associative.get(String(key)) ?? '';
	return variable?.indexed?.get(Number(key)) ?? (Number(key) === 0 ? (variable?.value ?? '') : '');
}

/** `name=(a b [5]=c)`. */
export async function assignArray(shell: Shell, name: string, words: readonly Word[], append: boolean): Promise<void> {
	const variable = shell.variables.declare(name, {});
	if (variable.readonly) throw new ReadonlyVariable(name);
	if (variable.associative) {
		const items = new Map(append ? variable.associative : []);
		const texts: string[] = [];
		for (const word of words) {
			const keyed = splitKey(word);
			if (keyed) items.set(await expandToText(shell, keyed.key), await expandToText(shell, keyed.value));
			else texts.push(await expandToText(shell, word));
		}
		for (let index = 0; index < texts.length; index += 2) items.set(texts[index] ?? '', texts[index + 1] ?? '');
		variable.associative = items;
		return;
	}
	const items = new Map(
		append ? (variable.indexed ?? (variable.value === undefined ? [] : [[0, variable.value]])) : []
	);
	let index = items.size ? Math.max(...items.keys()) + 1 : 0;
	for (const word of words) {
		const keyed = splitKey(word);
		if (keyed) {
			index = Number(await evaluateText(shell, await expandToText(shell, keyed.key)));
			items.set(index++, await expandToText(shell, keyed.value));
		} else {
			for (const text of await expandWords(shell, [word])) items.set(index++, shaped(variable, text));
		}
	}
	variable.indexed = items;
	variable.value = undefined;
}

function shaped(variable: Variable, text: string): string {
	return variable.lower ? text.toLowerCase() : variable.upper ? text.toUpperCase() : text;
}

/** `[key]=value`, which the parser leaves as a pattern and a literal. */
function splitKey(word: Word): { key: Word; value: Word } | null {
	const parts = word.parts;
	const [first] = parts;
	if (first?.type === 'Glob' && /^\[.*\]$/s.test(first.pattern)) {
		const second = parts[1];
		if (second?.type !== 'Literal' || !second.value.startsWith('=')) return null;
		return {
			key: textWord(first.pattern.slice(1, -1)),
			value: wordOf([literal(second.value.slice(1)), ...parts.slice(2)])
		};
	}
	if (first?.type !== 'Literal' || !first.value.startsWith('[')) return null;
	const close = parts.findIndex((part) => part.type === 'Literal' && part.value.includes(']='));
	const closing = parts[close];
	if (closing?.type !== 'Literal') return null;
	const at = closing.value.indexOf(']=', close === 0 ? 1 : 0);
	const keyParts =
		close === 0
			? [literal(first.value.slice(1, at))]
			: [literal(first.value.slice(1)), ...parts.slice(1, close), literal(closing.value.slice(0, at))];
	return { key: wordOf(keyParts), value: wordOf([literal(closing.value.slice(at + 2)), ...parts.slice(close + 1)]) };
}

const literal = (value: string): Part => ({ type: 'Literal', value });
const wordOf = (parts: Part[]): Word => ({
	type: 'Word',
	parts: parts.filter((part) => part.type !== 'Literal' || part.value !== '')
});

/** The text between the brackets of a key, with its quotes and `$` understood. */
function textWord(text: string): Word {
	const quoted = /^(["'])(.*)\1$/s.exec(text);
	if (quoted?.[1] === "'") return wordOf([{ type: 'SingleQuoted', value: quoted[2] ?? '' }]);
	const variable = /^"?\$\{?(\w+)\}?"?$/.exec(text);
	if (variable) return wordOf([{ type: 'ParameterExpansion', parameter: variable[1] ?? '', operation: null }]);
	return wordOf([literal(quoted?.[2] ?? text)]);
}

/** `declare -A m=([k]=v)`: the parser gives the parentheses as text inside one argument. */
export function arrayArgument(word: Word): { name: string; append: boolean; words: Word[] } | null {
	const first = word.parts[0];
	const last = word.parts.at(-1);
	if (first?.type !== 'Literal' || last?.type !== 'Literal' || !last.value.endsWith(')')) return null;
	const start = /^(\w+)(\+?)=\(/.exec(first.value);
	if (!start) return null;
	const words: Part[][] = [];
	let current: Part[] = [];
	const finish = () => {
		if (current.length) words.push(current);
		current = [];
	};
	for (const [index, part] of word.parts.entries()) {
		if (part.type !== 'Literal') {
			current.push(part);
			continue;
		}
		let text = part.value;
		if (index === word.parts.length - 1) text = text.slice(0, -1);
		if (index === 0) text = text.slice(start[0].length);
		for (const [at, piece] of text.split(/\s+/).entries()) {
			if (at > 0) finish();
			if (piece) current.push(literal(piece));
		}
	}
	finish();
	return { name: start[1] ?? '', append: start[2] === '+', words: words.map(wordOf) };
}
