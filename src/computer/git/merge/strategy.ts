import { SAME } from '../diff/similarity.ts';
import type { Blanks } from '../diff/unified-diff.ts';
import { fatal } from '../errors.ts';

/** The side that is taken where both changed the same lines. */
type Favour = 'ours' | 'theirs';

const STRATEGIES = ['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'] as const;
type Strategy = (typeof STRATEGIES)[number];

/** Options of the strategies that merge trees. */
export interface StrategyOptions {
	favour?: Favour;
	/** Renames are looked for; as settings say, unless given. */
	renames?: boolean;
	/** Least similarity of a renamed file, of {@link SAME}. */
	least?: number;
	blanks?: Blanks;
	/** Directory that their tree is below of in ours, or the other way round; '' to find it. */
	subtree?: string;
}

/** Options that change how lines are found, and not what a merge without doubt gives. */
const WITHOUT_EFFECT =
	/^(?:patience|histogram|minimal|diff-algorithm=(?:default|myers|minimal|patience|histogram)|no-renormalize)$/;

const BLANKS: Readonly<Record<string, Blanks>> = {
	'ignore-space-change': 'some',
	'ignore-all-space': 'none',
	'ignore-space-at-eol': 'not at the end',
	'ignore-cr-at-eol': 'no cr at the end'
};

/** Reads `-s`. @throws GitError for a strategy that is not here */
export function chosenStrategy(given: string | undefined): Strategy {
	const found = STRATEGIES.find((name) => name === (given ?? 'ort'));
	if (!found) throw fatal(`of the strategies only ${STRATEGIES.join(', ')} are here, not '${given}'`);
	return found;
}

/**
 * The options as they were given, with the one that a strategy stands for.
 *
 * @throws GitError for one that is not here
 */
export function checkedOptions(given: readonly string[], strategy?: string): readonly string[] {
	strategyOptions(given);
	return strategy === 'subtree' ? ['subtree', ...given] : given;
}

/** Reads all of `-X`; the last one counts. @throws GitError for an option that is not here */
export function strategyOptions(given: readonly string[] = []): StrategyOptions {
	const options: StrategyOptions = {};
	for (const option of given) {
		const [, least] = /^(?:find-renames|rename-threshold)=(.*)$/.exec(option) ?? [];
		const blanks = BLANKS[option];
		if (option === 'ours' || option === 'theirs') options.favour = option;
		else if (option === 'subtree') options.subtree = '';
		else if (option.startsWith('subtree=')) options.subtree = option.slice('subtree='.length).replace(/\/+$/, '');
		else if (option === 'no-renames') options.renames = false;
		else if (option === 'find-renames') {
			options.renames = true;
			options.least = SAME / 2;
		} else if (least !== undefined && /^\d+(?:\.\d+)?%?$/.test(least)) {
			options.renames = true;
			options.least = leastSimilarity(least);
		} else if (blanks !== undefined) options.blanks = blanks;
		else if (!WITHOUT_EFFECT.test(option)) throw fatal(`unknown strategy option: -X${option}`);
	}
	return options;
}

/** `50%`, or digits behind a decimal point. */
function leastSimilarity(text: string): number {
	const share =
		text.endsWith('%') || text.includes('.')
			? Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1)
			: Number(`0.${text}`);
	return Math.floor(SAME * Math.min(1, share));
}
