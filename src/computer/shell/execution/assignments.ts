import type { ArrayElement, Assignment, Part, Word } from '../ast/nodes.ts';
import { printWord } from '../ast/print.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { expandBraces } from '../expansion/braces.ts';
import { keepPlace } from '../builtins/hash.ts';
import { arrayKey, placeOf } from '../expansion/parameter.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import { decodeEscapes } from '../parser/escapes.ts';
import { withoutTilde } from '../parser/word.ts';
import { BadSubscript, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable, shape, type Variable } from '../state/variables.ts';

/** Performs `name=value`, `name+=value`, `name[i]=value`, `name=(…)` in this shell. */
export async function assign(shell: Shell, assignment: Assignment): Promise<void> {
	const { name, subscript, append } = assignment;
	if (assignment.array && subscript !== null)
		throw new ShellError(`${name}[${subscript}]: cannot assign list to array member`, 1, 'line');
	if (assignment.array) return assignArray(shell, name, assignment.array, append);
	const text = assignment.value ? await expandToText(shell, assignment.value) : '';
	return assignText(shell, subscript === null ? name : `${name}[${subscript}]`, text, append);
}

/** @param name name of a variable or an element: `a[1]` */
export async function assignText(shell: Shell, name: string, text: string, append: boolean): Promise<void> {
	const written = placeOf(name);
	const resolved = shell.variables.resolve(written.name);
	if (written.subscript !== null && resolved.includes('[')) throw notAnIdentifier(resolved);
	const isCircular = shell.variables.isCircular(resolved) && !shell.variables.meansGlobal(resolved);
	if (resolved === written.name && isCircular) throw new ShellError(`${resolved}: circular name reference`, 1, 'line');
	const target = written.subscript === null ? placeOf(resolved) : written;
	const base = target.name;
	if (written.subscript === null && shell.variables.raw(name)?.reference && !shell.variables.raw(name)?.value) {
		shell.variables.raw(name)!.value = text;
		return;
	}
	const variable = shell.variables.find(base);
	if (target.subscript === '') throw new BadSubscript(name);
	const key = target.subscript === null ? null : await arrayKey(shell, base, target.subscript);
	if (key === '' && variable?.associative) throw new BadSubscript(name);
	if (variable?.readonly) throw new ReadonlyVariable(base);
	if (base === 'BASH_CMDS' || base === 'BASH_ALIASES') {
		if (typeof key === 'string') return assignCommand(shell, base, key, text);
	}
	if (base === 'DIRSTACK' && typeof key === 'number') return assignDirectory(shell, key, text);
	const before = append ? valueAt(shell, base, key) : '';
	const value =
		variable?.integer === true
			? String((append ? await evaluateText(shell, before) : 0n) + (await evaluateText(shell, text)))
			: before + text;
	if (key === null) shell.variables.set(base, value);
	else shell.variables.setElement(base, key, value);
	if (shell.options.allexport) shell.variables.declare(base, { exported: true });
}

/** Changes an entry of the table of command locations or of aliases. */
function assignCommand(shell: Shell, base: 'BASH_CMDS' | 'BASH_ALIASES', name: string, text: string): void {
	if (base === 'BASH_ALIASES') {
		shell.aliases.set(name, text);
		return;
	}
	const fault = keepPlace(shell, name, text);
	if (fault !== null) shell.complain(fault);
}

/** Changes an entry of the directory stack, except for the working directory at its top. */
function assignDirectory(shell: Shell, index: number, path: string): void {
	if (index > 0 && index <= shell.directoryStack.length) shell.directoryStack[index - 1] = path;
}

const notAnIdentifier = (name: string) => new ShellError(`\`${name}': not a valid identifier`, 1, 'line');

function valueAt(shell: Shell, name: string, key: string | number | null): string {
	const variable = shell.variables.find(name);
	if (key === null) return shell.variables.get(name) ?? '';
	if (variable?.associative) return variable.associative.get(String(key)) ?? '';
	return variable?.indexed?.get(Number(key)) ?? (Number(key) === 0 ? (variable?.value ?? '') : '');
}

/** Assigns an array: `name=(a b [5]=c)`. */
export async function assignArray(
	shell: Shell,
	name: string,
	elements: readonly ArrayElement[],
	append: boolean
): Promise<void> {
	const raw = shell.variables.raw(name);
	if (raw?.reference && !raw.value) raw.reference = false;
	const resolved = shell.variables.resolve(name);
	if (resolved.includes('[')) throw notAnIdentifier(resolved);
	const variable = shell.variables.declare(name, {});
	if (variable.readonly) throw new ReadonlyVariable(name);
	if (variable.associative) variable.associative = await associativeItems(shell, variable, name, elements, append);
	else await assignIndexed(shell, variable, name, elements, append);
	delete variable.isUnset;
	if (shell.options.allexport) variable.exported = true;
}

async function associativeItems(
	shell: Shell,
	variable: Variable,
	name: string,
	elements: readonly ArrayElement[],
	append: boolean
): Promise<Map<string, string>> {
	const items = new Map(append ? variable.associative : []);
	if (elements[0] && elements[0].key === null) {
		const texts: string[] = [];
		for (const { value } of elements) texts.push(await expandToText(shell, value));
		for (let index = 0; index < texts.length; index += 2) {
			const key = texts[index] ?? '';
			if (key === '') shell.complain(`${printWord(elements[index]!.value)}: bad array subscript`);
			else items.set(key, texts[index + 1] ?? '');
		}
		return items;
	}
	for (const { key, append: adds, value } of elements) {
		// A tilde in an associative array literal is not expanded.
		const text = await expandToText(shell, { type: 'Word', parts: withoutTilde(value.parts) });
		if (key === null) {
			shell.complain(`${name}: ${text}: must use subscript when assigning associative array`);
			continue;
		}
		const place = String(await arrayKey(shell, name, key));
		if (place === '') {
			shell.complain(`[${key}]=${text}: bad array subscript`);
			continue;
		}
		// Even if the whole array is replaced, an element is appended to its previous value.
		const before = adds ? ((append ? items : variable.associative)?.get(place) ?? '') : '';
		items.set(place, await elementValue(shell, variable, before, text));
	}
	return items;
}

interface IndexedItem {
	key: string | null;
	append: boolean;
	text: string;
}

/** Expands the values of elements; an element with brace expansion becomes text without a key. */
async function expandItems(shell: Shell, elements: readonly ArrayElement[]): Promise<IndexedItem[]> {
	const items: IndexedItem[] = [];
	for (const { key, append, value } of elements) {
		if (key !== null && !(shell.options.braceexpand && expandBraces(value).length > 1)) {
			items.push({ key, append, text: await expandToText(shell, value) });
			continue;
		}
		const head: Part[] = key === null ? [] : [{ type: 'Literal', value: `[${key}]${append ? '+' : ''}=` }];
		const word: Word = { type: 'Word', parts: [...head, ...value.parts] };
		for (const text of await expandWords(shell, [word])) items.push({ key: null, append: false, text });
	}
	return items;
}

/** Expands elements now: the variable they are assigned to may hide variables used in them. */
export async function expandElements(
	shell: Shell,
	elements: readonly ArrayElement[],
	isAssociative: boolean
): Promise<ArrayElement[]> {
	const plain = (value: string): Word => ({ type: 'Word', parts: [{ type: 'SingleQuoted', value }] });
	if (!isAssociative) {
		const items = await expandItems(shell, elements);
		return items.map(({ key, append, text }) => ({ key, append, value: plain(text) }));
	}
	const expanded: ArrayElement[] = [];
	for (const { key, append, value } of elements) {
		const parts = key === null ? value.parts : withoutTilde(value.parts);
		expanded.push({ key, append, value: plain(await expandToText(shell, { type: 'Word', parts })) });
	}
	return expanded;
}

/** Expands all values before assigning the first; a key may use elements assigned just before. */
async function assignIndexed(
	shell: Shell,
	variable: Variable,
	name: string,
	elements: readonly ArrayElement[],
	append: boolean
): Promise<void> {
	const given = await expandItems(shell, elements);
	const before = variable.indexed ?? (variable.value === undefined ? [] : [[0, variable.value] as const]);
	const items = new Map<number, string>(append ? before : []);
	variable.indexed = items;
	variable.value = undefined;
	delete variable.isUnset;
	let index = items.size ? Math.max(...items.keys()) + 1 : 0;
	for (const { key, append: adds, text } of given) {
		const place = key === null ? index : await indexOf(shell, name, key, items, text);
		if (place === null) continue;
		index = place;
		const old = adds ? (items.get(index) ?? '') : '';
		items.set(index++, await elementValue(shell, variable, old, text));
	}
}

/** `$'…'` in an index. bash marks quoted characters with a byte of value 1, so it loses such a byte before one. */
const indexText = (escaped: string) => decodeEscapes(escaped).replace(/\x01([^])/g, '$1');

/** Index for the key of an array being filled; null (with a message) if it is invalid. */
async function indexOf(
	shell: Shell,
	name: string,
	written: string,
	items: Map<number, string>,
	text: string
): Promise<number | null> {
	if (/^[@*]?$/.test(written)) {
		const fault = written === '' ? 'bad array subscript' : 'cannot assign to non-numeric index';
		shell.complain(`[${written}]=${text}: ${fault}`);
		return null;
	}
	const key = written.replace(/\$'((?:[^'\\]|\\[^])*)'/g, (_whole, escaped: string) => indexText(escaped));
	if (!key.startsWith('-')) return Number(await arrayKey(shell, name, key));
	const negative = Number(await evaluateText(shell, key)) + Math.max(-1, ...items.keys()) + 1;
	if (negative >= 0) return negative;
	shell.complain(`[${key}]=${text}: bad array subscript`);
	return null;
}

async function elementValue(shell: Shell, variable: Variable, before: string, text: string): Promise<string> {
	if (!variable.integer) return before + shape(variable, text);
	return String((await evaluateText(shell, before || '0')) + (await evaluateText(shell, text)));
}
