import type { Files } from './files.ts';
import { addPatternRule, patternTarget } from './pattern-rules.ts';
import type { MakeState } from './state.ts';

/** Suffixes listed by `.SUFFIXES`. */
export const suffixesOf = (files: Files): string[] =>
	files.find('.SUFFIXES')?.prerequisites.map(({ file }) => file.name) ?? [];

/** Converts rules whose targets are one or two suffixes to pattern rules. */
export async function convertSuffixRules(state: MakeState): Promise<void> {
	const suffixes = suffixesOf(state.files);
	for (const from of suffixes) {
		// A single suffix: the file without a suffix is made from it.
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
