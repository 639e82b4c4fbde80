import { MakeFailure } from './failure.ts';
import { callFunction, type Called, isFunction } from './functions.ts';
import { closing, patternOf, replacePattern } from './names.ts';
import { errorPlace, type MakeState } from './state.ts';
import type { Scope, Variable } from './variables.ts';

/** Maximum depth of expansions of one variable within itself, by `$(call)`. */
const MOST_DEEP = 10_000;

/** Expands all references in a text, in a scope. @throws MakeFailure */
export async function expand(state: MakeState, scope: Scope, text: string): Promise<string> {
	if (!text.includes('$')) return text;
	let result = '';
	for (let at = 0; at < text.length; at++) {
		const letter = text[at] ?? '';
		if (letter !== '$') {
			result += letter;
			continue;
		}
		const next = text[++at] ?? '';
		if (next === '$') result += '$';
		else if (next === '(' || next === '{') {
			const reference = await expandReference(state, scope, text, at);
			result += reference.value;
			at = reference.end;
		} else if (!/^\s?$/.test(next)) result += await valueOf(state, scope, next);
	}
	return result;
}

/** Expands the reference in the bracket that opens at `at`. @returns also the position of its closing bracket */
async function expandReference(
	state: MakeState,
	scope: Scope,
	text: string,
	at: number
): Promise<{ value: string; end: number }> {
	const [, called] = /^[({]([a-z-]+)(?=\s)/.exec(text.slice(at, at + 16)) ?? [];
	const end = closing(text, at);
	if (called !== undefined && isFunction(called)) {
		if (end < 0) {
			const missing = text[at] === '(' ? ')' : '}';
			throw new MakeFailure(`unterminated call to function '${called}': missing '${missing}'`, errorPlace(state));
		}
		const inner = text.slice(at + 1 + called.length, end).replace(/^\s+/, '');
		return { value: await callFunction(callOf(state, scope), called, splitArguments(inner, text[at] ?? '(')), end };
	}
	const close = text[at] === '(' ? ')' : '}';
	const last = end < 0 ? text.indexOf(close, at) : end;
	if (last < 0) throw new MakeFailure('unterminated variable reference', errorPlace(state));
	const inner = text.slice(at + 1, last);
	// Without references inside, the first closing bracket ends it.
	const first = text.indexOf(close, at);
	if (!text.slice(at + 1, first).includes('$'))
		return { value: await reference(state, scope, text.slice(at + 1, first)), end: first };
	return { value: await reference(state, scope, end < 0 ? inner : await expand(state, scope, inner)), end: last };
}

const callOf = (state: MakeState, scope: Scope): Called => ({
	...{ state, scope, expand: (inner, text) => expand(state, inner, text) },
	expandVariable: (inner, variable) => expandVariable(state, inner, variable)
});

/** Splits the arguments of a function at commas, except in nested brackets of the same kind. */
function splitArguments(text: string, open: string): string[] {
	const close = open === '(' ? ')' : '}';
	const parts: string[] = [];
	let depth = 0;
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const letter = text[at];
		if (letter === open) depth++;
		else if (letter === close) depth--;
		else if (letter === ',' && depth === 0) {
			parts.push(text.slice(start, at));
			start = at + 1;
		}
	}
	return [...parts, text.slice(start)];
}

/** Value of `NAME` or `NAME:FROM=TO`. */
async function reference(state: MakeState, scope: Scope, inner: string): Promise<string> {
	const [, name = '', from = '', to = ''] = /^([^:]*):([^=]*)=([^]*)$/.exec(inner) ?? [];
	if (name === '' && from === '') return valueOf(state, scope, inner);
	const value = await valueOf(state, scope, name);
	return patternOf(from).end === null ? replacePattern(`%${from}`, `%${to}`, value) : replacePattern(from, to, value);
}

/** Value of a variable, with its references expanded. @throws MakeFailure */
export async function valueOf(state: MakeState, scope: Scope, name: string): Promise<string> {
	const variable = scope.find(name);
	if (name === '.VARIABLES') return [...state.globals.all().keys()].join(' ');
	if (!variable) {
		if (state.switches.warnsOfUndefined && !/^(?:\d+|[@%*<?^+|][DF]?|MAKECMDGOALS|\.\w+)$/.test(name))
			await state.warn(`warning: undefined variable '${name}'`, state.place);
		return '';
	}
	return variable.recursive || variable.appends ? expandVariable(state, scope, variable) : variable.value;
}

/** Value of a variable found from this scope. @throws MakeFailure if it refers to itself */
export async function expandVariable(state: MakeState, scope: Scope, variable: Variable): Promise<string> {
	if (!variable.recursive && !variable.appends) return variable.value;
	const most = variable.mayRecur ? MOST_DEEP : 1;
	if (variable.expanding >= most)
		throw new MakeFailure(`Recursive variable '${variable.name}' references itself (eventually)`, errorPlace(state));
	const { definition } = state;
	variable.expanding++;
	state.definition = variable.place ?? definition;
	try {
		return variable.appends ? await appended(state, scope, variable.name) : await expand(state, scope, variable.value);
	} finally {
		state.definition = definition;
		variable.expanding--;
	}
}

/** Value of a variable that appends to the one of the outer scope: both, separated by a blank. */
async function appended(state: MakeState, scope: Scope, name: string): Promise<string> {
	const parts: string[] = [];
	let isParent = false;
	for (let at: Scope | null = scope; at; at = at.outer) {
		const found = at.own(name);
		if (found && (!isParent || !found.isPrivate)) {
			parts.unshift(found.recursive ? await expand(state, scope, found.value) : found.value);
			if (!found.appends) break;
		}
		isParent ||= at.isInherited;
	}
	return parts.filter((part, index) => part !== '' || index > 0).join(' ');
}
