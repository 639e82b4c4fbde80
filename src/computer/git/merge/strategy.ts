import { fatal } from '../errors.ts';

/** The side that is taken where both changed the same lines. */
export type Favour = 'ours' | 'theirs';

const STRATEGIES = ['ort', 'recursive', 'resolve', 'octopus', 'ours'] as const;
type Strategy = (typeof STRATEGIES)[number];

/** Options of strategies that change how lines are found, and not what a merge without doubt gives. */
const WITHOUT_EFFECT =
	/^(?:patience|histogram|minimal|diff-algorithm=\w+|find-renames(?:=\d+%?)?|rename-threshold=\d+%?|no-renormalize)$/;

/** Reads `-s`. @throws GitError for a strategy that is not here */
export function chosenStrategy(given: string | undefined): Strategy {
	const found = STRATEGIES.find((name) => name === (given ?? 'ort'));
	if (!found) throw fatal(`of the strategies only ${STRATEGIES.join(', ')} are here, not '${given}'`);
	return found;
}

/** Reads all of `-X`; the last side named counts. @throws GitError for an option that is not here */
export function chosenFavour(given: readonly string[]): Favour | undefined {
	let favour: Favour | undefined;
	for (const option of given) {
		if (option === 'ours' || option === 'theirs') favour = option;
		else if (!WITHOUT_EFFECT.test(option))
			throw fatal(`of the strategy options only -X ours and -X theirs are here, not '${option}'`);
	}
	return favour;
}
