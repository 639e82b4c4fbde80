import { assign, define } from './assignment.ts';
import { type Assignment, type Modifiers } from './assignment-line.ts';
import { expand } from './expand.ts';
import type { TargetFile } from './files.ts';
import { patternOf } from './names.ts';
import type { MakeState } from './state.ts';
import { Scope } from './variables.ts';

/** Sets a variable for targets and patterns. @throws MakeFailure */
export async function setForTargets(
	state: MakeState,
	targets: readonly string[],
	modifiers: Modifiers,
	assignment: Assignment
): Promise<void> {
	const origin = modifiers.override ? 'override' : 'file';
	for (const target of targets) {
		const pattern = patternOf(target);
		if (pattern.end !== null) {
			const name = (await expand(state, state.readScope, assignment.name)).trim();
			const value =
				assignment.operator === ':=' ? await expand(state, state.readScope, assignment.value) : assignment.value;
			const exported = modifiers.export ? 'yes' : 'default';
			const own = { ...assignment, name, value };
			state.patternVariables.add({ pattern, assignment: own, origin, exported, isPrivate: modifiers.private });
			continue;
		}
		const scope = ownScope(state, state.files.enter(target));
		const { outer } = scope;
		scope.outer = state.readScope;
		const variable = await assign(state, { scope, origin, ofTarget: true }, assignment);
		scope.outer = outer;
		if (!variable) continue;
		Object.assign(variable, { ofTarget: true, isPrivate: modifiers.private });
		if (modifiers.export) variable.exported = 'yes';
		const global = state.globals.find(variable.name);
		const wins = global?.origin === 'command line' || global?.origin === 'environment override';
		if (variable.origin !== 'override' && global && wins)
			Object.assign(variable, {
				value: global.value,
				origin: global.origin,
				recursive: global.recursive,
				appends: false
			});
	}
}

/** Scope of a target while makefiles are read, inside the global one. */
export function ownScope(state: MakeState, file: TargetFile): Scope {
	file.scope ??= new Scope(state.globals, true);
	return file.scope;
}

/**
 * Scope of a target while it is made: its own variables, then those of its patterns, then those of the target that
 * depends on it.
 */
export async function scopeOf(state: MakeState, file: TargetFile): Promise<Scope> {
	const scope = ownScope(state, file);
	const parent = file.parent ? await scopeOf(state, file.parent) : state.globals;
	if (!file.hasPatternVariables) {
		file.hasPatternVariables = true;
		const patterns = new Scope(parent, true);
		scope.outer = patterns;
		scope.isInherited = false;
		await setFitting(state, file.name, patterns);
	} else if (scope.outer) scope.outer.outer = parent;
	return scope;
}

/** Sets the pattern-specific variables of a target in a scope. */
async function setFitting(state: MakeState, target: string, scope: Scope): Promise<void> {
	for (const { assignment, origin, exported, isPrivate } of state.patternVariables.fitting(target)) {
		const isSimple = assignment.operator === ':=';
		const variable = isSimple
			? scope.define(assignment.name, assignment.value, origin)
			: await define(state, { scope, origin, ofTarget: true }, assignment);
		if (variable) Object.assign(variable, { exported, isPrivate, ofTarget: true });
	}
}
