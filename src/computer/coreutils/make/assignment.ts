import { expand } from './expand.ts';
import { MakeFailure } from './failure.ts';
import { shellFor, shellOutput } from './shell-output.ts';
import type { Assignment } from './assignment-line.ts';
import { type MakeState, placeText } from './state.ts';
import type { Origin, Scope, Variable } from './variables.ts';

/** Scope and origin of an assignment. */
export interface Setting {
	scope: Scope;
	origin: Origin;
	ofTarget?: boolean;
}

/**
 * Sets a variable as specified by the operator. Its name is expanded.
 * @throws MakeFailure
 * @returns undefined if it is unchanged
 */
export async function assign(state: MakeState, setting: Setting, written: Assignment): Promise<Variable | undefined> {
	const name = (await expand(state, seenFrom(state, setting.scope), written.name)).trim();
	if (name === '') throw new MakeFailure('empty variable name', placeText(state.place));
	return define(state, setting, { ...written, name });
}

/** Scope for expanding the value of an assignment. */
const seenFrom = (state: MakeState, scope: Scope): Scope => (scope === state.globals ? state.readScope : scope);

/** Sets a variable whose name is already expanded. */
export async function define(
	state: MakeState,
	{ scope, origin, ofTarget = false }: Setting,
	{ name, operator, value }: Assignment
): Promise<Variable | undefined> {
	const set = (text: string, recursive: boolean): Variable => {
		const variable = scope.define(name, text, origin, recursive, state.switches.environmentWins);
		if (variable.origin === origin) variable.place = state.place;
		if (name === '.RECIPEPREFIX') state.prefix = variable.value[0] ?? '\t';
		return variable;
	};
	switch (operator) {
		case '=':
			return set(value, true);
		case ':=':
			return set(await expand(state, seenFrom(state, scope), value), false);
		case '!=': {
			const seen = seenFrom(state, scope);
			const shell = await shellFor((text) => expand(state, seen, text));
			return set(await shellOutput(state, shell, await expand(state, seen, value), false), true);
		}
		case '?=':
			return scope.find(name) ? undefined : set(value, true);
		case '+=':
			return ofTarget ? appendForTarget(state, scope, name, value, set) : append(state, scope, name, value, set);
	}
}

type Set = (text: string, recursive: boolean) => Variable;

async function append(state: MakeState, scope: Scope, name: string, value: string, set: Set): Promise<Variable> {
	const known = scope.find(name);
	if (!known) return set(value, true);
	const more = known.recursive ? value : await expand(state, seenFrom(state, scope), value);
	return set([known.value, more].filter((part) => part !== '').join(' '), known.recursive);
}

/** Appends to the target's own value, or marks the value to be appended to that of the outer scope. */
async function appendForTarget(
	state: MakeState,
	scope: Scope,
	name: string,
	value: string,
	set: Set
): Promise<Variable> {
	const own = scope.own(name);
	if (own) {
		const appends = own.appends;
		const variable = await append(state, scope, name, value, set);
		return Object.assign(variable, { appends });
	}
	const isSimple = scope.find(name)?.recursive === false;
	const variable = set(isSimple ? await expand(state, scope, value) : value, !isSimple);
	return Object.assign(variable, { appends: true });
}
