import { expand } from './expand.ts';
import { MakeFailure } from './failure.ts';
import { shellOutput } from './functions.ts';
import { closing } from './names.ts';
import { type MakeState, placeText } from './state.ts';
import type { Origin, Scope, Variable } from './variables.ts';

/** `NAME = value` as it is written. */
export interface Assignment {
	name: string;
	operator: '=' | ':=' | '?=' | '+=' | '!=';
	value: string;
}

/** Words before an assignment. */
export interface Modifiers {
	override: boolean;
	export: boolean;
	private: boolean;
}

/** Meaning of a line that is about a variable. */
export type VariableLine = { modifiers: Modifiers } & (
	{ kind: 'assignment'; assignment: Assignment } | { kind: 'define' | 'undefine'; rest: string }
);

/** Parses `NAME = value`; `null` where a text is none: a name has no blank, and a `:` ends the search. */
export function parseAssignment(text: string): Assignment | null {
	const line = text.replace(/^[ \t]+/, '');
	let end = -1;
	for (let at = 0; at < line.length; at++) {
		const letter = line[at] ?? '';
		if (letter === '#') return null;
		if (letter === '$') {
			if (end >= 0) return null;
			const next = line[at + 1] ?? '';
			const close = next === '(' || next === '{' ? closing(line, at + 1) : at + 1;
			if (close < 0) return null;
			at = close;
			continue;
		}
		if (/\s/.test(letter)) {
			if (end < 0) end = at;
			continue;
		}
		const [operator = ''] = /^(?:=|::?=|\+=|\?=|!=)/.exec(line.slice(at)) ?? [];
		if (operator !== '') {
			const value = line.slice(at + operator.length).replace(/^[ \t]+/, '');
			const sign = operator === '::=' ? ':=' : (operator as Assignment['operator']);
			return { name: line.slice(0, end < 0 ? at : end), operator: sign, value };
		}
		if (letter === ':' || end >= 0) return null;
	}
	return null;
}

/** Parses a line with `override`, `export`, `private`, `define` and `undefine`. @param ofTarget behind `target:` */
export function parseVariableLine(text: string, ofTarget: boolean): VariableLine | null {
	const modifiers: Modifiers = { override: false, export: false, private: false };
	let rest = text.replace(/^[ \t]+/, '');
	while (rest !== '') {
		const assignment = parseAssignment(rest);
		if (assignment) return { kind: 'assignment', modifiers, assignment };
		const [, word = '', after = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
		if (!ofTarget && (word === 'define' || word === 'undefine')) return { kind: word, modifiers, rest: after };
		if (word !== 'override' && word !== 'export' && word !== 'private') return null;
		modifiers[word] = true;
		rest = after;
	}
	return null;
}

/** How a variable is set: where, and whether for a target. */
export interface Setting {
	scope: Scope;
	origin: Origin;
	ofTarget?: boolean;
}

/** Sets a variable as its operator says. Its name is expanded. @throws MakeFailure @returns undefined: it stays as it was */
export async function assign(state: MakeState, setting: Setting, written: Assignment): Promise<Variable | undefined> {
	const name = (await expand(state, seenFrom(state, setting.scope), written.name)).trim();
	if (name === '') throw new MakeFailure('empty variable name', placeText(state.place));
	return define(state, setting, { ...written, name });
}

/** Scope in which the value of an assignment is expanded. */
const seenFrom = (state: MakeState, scope: Scope): Scope => (scope === state.globals ? state.readScope : scope);

/** Sets a variable whose name is expanded already. */
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
		case '!=':
			return set(await shellOutput(state, scope, await expand(state, seenFrom(state, scope), value), false), true);
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

/** Adds to the target's own value, or marks the value as what comes behind that of the scope around. */
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
