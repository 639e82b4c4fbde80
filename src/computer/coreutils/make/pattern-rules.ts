import type { Recipe } from './files.ts';
import { patternOf, type Pattern } from './names.ts';

/** Prerequisite of a pattern rule, with or without a `%`. */
export interface PatternPrerequisite {
	name: string;
	isOrderOnly: boolean;
}

/** Rule for all files that match a pattern. */
export interface PatternRule {
	targets: { text: string; pattern: Pattern }[];
	prerequisites: PatternPrerequisite[];
	/** Prerequisites expanded for each target, with `%` as `$*`. */
	later: string | null;
	recipe: Recipe | null;
	/** Set by `::`: its prerequisites must exist, and are not made by other pattern rules. */
	isTerminal: boolean;
	/** Set while a search tries it. */
	isInUse: boolean;
}

const isSame = (one: PatternRule, other: PatternRule): boolean =>
	one.targets.length === other.targets.length &&
	one.later === other.later &&
	one.prerequisites.length === other.prerequisites.length &&
	one.targets.every(({ text }, at) => text === other.targets[at]?.text) &&
	one.prerequisites.every(
		({ name, isOrderOnly }, at) =>
			name === other.prerequisites[at]?.name && isOrderOnly === other.prerequisites[at].isOrderOnly
	);

/** Adds a rule; it replaces one with the same targets and prerequisites. */
export function addPatternRule(rules: PatternRule[], rule: PatternRule, replaces = true): void {
	const same = rules.findIndex((other) => isSame(other, rule));
	if (same >= 0 && !replaces) return;
	if (same >= 0) rules.splice(same, 1);
	rules.push(rule);
}

export const patternTarget = (text: string): PatternRule['targets'][number] => ({ text, pattern: patternOf(text) });
