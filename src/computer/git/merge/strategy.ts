import { SAME } from '../diff/similarity.ts';
import type { Blanks } from '../diff/unified-diff.ts';
import { fatal } from '../errors.ts';

/** Side whose version is used if both changed the same lines. */
type Favour = 'ours' | 'theirs';

const STRATEGIES = ['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree'] as const;
type Strategy = (typeof STRATEGIES)[number];

/** Options for strategies that merge trees. */
export interface StrategyOptions {
	favour?: Favour;
	/** Detects renames; if absent, as configured. */
	renames?: boolean;
	/** Minimum similarity of a renamed file, out of {@link SAME}. */
	least?: number;
	blanks?: Blanks;
	/** Directory of ours that corresponds to their tree, or vice versa; '' to find it. */
	subtree?: string;
}

/** Options that affect only how changed lines are found, not the result of a clean merge. */
const WITHOUT_EFFECT =
	/^(?:patience|histogram|minimal|diff-algorithm=(?:default|myers|minimal|patience|histogram)|no-renormalize)$/;

const BLANKS: Readonly<Record<string, Blanks>> = {
	'ignore-space-change': 'some',
	'ignore-all-space': 'none',
	'ignore-space-at-eol': 'not at the end',
	'ignore-cr-at-eol': 'no cr at the end'
};

/** Parses `-s`. @throws GitError if the strategy is not supported */
export function chosenStrategy(given: string | undefined): Strategy {
	const found = STRATEGIES.find((name) => name === (given ?? 'ort'));
	if (!found) throw fatal(`of the strategies only ${STRATEGIES.join(', ')} are here, not '${given}'`);
	return found;
}

/**
 * Strategy options as given, plus the one that the strategy implies.
 *
 * @throws GitError if one is not supported
 */
export function checkedOptions(given: readonly string[], strategy?: string): readonly string[] {
	strategyOptions(given);
	return strategy === 'subtree' ? ['subtree', ...given] : given;
}

/** Parses all `-X` options; the last one wins. @throws GitError if an option is not supported */
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

/** Parses a similarity: `50%`, or the digits after a decimal point. */
function leastSimilarity(text: string): number {
	const share =
		text.endsWith('%') || text.includes('.')
			? Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1)
			: Number(`0.${text}`);
	return Math.floor(SAME * Math.min(1, share));
}
