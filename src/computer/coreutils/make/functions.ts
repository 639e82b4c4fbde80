import { MakeFailure } from './failure.ts';
import { words } from './names.ts';
import { shellFor, shellOutput } from './shell-output.ts';
import { errorPlace, type MakeState, placeText } from './state.ts';
import { textFunctions } from './text-functions.ts';
import { Scope, type Variable } from './variables.ts';

/** Context of a call. */
export interface Called {
	state: MakeState;
	scope: Scope;
	expand(scope: Scope, text: string): Promise<string>;
	expandVariable(scope: Scope, variable: Variable): Promise<string>;
}

interface MakeFunction {
	/** Minimum and maximum number of arguments: the last one keeps its commas. Maximum 0: any number. */
	least: number;
	most: number;
	/** False: it receives the arguments unexpanded. */
	expands: boolean;
	run(call: Called, values: string[]): string | Promise<string>;
}

const expanded = (least: number, most: number, run: MakeFunction['run']): MakeFunction => ({
	least,
	most,
	expands: true,
	run
});
const raw = (least: number, most: number, run: MakeFunction['run']): MakeFunction => ({
	least,
	most,
	expands: false,
	run
});
const within = ({ scope, expand }: Called, text: string): Promise<string> => expand(scope, text);

/** Largest number of arguments given by an enclosing call; arguments missing in an inner call are empty. */
const mostGiven = new WeakMap<MakeState, number>();

const FUNCTIONS: Record<string, MakeFunction> = {
	...Object.fromEntries(
		Object.entries(textFunctions).map(([name, { least, run }]) => [
			name,
			expanded(least, Math.max(1, least), ({ state }, values) => run(values, errorPlace(state)))
		])
	),
	wildcard: expanded(0, 1, ({ state }, [text = '']) =>
		words(text)
			.flatMap((pattern) => state.machine.glob(pattern))
			.join(' ')
	),
	realpath: expanded(0, 1, ({ state }, [text = '']) =>
		words(text)
			.map((name) => state.machine.real(name))
			.filter((name) => name !== null)
			.join(' ')
	),
	abspath: expanded(0, 1, ({ state }, [text = '']) =>
		words(text)
			.map((name) => state.machine.absolute(name))
			.join(' ')
	),
	shell: expanded(1, 1, async (call, [command = '']) =>
		shellOutput(call.state, await shellFor((text) => within(call, text)), command)
	),
	origin: expanded(1, 1, ({ scope }, [name = '']) => scope.find(name)?.origin ?? 'undefined'),
	flavor: expanded(1, 1, ({ scope }, [name = '']) => {
		const variable = scope.find(name);
		return variable ? (variable.recursive ? 'recursive' : 'simple') : 'undefined';
	}),
	value: expanded(0, 1, ({ scope }, [name = '']) => scope.find(name)?.value ?? ''),
	eval: expanded(0, 1, async ({ state, scope }, [text = '']) => {
		const { readScope } = state;
		state.readScope = scope;
		await state.evaluate(text);
		state.readScope = readScope;
		return '';
	}),
	error: expanded(0, 1, ({ state }, [text = '']) => {
		throw new MakeFailure(text, placeText(state.place));
	}),
	warning: expanded(0, 1, async ({ state }, [text = '']) => {
		await state.warn(text, state.place);
		return '';
	}),
	info: expanded(0, 1, async ({ state }, [text = '']) => {
		await state.say(`${text}\n`);
		return '';
	}),
	file: expanded(1, 2, fileFunction),
	if: raw(2, 3, async (call, [condition = '', then = '', otherwise = '']) =>
		within(call, (await within(call, condition.trim())) === '' ? otherwise : then)
	),
	or: raw(1, 0, async (call, parts) => {
		for (const part of parts) {
			const value = await within(call, part.trim());
			if (value !== '') return value;
		}
		return '';
	}),
	and: raw(1, 0, async (call, parts) => {
		let value = '';
		for (const part of parts) {
			value = await within(call, part.trim());
			if (value === '') return '';
		}
		return value;
	}),
	foreach: raw(3, 3, async (call, [name = '', list = '', body = '']) => {
		const variable = (await within(call, name)).trim();
		const scope = new Scope(call.scope);
		const results: string[] = [];
		for (const word of words(await within(call, list))) {
			scope.define(variable, word, 'automatic');
			results.push(await call.expand(scope, body));
		}
		return results.join(' ');
	}),
	call: expanded(1, 0, callVariable)
};

export const isFunction = (name: string): boolean => Object.hasOwn(FUNCTIONS, name);

/** Calls a function with its unexpanded arguments. @throws MakeFailure */
export async function callFunction(call: Called, name: string, written: readonly string[]): Promise<string> {
	const found = FUNCTIONS[name];
	if (!found) throw new Error(`${name} is no function`);
	const { expands, run } = found;
	const parts = argumentsOf(call, name, found, written);
	if (!expands) return run(call, parts);
	const values: string[] = [];
	for (const part of parts) values.push(await within(call, part));
	return run(call, values);
}

/** Adapts arguments to a function: surplus ones are joined to the last. @throws MakeFailure for too few */
function argumentsOf(
	{ state }: Called,
	name: string,
	{ least, most }: MakeFunction,
	given: readonly string[]
): string[] {
	if (given.length < least)
		throw new MakeFailure(
			`insufficient number of arguments (${given.length}) to function '${name}'`,
			errorPlace(state)
		);
	if (most === 0 || given.length <= most) return [...given];
	return [...given.slice(0, most - 1), given.slice(most - 1).join(',')];
}

/** `$(call name,…)`: a variable with `$(0)`, `$(1)` … set, or a function. */
async function callVariable(call: Called, [head = '', ...values]: string[]): Promise<string> {
	const { state, scope } = call;
	const name = head.trim();
	if (name === '') return '';
	const found = FUNCTIONS[name];
	if (found) {
		const { expands, run } = found;
		const joined = argumentsOf(call, name, found, values);
		// Already expanded values are escaped, so that they are not expanded again.
		return run(call, expands ? joined : joined.map((value) => value.replaceAll('$', '$$$$')));
	}
	const variable = scope.find(name);
	if (!variable) return '';
	const inner = new Scope(scope);
	const outerMost = mostGiven.get(state) ?? 0;
	const given = [name, ...values];
	for (let index = 0; index < Math.max(given.length, outerMost); index++)
		inner.define(String(index), given[index] ?? '', 'automatic');
	mostGiven.set(state, Math.max(given.length, outerMost));
	const mayRecur = variable.mayRecur;
	variable.mayRecur = true;
	try {
		return await call.expandVariable(inner, variable);
	} finally {
		variable.mayRecur = mayRecur;
		mostGiven.set(state, outerMost);
	}
}

/** `$(file > name,text)`, `>>` and `<`. */
function fileFunction({ state }: Called, [operation = '', text]: string[]): string {
	const place = errorPlace(state);
	const [, sign = '', name = ''] = /^\s*(>>|>|<|)\s*(.*?)\s*$/s.exec(operation) ?? [];
	if (sign === '') throw new MakeFailure(`file: invalid file operation: ${operation.trim()}`, place);
	if (name === '') throw new MakeFailure('file: missing filename', place);
	if (sign === '<') {
		if (text !== undefined) throw new MakeFailure('file: too many arguments', place);
		return state.machine.read(name)?.replace(/\n$/, '') ?? '';
	}
	const line = text === undefined || text.endsWith('\n') ? (text ?? '') : `${text}\n`;
	try {
		state.machine.write(name, line, sign === '>>');
	} catch (error) {
		throw new MakeFailure(`open: ${name}: ${error instanceof Error ? error.message : String(error)}`, place);
	}
	return '';
}
