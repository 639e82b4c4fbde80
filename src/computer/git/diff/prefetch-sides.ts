import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import type { Change, ChangeSide } from './change.ts';

/** Fetches the contents of both sides of changes, if a partial clone lacks them. */
export function prefetchChanges(repository: Repository, changes: readonly Change[]): void {
	const isCompared = ({ status, before, after }: Change) => status !== 'U' && before?.id !== after?.id;
	prefetchSides(
		repository,
		changes.filter(isCompared).flatMap(({ before, after }) => [before, after])
	);
}

/** Fetches the contents of some sides, if a partial clone lacks them. */
export function prefetchSides({ objects }: Repository, sides: Iterable<ChangeSide | null>): void {
	const isStored = (side: ChangeSide) => !side.inWorktree && !side.content && side.mode !== Mode.commit;
	objects.prefetch([...sides].flatMap((side) => (side && isStored(side) ? [side.id] : [])));
}
