import type { Assignment } from './assignment-line.ts';
import { type Pattern, stemOf } from './names.ts';
import type { Origin } from './variables.ts';

/** `%.o: NAME = value`. */
export interface PatternVariable {
	pattern: Pattern;
	assignment: Assignment;
	origin: Origin;
	exported: 'default' | 'yes' | 'no';
	isPrivate: boolean;
}

/** Pattern-specific variables: longer patterns come later, and win. */
export class PatternVariables {
	readonly #all: PatternVariable[] = [];

	add(variable: PatternVariable): void {
		const length = lengthOf(variable);
		const at = this.#all.findIndex((other) => lengthOf(other) > length);
		this.#all.splice(at < 0 ? this.#all.length : at, 0, variable);
	}

	/** Finds the variables that apply to a target. */
	fitting(target: string): PatternVariable[] {
		return this.#all.filter(({ pattern }) => stemOf(pattern, target) !== null);
	}
}

const lengthOf = ({ pattern }: PatternVariable): number => pattern.start.length + (pattern.end?.length ?? 0);
