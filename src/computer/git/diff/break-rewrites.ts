import type { Repository } from '../repository.ts';
import { sortChanges, type Change } from './change.ts';
import { prefetchChanges } from './prefetch-sides.ts';
import { sideContent } from './sides.ts';
import { copiedBytes, piecesOf, SAME } from './similarity.ts';

/** Thresholds for treating a changed file as a different one; both are out of {@link SAME}. */
export interface BreakHow {
	/** Minimum change for a file to be paired with other files. */
	breaks: number;
	/** Minimum removed part for a file to be shown as a rewrite. */
	rewrites: number;
}

/** Smaller files are never broken. */
const LEAST_BYTES = 400;
const TYPE = 0o170000;
const REGULAR = 0o100000;

/** Maps each half of a broken change to the other half. */
const halves = new WeakMap<Change, Change>();

/** The other half of a broken change; null for any other change. */
export const isHalf = (change: Change): Change | null => halves.get(change) ?? null;

/** Breaks changes that keep little of a file into a deletion and an addition. */
export function breakRewrites(repository: Repository, changes: readonly Change[], how: BreakHow): Change[] {
	prefetchChanges(
		repository,
		changes.filter(({ status }) => status === 'M')
	);
	return changes.flatMap((change): Change[] => {
		const score = change.status === 'M' ? rewriteScore(repository, change, how) : null;
		if (score === null) return [change];
		const similarity = score < how.rewrites ? 0 : score;
		const gone: Change = { ...change, status: 'D', after: null, similarity };
		const come: Change = { ...change, status: 'A', before: null, similarity };
		halves.set(gone, come);
		halves.set(come, gone);
		return [gone, come];
	});
}

/** Rejoins halves that were not paired with other files. */
export function joinHalves(changes: readonly Change[]): Change[] {
	const present = new Set(changes);
	return sortChanges(
		changes.flatMap((change): Change[] => {
			const peer = isHalf(change);
			if (!peer || !present.has(peer)) return [{ ...change, similarity: isPair(change) ? change.similarity : 0 }];
			if (change.status === 'D') return [];
			const similarity = Math.floor((change.similarity * 100) / SAME);
			return [
				{
					status: 'M',
					before: peer.before,
					after: change.after,
					similarity,
					...(similarity > 0 ? { isRewrite: true } : {})
				}
			];
		})
	);
}

const isPair = ({ status }: Change): boolean => status === 'R' || status === 'C';

/** Score of the removed part of a file; null if the change is too small to break. */
function rewriteScore(repository: Repository, { before, after }: Change, { breaks }: BreakHow): number | null {
	if (!before || !after || (before.mode & TYPE) !== REGULAR || (after.mode & TYPE) !== REGULAR) return null;
	if (before.id === after.id) return null;
	const [old, now] = [sideContent(repository, before), sideContent(repository, after)];
	const larger = Math.max(old.length, now.length);
	if (larger < LEAST_BYTES || old.length === 0) return null;
	const copied = Math.min(copiedBytes(piecesOf(old), piecesOf(now)), old.length);
	const added = Math.max(0, now.length - copied);
	const gone = old.length - copied;
	const score = Math.floor((gone * SAME) / old.length);
	if (score > breaks) return score;
	if (((gone + added) * SAME) / larger < breaks) return null;
	// Mostly deletions without additions are not a rewrite.
	if (old.length * breaks < copied * SAME && added * 20 < copied) return null;
	return score;
}
