import type { Operation, ParameterPart } from '../ast/nodes.ts';
import { ShellError } from '../state/control.ts';
import { optionLetters } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import { elements } from '../state/variables.ts';
import { evaluateText } from './arithmetic.ts';
import { applyOperation } from './parameter-operation.ts';
import { parse } from '../ast/parse.ts';
import { addParts, addResult, expandToText, type Expansion } from './word.ts';

/** What a parameter stands for: one value, or a list for `@` and `*`. */
export interface Value {
	values: string[];
	list: 'at' | 'star' | null;
	set: boolean;
	/** Index or key of each value. */
	keys: string[];
}

/** Adds `${parameter…}` to the fields being built. */
export async function addParameter(expansion: Expansion, part: ParameterPart, quoted: boolean): Promise<void> {
	const { shell } = expansion;
	let name = part.parameter;
	let operation: Operation | null = part.operation;
	if (operation?.type === 'Indirection') {
		const target = (await valueOf(shell, name)).values[0];
		const variable = shell.variables.find(name);
		name = variable?.reference ? shell.variables.resolve(name) : (target ?? '');
		operation = operation.innerOp ?? null;
		if (name === '') throw new ShellError(`${part.parameter}: invalid indirect expansion`, 1, true);
	}
	if (operation?.type === 'BadSubstitution') throw new ShellError(`\${${operation.text}}: bad substitution`, 1, true);
	if (operation?.type === 'ArrayKeys') {
		const keys = elements(shell.variables.find(operation.array)).map(([key]) => key);
		return addList(expansion, { values: keys, keys, list: operation.star ? 'star' : 'at', set: true }, quoted);
	}
	if (operation?.type === 'VarNamePrefix') {
		const { prefix, star } = operation;
		const names = shell.variables.names().filter((known) => known.startsWith(prefix));
		return addList(expansion, { values: names, keys: names, list: star ? 'star' : 'at', set: true }, quoted);
	}
	const value = await valueOf(shell, name);
	if (operation && isConditional(operation)) {
		const missing = !value.set || (operation.checkEmpty && value.values.join('') === '');
		if (operation.type === 'UseAlternative') {
			if (!missing) await addParts({ ...expansion, nested: true }, operation.word.parts, quoted);
			return;
		}
		if (missing) return useDefault(expansion, name, operation, quoted);
		operation = null;
	}
	if (!value.set && value.list === null && shell.options.nounset && operation?.type !== 'Transform') {
		throw new ShellError(`${name}: unbound variable`, shell.options.errexit ? 1 : 127, true);
	}
	addList(expansion, operation ? await applyOperation(shell, name, value, operation) : value, quoted);
}

type ConditionalOperation = Extract<Operation, { checkEmpty: boolean }>;
const isConditional = (operation: Operation): operation is ConditionalOperation => 'checkEmpty' in operation;

async function useDefault(
	expansion: Expansion,
	name: string,
	operation: ConditionalOperation,
	quoted: boolean
): Promise<void> {
	const { shell } = expansion;
	if (operation.type === 'DefaultValue') return addParts({ ...expansion, nested: true }, operation.word.parts, quoted);
	if (operation.type === 'AssignDefault') {
		const text = await expandToText(shell, operation.word);
		await assign(shell, name, text);
		return addResult(expansion, text, quoted);
	}
	const text = operation.type === 'ErrorIfUnset' && operation.word ? await expandToText(shell, operation.word) : '';
	const fallback = operation.checkEmpty ? 'parameter null or not set' : 'parameter not set';
	throw new ShellError(`${name}: ${text || fallback}`, shell.options.errexit ? 1 : 127, true);
}

async function assign(shell: Shell, name: string, text: string): Promise<void> {
	const element = /^(\w+)\[(.*)\]$/.exec(name);
	if (!element) return shell.variables.set(name, text);
	const [, array = '', subscript = ''] = element;
	shell.variables.setElement(array, await arrayKey(shell, array, subscript), text);
}

/** The key a subscript means: text for an associative array, a number otherwise. */
export async function arrayKey(shell: Shell, array: string, subscript: string): Promise<string | number> {
	if (!shell.variables.find(array)?.associative)
		return Number(await evaluateText(shell, await dollars(shell, subscript)));
	return dollars(shell, subscript.replace(/^(['"])(.*)\1$/s, '$2'));
}

/** Expands `$x` inside a subscript. */
async function dollars(shell: Shell, text: string): Promise<string> {
	if (!/[$`]/.test(text)) return text;
	const command = parse(`: "${text.replace(/"/g, '')}"`).statements[0]?.pipelines[0]?.commands[0];
	const word = command?.type === 'SimpleCommand' ? command.args[0] : undefined;
	return word ? expandToText(shell, word) : text;
}

function addList(expansion: Expansion, value: Value, quoted: boolean): void {
	const { shell, builder } = expansion;
	if (value.list === null) return addResult(expansion, value.values[0] ?? '', quoted);
	if (value.list === 'star' && (quoted || !expansion.split)) {
		const separators = shell.variables.get('IFS') ?? ' \t\n';
		return builder.add(value.values.join(separators.slice(0, 1)), quoted);
	}
	if (!expansion.split) return builder.add(value.values.join(' '), quoted);
	for (const [index, text] of value.values.entries()) {
		if (index > 0) builder.breakField();
		addResult(expansion, text, quoted);
	}
}

/** Looks a parameter up: variables, array elements, positional and special parameters. */
export async function valueOf(shell: Shell, name: string): Promise<Value> {
	if (name === '@' || name === '*') {
		const keys = shell.positional.map((_value, index) => String(index + 1));
		return { values: shell.positional, keys, list: name === '@' ? 'at' : 'star', set: shell.positional.length > 0 };
	}
	const special = specialParameter(shell, name);
	if (special !== undefined) return single(special);
	const element = /^(\w+)\[(.*)\]$/s.exec(name);
	if (!element) return single(name === 'PIPESTATUS' ? String(shell.pipeStatus[0]) : shell.variables.get(name));
	const [, array = '', subscript = ''] = element;
	const entries = arrayElements(shell, array);
	if (subscript === '@' || subscript === '*') {
		return {
			values: entries.map(([, text]) => text),
			keys: entries.map(([key]) => key),
			list: subscript === '@' ? 'at' : 'star',
			set: entries.length > 0
		};
	}
	const key = await arrayKey(shell, array, subscript);
	const wanted = typeof key === 'number' && key < 0 ? Number(entries.at(-1)?.[0] ?? -1) + 1 + key : key;
	return single(entries.find(([known]) => known === String(wanted))?.[1]);
}

function arrayElements(shell: Shell, name: string): [string, string][] {
	if (name === 'PIPESTATUS') return shell.pipeStatus.map((status, index) => [String(index), String(status)]);
	if (name === 'FUNCNAME') return shell.callStack.map((known, index) => [String(index), known]);
	if (name === 'DIRSTACK') return [shell.cwd, ...shell.directoryStack].map((path, index) => [String(index), path]);
	if (name === 'BASH_SOURCE') return [['0', shell.name]];
	return elements(shell.variables.find(name));
}

const single = (value: string | undefined): Value => ({
	values: value === undefined ? [] : [value],
	keys: ['0'],
	list: null,
	set: value !== undefined
});

function specialParameter(shell: Shell, name: string): string | undefined {
	if (/^\d+$/.test(name)) return name === '0' ? shell.name : shell.positional[Number(name) - 1];
	switch (name) {
		case '?':
			return String(shell.status);
		case '#':
			return String(shell.positional.length);
		case '$':
			return String(shell.host.context.pid);
		case '!':
			return shell.lastBackground === null ? '' : String(shell.lastBackground);
		case '-':
			return optionLetters(shell.options, shell.host.commandsFrom + (shell.interactive ? 'i' : ''));
		case '_':
			return shell.variables.get('_') ?? '';
		case 'LINENO':
			return String(shell.line);
		case 'BASHPID':
			return String(shell.host.context.pid);
		case 'BASH_SUBSHELL':
			return String(shell.subshellDepth);
		case 'BASH_COMMAND':
			return shell.command;
		case 'FUNCNAME':
			return shell.callStack[0];
		case 'BASH_SOURCE':
			return shell.name;
		default:
			return undefined;
	}
}
