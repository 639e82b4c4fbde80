import { define, type Assignment } from './assignment.ts';
import { type Pattern, stemOf } from './names.ts';
import type { MakeState } from './state.ts';
import type { Origin, Scope } from './variables.ts';

/** `%.o: NAME = value`. */
export interface PatternVariable {
	pattern: Pattern;
	assignment: Assignment;
	origin: Origin;
	exported: 'default' | 'yes' | 'no';
	isPrivate: boolean;
}

/** Variables of patterns: longer patterns come later, and win. */
export class PatternVariables {
	readonly #all: PatternVariable[] = [];

	add(variable: PatternVariable): void {
		const length = lengthOf(variable);
		const at = this.#all.findIndex((other) => lengthOf(other) > length);
		this.#all.splice(at < 0 ? this.#all.length : at, 0, variable);
	}

	/** Sets in a scope what holds for this target. */
	async apply(state: MakeState, target: string, scope: Scope): Promise<void> {
		for (const { pattern, assignment, origin, exported, isPrivate } of this.#all) {
			if (stemOf(pattern, target) === null) continue;
			const isSimple = assignment.operator === ':=';
			const variable = isSimple
				? scope.define(assignment.name, assignment.value, origin)
				: await define(state, { scope, origin, ofTarget: true }, assignment);
			if (variable) Object.assign(variable, { exported, isPrivate, ofTarget: true });
		}
	}
}

const lengthOf = ({ pattern }: PatternVariable): number => pattern.start.length + (pattern.end?.length ?? 0);
