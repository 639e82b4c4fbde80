import type { ExecutionEnvironment } from '#environment/contract.ts';
import { moveTree, planMove, type MoveOptions, type MovePlan } from '#environment/tree/move.ts';
import type { LeftAlone } from './left-alone.ts';

/** Both sides of a move to a machine. */
export interface Sides {
	/** The computer in the tab. */
	home: ExecutionEnvironment;
	/** The machine. */
	there: ExecutionEnvironment;
	leftAlone: LeftAlone;
}

/** Counts the files that {@link pushFiles} would change on the machine. */
export async function planPush({ home, there, leftAlone }: Sides): Promise<MovePlan> {
	const [here, present] = [await home.snapshot(), await there.snapshot()];
	return planMove(here, present, { isLeftAlone: await leftAlone.in(here, present) });
}

/** Makes the machine's files equal to the tab's. Returns the number of files sent. */
export async function pushFiles(
	{ home, there, leftAlone }: Sides,
	options: Pick<MoveOptions, 'signal' | 'onProgress'> = {}
): Promise<number> {
	const [tree, before] = [await home.snapshot(), await there.snapshot()];
	const isLeftAlone = await leftAlone.in(tree, before);
	const { files } = await moveTree(home, there, { ...options, tree, before, isLeftAlone });
	return files;
}
