import type { Word } from '../ast/nodes.ts';
import { arrayArgument, assignArray, assignText } from '../execution/assignments.ts';
import { complain } from '../execution/script.ts';
import { doubleQuote } from '../expansion/quote.ts';
import { expandToText, expandWords } from '../expansion/word.ts';
import { declareFunctions } from './functions.ts';
import type { Shell } from '../state/shell.ts';
import { elements, type Variable } from '../state/variables.ts';
import { encode } from '../streams/text.ts';

/** Builtins whose arguments may be assignments, arrays among them, and are not split. */
export const DECLARATIONS = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

type Flag = 'exported' | 'readonly' | 'integer' | 'lower' | 'upper' | 'reference';
const FLAGS: Record<string, Flag> = {
	x: 'exported',
	r: 'readonly',
	i: 'integer',
	l: 'lower',
	u: 'upper',
	n: 'reference'
};

/** `declare`, `local`, `export`, `readonly`. */
export async function declareWithArrays(shell: Shell, name: string, args: readonly Word[]): Promise<number> {
	const flags = new Set<string>();
	const attributes: Partial<Record<Flag, boolean>> = {};
	if (name === 'export') attributes.exported = true;
	if (name === 'readonly') attributes.readonly = true;
	let status = 0;
	let named = false;
	const names: string[] = [];
	const functions = () => flags.has('f') || flags.has('F');
	for (const word of args) {
		const array = arrayArgument(word);
		const text = array ? '' : await expandToText(shell, word);
		if (!array && /^[-+]\w+$/.test(text)) {
			for (const letter of text.slice(1)) {
				flags.add(text[0] === '-' ? letter : `+${letter}`);
				const flag = FLAGS[letter];
				if (flag) attributes[flag] = text[0] === '-';
			}
			if (name === 'export' && text === '-n') attributes.exported = false;
			continue;
		}
		// `export A=$x` is one assignment; what `export $(cat .env)` gives is split first.
		const [head] = word.parts;
		const assignment = head?.type === 'Literal' && /^\w+(\[.*\])?\+?=/s.test(head.value);
		const texts = array || assignment ? [text] : await expandWords(shell, [word]);
		for (const one of texts) {
			named = true;
			if (functions()) {
				names.push(one);
				continue;
			}
			status = (await declareOne(shell, name, one, array, flags, attributes)) || status;
		}
	}
	if (functions()) return declareFunctions(shell, name, names, flags);
	if (!named || flags.has('p')) return list(shell, name, attributes, flags, named);
	return status;
}

async function declareOne(
	shell: Shell,
	builtin: string,
	text: string,
	array: ReturnType<typeof arrayArgument>,
	flags: Set<string>,
	attributes: Partial<Record<Flag, boolean>>
): Promise<number> {
	const [, target = '', append = '', value] = array
		? ['', array.name, array.append ? '+' : '']
		: (/^([A-Za-z_]\w*(?:\[.*?\])?)(?:(\+?)=(.*))?$/s.exec(text) ?? []);
	if (target === '') {
		complain(shell, `${builtin}: \`${text}': not a valid identifier`);
		return 1;
	}
	const name = target.replace(/\[.*$/, '');
	if (flags.has('p')) return showVariable(shell, builtin, name);
	if (
		(builtin === 'local' || ((builtin === 'declare' || builtin === 'typeset') && !flags.has('g'))) &&
		!shell.variables.makeLocal(name) &&
		builtin === 'local'
	) {
		complain(shell, 'local: can only be used in a function');
		return 1;
	}
	const { readonly, ...early } = attributes;
	const variable = shell.variables.declare(name, early);
	if (flags.has('A')) variable.associative ??= new Map();
	else if (flags.has('a') && !variable.indexed) {
		variable.indexed = new Map(variable.value === undefined ? [] : [[0, variable.value]]);
		variable.value = undefined;
	}
	if (array) await assignArray(shell, name, array.words, array.append);
	else if (value !== undefined) {
		if (attributes.reference) variable.value = value;
		else await assignText(shell, target, value, append === '+');
	}
	if (readonly) variable.readonly = true;
	return 0;
}

async function showVariable(shell: Shell, builtin: string, name: string): Promise<number> {
	const variable = shell.variables.find(name);
	if (!variable) {
		complain(shell, `${builtin}: ${name}: not found`);
		return 1;
	}
	await shell.descriptors.get(1)?.write(encode(`${describe(name, variable)}\n`));
	return 0;
}

async function list(
	shell: Shell,
	builtin: string,
	attributes: Partial<Record<Flag, boolean>>,
	flags: Set<string>,
	named: boolean
): Promise<number> {
	if (named) return 0;
	const wanted = Object.keys(attributes).filter((flag): flag is Flag =>
		Object.values(FLAGS).some((known) => known === flag)
	);
	const lines = shell.variables.names().flatMap((name) => {
		const variable = shell.variables.find(name);
		return variable && wanted.every((flag) => variable[flag]) ? [`${describe(name, variable)}\n`] : [];
	});
	if (builtin !== 'local') await shell.descriptors.get(1)?.write(encode(lines.join('')));
	return 0;
}

/** A variable as `declare -p` prints it. */
export function describe(name: string, variable: Variable): string {
	const letters =
		(variable.indexed ? 'a' : '') +
		(variable.associative ? 'A' : '') +
		(variable.integer ? 'i' : '') +
		(variable.lower ? 'l' : '') +
		(variable.reference ? 'n' : '') +
		(variable.readonly ? 'r' : '') +
		(variable.upper ? 'u' : '') +
		(variable.exported ? 'x' : '');
	const head = `declare -${letters || '-'} ${name}`;
	if (variable.indexed || variable.associative) {
		const items = elements(variable).map(([key, value]) => `[${key}]=${doubleQuote(value)}`);
		return `${head}=(${items.join(' ')}${variable.associative && items.length ? ' ' : ''})`;
	}
	return variable.value === undefined ? head : `${head}=${doubleQuote(variable.value)}`;
}
