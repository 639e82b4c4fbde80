import type { Files, Recipe } from './files.ts';
import { patternOf, type Pattern } from './names.ts';
import type { MakeState } from './state.ts';

/** What a pattern rule needs: names with `%`, or a text that is expanded for each target. */
export interface PatternPrerequisite {
	name: string;
	isOrderOnly: boolean;
}

/** Rule for all files of a pattern. */
export interface PatternRule {
	targets: { text: string; pattern: Pattern }[];
	prerequisites: PatternPrerequisite[];
	/** Expanded for each target, with `%` as `$*`. */
	later: string | null;
	recipe: Recipe | null;
	/** With `::`: what it needs must be there, and is not made by other pattern rules. */
	isTerminal: boolean;
	/** A search is trying it. */
	isInUse: boolean;
}

const shape = ({ targets, prerequisites, later }: PatternRule): string =>
	JSON.stringify([targets.map(({ text }) => text), prerequisites, later]);

/** Adds a rule; one with the same targets and prerequisites is replaced. */
export function addPatternRule(rules: PatternRule[], rule: PatternRule, replaces = true): void {
	const same = rules.findIndex((other) => shape(other) === shape(rule));
	if (same >= 0 && !replaces) return;
	if (same >= 0) rules.splice(same, 1);
	rules.push(rule);
}

export const patternTarget = (text: string): PatternRule['targets'][number] => ({ text, pattern: patternOf(text) });

/** Suffixes that `.SUFFIXES` lists. */
export const suffixesOf = (files: Files): string[] =>
	files.find('.SUFFIXES')?.prerequisites.map(({ file }) => file.name) ?? [];

/** Makes pattern rules of the rules whose targets are one or two suffixes. */
export async function convertSuffixRules(state: MakeState): Promise<void> {
	const suffixes = suffixesOf(state.files);
	for (const from of suffixes) {
		// A suffix alone: the file without one is made from it.
		await convert(state, from, '%', from);
		for (const to of suffixes) if (from !== to) await convert(state, from + to, `%${to}`, from);
	}
}

async function convert(
	{ files, rules, warn, isPosix }: MakeState,
	name: string,
	target: string,
	from: string
): Promise<void> {
	const file = files.find(name);
	if (!file?.recipe) return;
	if (file.prerequisites.length > 0) {
		if (isPosix) return;
		await warn('warning: ignoring prerequisites on suffix rule definition', file.recipe.place);
	}
	addPatternRule(
		rules,
		{
			...{ targets: [patternTarget(target)], prerequisites: [{ name: `%${from}`, isOrderOnly: false }] },
			...{ later: null, recipe: file.recipe, isTerminal: false, isInUse: false }
		},
		file.recipe.place !== null
	);
}
