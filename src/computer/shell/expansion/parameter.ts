import type { Operation, OperationOf, ParameterPart } from '../ast/nodes.ts';
import { parseWord } from '../parser/parse.ts';
import { arrayReference, subscriptEnd } from '../parser/subscript.ts';
import { BadSubscript, IndexFailed, ShellError } from '../state/control.ts';
import { optionLetters } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import { elements, inBashOrder } from '../state/variables.ts';
import { assignText } from '../execution/assignments.ts';
import { evaluateText } from './arithmetic.ts';
import { applyOperation } from './parameter-operation.ts';
import { addParts, addResult, expandToText, type Expansion } from './word.ts';

/** Value of a parameter: a string, or a list for `@` and `*`. */
export interface Value {
	values: string[];
	list: 'at' | 'star' | null;
	set: boolean;
	/** Index or key of each value. */
	keys: string[];
}

/** Parameter name and the text between its brackets. */
export interface Place {
	name: string;
	subscript: string | null;
}

/** Adds `${parameter…}` to the fields. */
export async function addParameter(expansion: Expansion, part: ParameterPart, quoted: boolean): Promise<void> {
	const { shell } = expansion;
	const { operation } = part;
	if (operation?.type === 'BadSubstitution') throw new ShellError(`${part.text}: bad substitution`, 1, 'line');
	if (operation?.type === 'Names') {
		const names = shell.variables.names().filter((known) => known.startsWith(part.name));
		if (operation.star && isUnseparated(expansion, quoted)) return expansion.builder.add(names.join(''), false);
		return addList(expansion, { values: names, keys: names, list: operation.star ? 'star' : 'at', set: true }, quoted);
	}
	const isList = part.subscript === '@' || part.subscript === '*';
	if (part.indirect && isList && operation === null) {
		const keys = arrayElements(shell, part.name).map(([key]) => key);
		if (part.subscript === '*' && isUnseparated(expansion, quoted)) return expansion.builder.add(keys.join(' '), false);
		return addList(expansion, { values: keys, keys, list: part.subscript === '*' ? 'star' : 'at', set: true }, quoted);
	}
	// Messages show `$9` with its dollar, but `${9}` without it.
	const isBare = /^\$[^{A-Za-z_]/.test(part.text);
	if (!part.indirect) return addPlace(expansion, part, operation, quoted, false, isBare ? part.text : undefined);
	const place = await indirection(shell, part, operation);
	if (typeof place === 'string') return addResult(expansion, place, quoted);
	return addPlace(expansion, place, operation, quoted, true, `!${part.name}`);
}

/** Returns whether IFS is empty at an unquoted `*`, which then joins keys and names. */
const isUnseparated = ({ shell, split }: Expansion, quoted: boolean): boolean =>
	!quoted && split && shell.variables.get('IFS') === '';

/** Resolves the parameter that `${!name}` refers to; a string is the result itself. @throws ShellError */
async function indirection(shell: Shell, part: ParameterPart, operation: Operation | null): Promise<Place | string> {
	if (part.subscript === null && shell.variables.raw(part.name)?.reference) {
		const target = shell.variables.resolve(part.name);
		return operation === null ? target : placeOf(target);
	}
	const value = await valueOf(shell, part);
	const target = value.values.join(' ');
	if (!value.set) {
		const variable = shell.variables.find(part.name);
		if (variable?.indexed || variable?.associative) return operation === null ? '' : placeOf('');
		if (part.name === '@' || part.name === '*') return operation === null ? '' : placeOf('');
		const isConditional = operation?.type === 'Default' || operation?.type === 'Alternative';
		if (isConditional && (variable || /^\d+$/.test(part.name))) return placeOf('');
		throw new ShellError(`${part.name}: invalid indirect expansion`, 1, 'line');
	}
	const hasOpenQuote = target.replace(/\\./gs, '').split('"').length % 2 === 0;
	if (hasOpenQuote || !/^(?:[A-Za-z_]\w*(?:\[.+\])?|\d+|[@*#?$!-])$/s.test(target)) {
		throw new ShellError(`${target}: invalid variable name`, 1, 'line');
	}
	return placeOf(target);
}

/** Splits `name` or `name[subscript]`. */
export function placeOf(text: string): Place {
	return arrayReference(text) ?? { name: text, subscript: null };
}

async function addPlace(
	expansion: Expansion,
	place: Place,
	operation: Operation | null,
	quoted: boolean,
	isIndirect = false,
	/** Name in messages, if different. */
	shown?: string
): Promise<void> {
	const { shell } = expansion;
	const value = await valueOf(shell, place);
	if (operation && isConditional(operation)) {
		// A non-empty list after `${!name}` does not count as empty, whatever its elements are.
		const checksEmpty = operation.checkEmpty && !(isIndirect && value.list !== null);
		const missing = !value.set || (checksEmpty && joined(shell, value, quoted) === '');
		if (operation.type === 'Alternative') {
			if (!missing && quoted && operation.word.parts.length === 0) return expansion.builder.add('', true);
			if (!missing) return addParts({ ...expansion, nested: true }, operation.word.parts, quoted);
			// Between quotes, only a list without elements produces no word.
			if (quoted && (value.set || value.list === null)) expansion.builder.add('', true);
			return;
		}
		if (missing) return useDefault(expansion, place, operation, quoted);
		operation = null;
	}
	const isTransform = operation?.type === 'Transform';
	const isAllowed = isTransform && arrayElements(shell, place.name).length > 0;
	const isLength = operation?.type === 'Length' && place.subscript !== null;
	if (isLength) checkArrayLength(shell, place.name);
	if (!value.set && value.list === null && shell.options.nounset && !isAllowed && !isLength) {
		const status = isTransform ? 1 : shell.statusOfFatal;
		throw new ShellError(`${shown ?? textOf(place)}: unbound variable`, status, true);
	}
	addList(expansion, operation ? await applyOperation(shell, place, value, operation) : value, quoted);
}

/**
 * Checks that the array of `${#name[…]}` has been assigned if `set -u` is on, whichever element is used.
 * @throws ShellError
 */
function checkArrayLength(shell: Shell, name: string): void {
	const variable = shell.variables.find(name);
	const isArray = variable?.indexed !== undefined || variable?.associative !== undefined;
	const isSet = variable ? isArray && !variable.isUnset : arrayElements(shell, name).length > 0;
	if (shell.options.nounset && !isSet) throw new ShellError(`${name}: unbound variable`, 1, true);
}

function joined(shell: Shell, { values, list }: Value, quoted: boolean): string {
	const separator = (shell.variables.get('IFS') ?? ' ').slice(0, 1);
	return values.join(list === 'star' && (quoted || separator !== '') ? separator : ' ');
}

const textOf = ({ name, subscript }: Place) => (subscript === null ? name : `${name}[${subscript}]`);

type ConditionalOperation = OperationOf<'Default' | 'Assign' | 'Error' | 'Alternative'>;
const isConditional = (operation: Operation): operation is ConditionalOperation => 'checkEmpty' in operation;

async function useDefault(
	expansion: Expansion,
	place: Place,
	operation: ConditionalOperation,
	quoted: boolean
): Promise<void> {
	const { shell } = expansion;
	if (operation.type === 'Default') return addParts({ ...expansion, nested: true }, operation.word.parts, quoted);
	const text = await expandToText(shell, operation.word);
	if (operation.type === 'Assign') {
		if (!/^[A-Za-z_]/.test(place.name)) throw new ShellError(`$${place.name}: cannot assign in this way`, 1, 'line');
		await assignText(shell, textOf(place), text, false);
		// The variable's attributes may have changed the text.
		const [value = ''] = (await valueOf(shell, place)).values;
		return addResult(expansion, value, quoted);
	}
	const fallback = operation.checkEmpty ? 'parameter null or not set' : 'parameter not set';
	// A message that is given may expand to an empty text.
	const message = operation.word.parts.length > 0 ? text : fallback;
	throw new ShellError(`${textOf(place)}: ${message}`, shell.statusOfFatal, true);
}

/** Converts a subscript to a key: text for an associative array, a number otherwise. @throws ShellError */
export async function arrayKey(shell: Shell, array: string, subscript: string): Promise<string | number> {
	const variable = shell.variables.find(array);
	if (variable?.associative || array === 'BASH_ALIASES' || array === 'BASH_CMDS')
		return expandToText(shell, parseWord(subscript, 'subscript'));
	if (subscript === '@' || subscript === '*') throw new BadSubscript(`${array}[${subscript}]`);
	const index = Number(await evaluateIndex(shell, await indexText(shell, subscript)));
	if (index >= 0) return index;
	const last = Math.max(-1, ...arrayElements(shell, array).map(([key]) => Number(key)));
	if (last + 1 + index < 0) throw new BadSubscript(`${array}[${subscript}]`);
	return last + 1 + index;
}

/** Expands a subscript of an indexed array to an expression. */
async function indexText(shell: Shell, subscript: string): Promise<string> {
	if (!/[$`"\\]/.test(subscript)) return subscript;
	const text = await expandToText(shell, parseWord(subscript, 'arithmetic'));
	// Brackets inside the subscript were quoted when the surrounding text was expanded.
	const plain = text.replace(/\\([[\]])/g, '$1');
	return subscriptEnd(`[${plain}]`, 0) === plain.length + 1 ? plain : text;
}

/** Evaluates an index. An invalid expression discards the whole text of `bash -c`, not only its line. */
async function evaluateIndex(shell: Shell, text: string): Promise<bigint> {
	try {
		return await evaluateText(shell, text);
	} catch (error) {
		if (!(error instanceof ShellError) || error.fatal !== 'line') throw error;
		throw new IndexFailed(error.message, 1, shell.host.commandsFrom === 'c' ? true : 'line');
	}
}

/** Value of an element; undefined if there is none. An invalid index only prints a message. */
export async function elementOf(shell: Shell, name: string, subscript: string): Promise<string | undefined> {
	const variable = shell.variables.find(name);
	const key = await keyOrNull(shell, name, subscript);
	if (key === null) return undefined;
	if (variable?.associative) return variable.associative.get(String(key));
	if (variable?.indexed) return variable.indexed.get(Number(key));
	return arrayElements(shell, name).find(([known]) => known === String(key))?.[1];
}

/** Reads an index or key; an invalid index only prints a message. */
async function keyOrNull(shell: Shell, name: string, subscript: string): Promise<string | number | null> {
	try {
		return await arrayKey(shell, name, subscript);
	} catch (error) {
		if (!(error instanceof BadSubscript)) throw error;
		shell.complain(/^[@*]$/.test(subscript) ? error.message : `${name}: bad array subscript`);
		return null;
	}
}

export function addList(expansion: Expansion, value: Value, quoted: boolean): void {
	const { shell, builder } = expansion;
	if (value.list === null) return addResult(expansion, value.values[0] ?? '', quoted);
	const separators = shell.variables.get('IFS') ?? ' \t\n';
	if (value.list === 'star' && expansion.skipsEmpty && value.values.every((text) => text === '')) return;
	if (value.list === 'star' && (quoted || !expansion.split))
		return builder.add(value.values.join(separators.slice(0, 1)), quoted);
	if (!expansion.split) return builder.add(value.values.join(' '), quoted);
	const [separator = ''] = separators;
	if (!quoted && expansion.nested && value.list === 'at' && separator !== '' && !separators.includes(' '))
		return builder.addSplit(value.values.join(' '));
	if (!quoted && separator !== '' && !' \t\n'.includes(separator))
		return builder.addSplit(value.values.join(separator));
	for (const [index, text] of value.values.entries()) {
		if (index > 0) builder.breakField();
		addResult(expansion, text, quoted);
	}
}

/** Looks up a parameter: variables, array elements, positional and special parameters. */
export async function valueOf(shell: Shell, { name, subscript }: Place): Promise<Value> {
	if (name === '@' || name === '*') {
		const keys = shell.positional.map((_value, index) => String(index + 1));
		return { values: shell.positional, keys, list: name === '@' ? 'at' : 'star', set: shell.positional.length > 0 };
	}
	if (subscript === null) {
		const resolved = shell.variables.resolve(name);
		if (resolved.includes('[')) return valueOf(shell, placeOf(resolved));
		return single(specialParameter(shell, resolved) ?? shell.variables.get(resolved));
	}
	if (subscript !== '@' && subscript !== '*') {
		return single(await elementOf(shell, name, subscript));
	}
	const entries = arrayElements(shell, name);
	return {
		values: entries.map(([, text]) => text),
		keys: entries.map(([key]) => key),
		list: subscript === '@' ? 'at' : 'star',
		set: entries.length > 0
	};
}

/** Number of buckets of bash's table of aliases. */
const ALIAS_BUCKETS = 64;

/** Elements of an array, including arrays that the shell computes. */
export function arrayElements(shell: Shell, name: string): [string, string][] {
	const made = madeArray(shell, name);
	if (made) return made.map((value, index) => [String(index), value]);
	if (name === 'BASH_ALIASES') return inBashOrder(shell.aliases, ALIAS_BUCKETS);
	if (name === 'BASH_CMDS') return shell.hash.entries().map(([known, { path }]) => [known, path]);
	const resolved = shell.variables.resolve(name);
	return resolved === name || !resolved.includes('[') ? elements(shell.variables.find(name)) : [];
}

function madeArray(shell: Shell, name: string): string[] | null {
	switch (name) {
		case 'PIPESTATUS':
			return shell.pipeStatus.map(String);
		case 'FUNCNAME':
			return shell.calls.some((call) => call.isFunction)
				? [...shell.calls.map((call) => call.name), ...shell.mainFrame('main')]
				: [];
		case 'DIRSTACK':
			return [shell.cwd, ...shell.directoryStack];
		case 'BASH_SOURCE':
			return [...shell.calls.map((call) => call.source), ...shell.mainFrame(shell.name)];
		case 'BASH_LINENO':
			return [...shell.calls.map((call) => String(call.line)), ...shell.mainFrame('0')];
		case 'BASH_ARGC':
			return shell.calls.flatMap(({ args }) => (args ? [String(args.length)] : []));
		case 'BASH_ARGV':
			return shell.calls.flatMap(({ args }) => [...(args ?? [])].reverse());
		case 'GROUPS':
			return ['1000'];
		default:
			return null;
	}
}

const single = (value: string | undefined): Value => ({
	values: value === undefined ? [] : [value],
	keys: ['0'],
	list: null,
	set: value !== undefined
});

/** Value of a parameter that the shell computes; undefined for any other. */
export function specialParameter(shell: Shell, name: string): string | undefined {
	if (/^\d+$/.test(name)) return name === '0' ? shell.name : shell.positional[Number(name) - 1];
	switch (name) {
		case '?':
			return String(shell.status);
		case '#':
			return String(shell.positional.length);
		case '$':
			return String(shell.host.context.pid);
		case '!':
			return shell.lastBackground === null ? undefined : String(shell.lastBackground);
		case '-':
			return optionLetters(
				shell.options,
				shell.host.commandsFrom + (shell.interactive ? 'i' : '') + (shell.restricted ? 'r' : '')
			);
		case '_':
			return shell.variables.get('_') ?? '';
		case 'BASHPID':
			return String(shell.pid);
		case 'BASH_SUBSHELL':
			return String(shell.subshellDepth);
		case 'BASH_COMMAND':
			return shell.command;
		default:
			return madeArray(shell, name)?.[0];
	}
}
