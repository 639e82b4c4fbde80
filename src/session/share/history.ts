import type { ExecutionEnvironment } from '#environment/contract.ts';
import { belowWorkingDirectory } from '#environment/folders.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import { diffTrees } from '#workspace/tree-diff.ts';
import type { ShareBundle, ShareStep, StoredSession } from '../contract.ts';
import type { CarriedFiles } from './carried-files.ts';
import { loadFiles, refuseLinksAbove, removeBelow } from './restore.ts';
import { treeHash } from './sha256.ts';
import { Mode } from '#environment/mode.ts';

/** Shared part of one tree. */
export interface HistoricTree {
	files: Tree;
	/** Empty directories. */
	empty: string[];
}

/**
 * The files of a session at each of its checkpoints after the first, and at the end, each as changes since the previous
 * step; the first checkpoint is the import, where the visitor starts.
 *
 * @param trees shared part of each checkpoint's tree, by its id
 * @returns the steps, with the hash of the files at each checkpoint, by its id
 */
export async function collectHistory(
	checkpoints: readonly Checkpoint[],
	trees: ReadonlyMap<string, HistoricTree>,
	now: HistoricTree,
	carried: CarriedFiles
): Promise<{ steps: ShareStep[]; hashes: Map<string, string> }> {
	const steps: ShareStep[] = [];
	const hashes = new Map<string, string>();
	const [first, ...later] = checkpoints;
	let before = (first && trees.get(first.tree)) ?? now;
	if (first) hashes.set(first.id, await treeHash(await carried.asCarried(before.files)));
	for (const { id, tree } of [...later, { id: null, tree: null }]) {
		const after = tree === null ? now : (trees.get(tree) ?? before);
		const step: ShareStep = { checkpoint: id, files: {}, removed: [], empty: after.empty };
		for (const { path } of diffTrees(before.files, after.files)) {
			const entry = after.files.get(path);
			if (entry) step.files[path] = await carried.file(path, entry);
			else step.removed.push(path);
		}
		steps.push(step);
		if (id !== null) hashes.set(id, await treeHash(await carried.asCarried(after.files)));
		before = after;
	}
	return { steps, hashes };
}

/** Applies one step of a history to the files of the previous step. */
export async function restoreStep(step: ShareStep, environment: ExecutionEnvironment): Promise<void> {
	for (const path of step.removed) await removeBelow(environment, path);
	await environment.load(loadFiles(step.files));
	const wanted = new Set(step.empty);
	const there = await removeEmptyBut(wanted, environment);
	for (const path of step.empty.filter((each) => !there.has(each))) {
		await refuseLinksAbove(environment, path);
		await environment.makeDirectory(belowWorkingDirectory(path));
	}
}

/**
 * Removes the empty directories that a step does not have, and parents that become empty.
 *
 * @returns the empty directories that are left
 */
async function removeEmptyBut(wanted: ReadonlySet<string>, environment: ExecutionEnvironment): Promise<Set<string>> {
	for (;;) {
		const { entries } = await environment.snapshot();
		const empty = [...entries].flatMap(([path, { mode }]) =>
			mode === Mode.directory && !path.startsWith('.git/') ? [path] : []
		);
		const leftOver = empty.filter((path) => !wanted.has(path));
		if (leftOver.length === 0) return new Set(empty);
		for (const path of leftOver) await environment.remove(belowWorkingDirectory(path), { recursive: true });
	}
}

/**
 * Replays a share's history: the files end as the session left them, and each intermediate checkpoint becomes
 * one of the visitor's session.
 */
export async function restoreHistory(
	bundle: ShareBundle,
	history: readonly ShareStep[],
	environment: ExecutionEnvironment,
	stored: Pick<StoredSession, 'addCheckpoint'>
): Promise<void> {
	const known = new Map(bundle.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
	const entries = new Set(bundle.entries.map(({ id }) => id));
	for (const step of history) {
		await restoreStep(step, environment);
		const checkpoint = step.checkpoint === null ? undefined : known.get(step.checkpoint);
		if (!checkpoint) continue;
		const snapshot = await environment.snapshot();
		const { entryId } = checkpoint;
		const isThere = entryId !== null && entries.has(entryId);
		await stored.addCheckpoint(
			{ ...checkpoint, tree: snapshot.id, entryId: isThere ? entryId : null },
			snapshot.entries
		);
	}
}
