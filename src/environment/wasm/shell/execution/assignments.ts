import type { ArrayElement, Assignment } from '../ast/nodes.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { arrayKey, placeOf } from '../expansion/parameter.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable, shape, type Variable } from '../state/variables.ts';

/** `name=value`, `name+=value`, `name[i]=value`, `name=(…)` in this shell. */
export async function assign(shell: Shell, assignment: Assignment): Promise<void> {
	const { name, subscript, append } = assignment;
	if (assignment.array && subscript !== null)
		throw new ShellError(`${name}[${subscript}]: cannot assign list to array member`, 1, 'line');
	if (assignment.array) return assignArray(shell, name, assignment.array, append);
	const text = assignment.value ? await expandToText(shell, assignment.value) : '';
	return assignText(shell, subscript === null ? name : `${name}[${subscript}]`, text, append);
}

/** @param name of a variable or an element: `a[1]` */
export async function assignText(shell: Shell, name: string, text: string, append: boolean): Promise<void> {
	const written = placeOf(name);
	const target = written.subscript === null ? placeOf(shell.variables.resolve(name)) : written;
	const base = target.name;
	if (written.subscript === null && shell.variables.raw(name)?.reference && !shell.variables.raw(name)?.value) {
		shell.variables.raw(name)!.value = text;
		return;
	}
	const variable = shell.variables.find(base);
	if (variable?.readonly) throw new ReadonlyVariable(base);
	const key = target.subscript === null ? null : await arrayKey(shell, base, target.subscript);
	if (key === '' && variable?.associative) throw new ShellError(`${name}: bad array subscript`, 1, 'line');
	const before = append ? valueAt(shell, base, key) : '';
	const value =
		variable?.integer === true
			? String((append ? await evaluateText(shell, before) : 0n) + (await evaluateText(shell, text)))
			: before + text;
	if (key === null) shell.variables.set(base, value);
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
export async function assignArray(
	shell: Shell,
	name: string,
	elements: readonly ArrayElement[],
	append: boolean
): Promise<void> {
	const raw = shell.variables.raw(name);
	if (raw?.reference && !raw.value) raw.reference = false;
	const variable = shell.variables.declare(name, {});
	if (variable.readonly) throw new ReadonlyVariable(name);
	if (variable.associative) variable.associative = await associativeItems(shell, variable, name, elements, append);
	else {
		variable.indexed = await indexedItems(shell, variable, elements, append);
		variable.value = undefined;
	}
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
		for (let index = 0; index < texts.length; index += 2) items.set(texts[index] ?? '', texts[index + 1] ?? '');
		return items;
	}
	for (const { key, append: adds, value } of elements) {
		if (key === null) {
			shell.complain(
				`${name}: ${await expandToText(shell, value)}: must use subscript when assigning associative array`
			);
			continue;
		}
		const place = String(await arrayKey(shell, name, key));
		if (place === '') {
			shell.complain(`[]=${await expandToText(shell, value)}: bad array subscript`);
			continue;
		}
		const before = adds ? (items.get(place) ?? variable.associative?.get(place) ?? '') : '';
		items.set(place, await elementValue(shell, variable, before, await expandToText(shell, value)));
	}
	return items;
}

async function indexedItems(
	shell: Shell,
	variable: Variable,
	elements: readonly ArrayElement[],
	append: boolean
): Promise<Map<number, string>> {
	const before = variable.indexed ?? (variable.value === undefined ? [] : [[0, variable.value] as const]);
	const items = new Map<number, string>(append ? before : []);
	let index = items.size ? Math.max(...items.keys()) + 1 : 0;
	for (const { key, append: adds, value } of elements) {
		if (key === null) {
			for (const text of await expandWords(shell, [value]))
				items.set(index++, await elementValue(shell, variable, '', text));
			continue;
		}
		const place = await indexOf(shell, key, items);
		if (place === null) continue;
		index = place;
		const old = adds ? (items.get(index) ?? '') : '';
		items.set(index++, await elementValue(shell, variable, old, await expandToText(shell, value)));
	}
	return items;
}

/** The index that a key of an array that is being filled means; null (with a message) for none. */
async function indexOf(shell: Shell, key: string, items: Map<number, string>): Promise<number | null> {
	const index = Number(await arrayKey(shell, '', key.startsWith('-') ? '0' : key));
	if (!key.startsWith('-')) return index;
	const negative = Number(await evaluateText(shell, key)) + Math.max(-1, ...items.keys()) + 1;
	if (negative >= 0) return negative;
	shell.complain(`[${key}]: bad array subscript`);
	return null;
}

async function elementValue(shell: Shell, variable: Variable, before: string, text: string): Promise<string> {
	if (!variable.integer) return before + shape(variable, text);
	return String((await evaluateText(shell, before || '0')) + (await evaluateText(shell, text)));
}
