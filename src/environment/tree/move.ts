import type { ExecutionEnvironment, LoadEntry, Snapshot } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { Mode } from '../mode.ts';
import { sameEntry } from '../snapshot-diff.ts';

export interface MoveProgress {
	/** Files that were sent, of those that the other side lacks. */
	files: number;
	allFiles: number;
	bytes: number;
}

export interface MoveOptions {
	/** Stops the move; the destination is then as it was. */
	signal?: AbortSignal | undefined;
	onProgress?: ((progress: MoveProgress) => void) | undefined;
}

export interface MovedTree {
	/** The tree that both sides have now. */
	tree: Snapshot;
	/** The tree that the destination had. */
	before: Snapshot;
	files: number;
	bytes: number;
}

/**
 * Makes the files of one environment equal to those of another: sends what the destination lacks, removes what
 * is not in the source, and succeeds only if both sides name the same tree. If it fails or is stopped, the
 * destination is restored, as far as it can still be reached. The source is only read.
 */
export async function moveTree(
	from: ExecutionEnvironment,
	to: ExecutionEnvironment,
	options: MoveOptions = {}
): Promise<MovedTree> {
	const tree = await from.snapshot();
	const before = await to.snapshot();
	try {
		const sent = await send(from, to, tree, before, options);
		const after = await to.snapshot();
		if (after.id !== tree.id) throw new EnvironmentError('EIO', 'The files on the machine differ after the move.');
		return { tree, before, ...sent };
	} catch (error) {
		// A destination that is gone cannot be restored; the source still has everything.
		await to.restore(before).catch(() => undefined);
		throw error;
	}
}

async function send(
	from: ExecutionEnvironment,
	to: ExecutionEnvironment,
	tree: Snapshot,
	before: Snapshot,
	{ signal, onProgress }: MoveOptions
): Promise<{ files: number; bytes: number }> {
	await removeOthers(to, tree, before);
	const lacking = [...tree.entries].filter(
		([path, entry]) => entry.mode !== Mode.directory && !sameEntry(before.entries.get(path), entry)
	);
	const progress: MoveProgress = { files: 0, allFiles: lacking.length, bytes: 0 };
	const entries = async function* (): AsyncGenerator<LoadEntry> {
		for (const [path, { mode, blob }] of lacking) {
			requireRunning(signal);
			const bytes = await from.readBlob(blob);
			yield { path, mode, bytes };
			progress.files++;
			progress.bytes += bytes.length;
			onProgress?.({ ...progress });
		}
	};
	await to.load(entries(), { restored: true });
	requireRunning(signal);
	for (const [path, { mode }] of tree.entries) if (mode === Mode.directory) await to.makeDirectory(path);
	return { files: progress.files, bytes: progress.bytes };
}

/** Removes what is in the way: paths that are not in the tree, or change between file and directory. */
async function removeOthers(to: ExecutionEnvironment, tree: Snapshot, before: Snapshot): Promise<void> {
	const wanted = new Set<string>();
	for (const path of tree.entries.keys())
		for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) wanted.add(path.slice(0, end));
	const removed = new Set<string>();
	for (const path of before.entries.keys()) {
		const top = topmost(path, (place) => !wanted.has(place) || becomesFile(tree, place, path));
		if (top === undefined || removed.has(top)) continue;
		removed.add(top);
		if (await to.fileExists(top)) await to.remove(top, { recursive: true });
		else await removeLink(to, top);
	}
}

/** A link that leads nowhere does not exist for `fileExists`. */
async function removeLink(to: ExecutionEnvironment, path: string): Promise<void> {
	const isThere = await to.stat(path).then(
		() => true,
		() => false
	);
	if (isThere) await to.remove(path);
}

/** Shortest part of a path, from the top, that meets the condition. */
function topmost(path: string, condition: (place: string) => boolean): string | undefined {
	for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
		if (condition(path.slice(0, end))) return path.slice(0, end);
	return condition(path) ? path : undefined;
}

/** True for a directory that is a file in the tree, and for a file that is a directory there. */
function becomesFile(tree: Snapshot, place: string, path: string): boolean {
	const entry = tree.entries.get(place);
	const isFile = entry !== undefined && entry.mode !== Mode.directory;
	return place === path ? !entry : isFile;
}

function requireRunning(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new EnvironmentError('EAGAIN', 'The move was cancelled.');
}
