import type { ExecutionEnvironment, LoadEntry, Snapshot } from '../contract.ts';
import { requireEntryPath } from '../entry-path.ts';
import { EnvironmentError, isEnvironmentError } from '../errors.ts';
import { belowWorkingDirectory } from '../folders.ts';
import { Mode } from '../mode.ts';
import { sameEntry } from '../snapshot-diff.ts';
import { readAhead } from './read-ahead.ts';

export interface MoveProgress {
	/** Files sent: those that the destination lacked. */
	files: number;
	allFiles: number;
	bytes: number;
}

export interface MoveOptions {
	/** Cancels the move; the destination is then restored. */
	signal?: AbortSignal | undefined;
	onProgress?: ((progress: MoveProgress) => void) | undefined;
	/** Paths to leave unchanged on both sides. */
	isLeftAlone?: ((path: string) => boolean) | undefined;
	/** Snapshot of the source that the caller has just taken. */
	tree?: Snapshot | undefined;
	/** Snapshot of the destination that the caller has just taken. */
	before?: Snapshot | undefined;
}

export interface MovedTree {
	/** Tree of the source, without paths that are left unchanged. */
	tree: Snapshot;
	/** Tree of the destination before the move. */
	before: Snapshot;
	files: number;
	bytes: number;
}

/** Files that a move would change at its destination. */
export interface MovePlan {
	added: number;
	replaced: number;
	removed: number;
}

type Entries = Snapshot['entries'];

/**
 * Makes the files of one environment equal to those of another: sends what the destination lacks, removes what
 * is not in the source, and succeeds only if both sides have the same tree. If it fails or is stopped, the
 * destination is restored, as far as it can still be reached. The source is only read.
 *
 * Trees are compared by their entries: kinds of environments name the same tree differently.
 */
export async function moveTree(
	from: ExecutionEnvironment,
	to: ExecutionEnvironment,
	options: MoveOptions = {}
): Promise<MovedTree> {
	const tree = withoutLeftAlone(options.tree ?? (await from.snapshot()), options);
	// Directories are created by path, and a hostile machine may have chosen the paths.
	for (const path of tree.entries.keys()) requireEntryPath(path, { restored: true });
	const before = options.before ?? (await to.snapshot());
	try {
		const sent = await send(from, to, tree.entries, withoutLeftAlone(before, options).entries, options);
		const after = withoutLeftAlone(await to.snapshot(), options);
		const place = firstDifference(tree.entries, after.entries);
		if (place !== undefined)
			throw new EnvironmentError('EIO', `The files on both sides differ after the move, first at ${place}.`, place);
		return { tree, before, ...sent };
	} catch (error) {
		// A destination that is gone cannot be restored; the source still has everything.
		await to.restore(before).catch(() => undefined);
		throw error;
	}
}

/** Counts the files that a move would add, replace and remove at its destination. */
export function planMove(tree: Snapshot, before: Snapshot, options: Pick<MoveOptions, 'isLeftAlone'> = {}): MovePlan {
	const [wanted, present] = [withoutLeftAlone(tree, options).entries, withoutLeftAlone(before, options).entries];
	const plan: MovePlan = { added: 0, replaced: 0, removed: 0 };
	for (const [path, entry] of wanted) {
		if (entry.mode === Mode.directory || sameEntry(present.get(path), entry)) continue;
		if (isFile(present, path)) plan.replaced++;
		else plan.added++;
	}
	for (const path of present.keys()) if (isFile(present, path) && !isFile(wanted, path)) plan.removed++;
	return plan;
}

async function send(
	from: ExecutionEnvironment,
	to: ExecutionEnvironment,
	tree: Entries,
	before: Entries,
	{ signal, onProgress, isLeftAlone }: MoveOptions
): Promise<{ files: number; bytes: number }> {
	await removeOthers(to, tree, before, isLeftAlone);
	const lacking = [...tree].filter(
		([path, entry]) => entry.mode !== Mode.directory && !sameEntry(before.get(path), entry)
	);
	const progress: MoveProgress = { files: 0, allFiles: lacking.length, bytes: 0 };
	const entries = async function* (): AsyncGenerator<LoadEntry> {
		const contents = readAhead(lacking, ([, { blob }]) => from.readBlob(blob));
		for await (const [[path, { mode }], bytes] of contents) {
			requireRunning(signal);
			yield { path, mode, bytes };
			progress.files++;
			progress.bytes += bytes.length;
			onProgress?.({ ...progress });
		}
	};
	onProgress?.({ ...progress });
	await to.load(entries(), { restored: true });
	requireRunning(signal);
	for (const [path, { mode }] of tree)
		if (mode === Mode.directory && before.get(path)?.mode !== Mode.directory)
			await to.makeDirectory(belowWorkingDirectory(path));
	return { files: progress.files, bytes: progress.bytes };
}

/** Removes what is in the way: paths that are not in the tree, or that change between file and directory. */
async function removeOthers(
	to: ExecutionEnvironment,
	tree: Entries,
	before: Entries,
	isLeftAlone: MoveOptions['isLeftAlone']
): Promise<void> {
	const wanted = new Set<string>();
	for (const path of tree.keys())
		for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) wanted.add(path.slice(0, end));
	const removed = new Set<string>();
	for (const [path, { mode }] of before) {
		const isDirectory = mode === Mode.directory;
		const top = topmost(path, (place) => {
			if (!wanted.has(place)) return !isLeftAlone?.(place);
			return place === path ? changesKind(tree, path, isDirectory) : isFile(tree, place);
		});
		if (top === undefined || removed.has(top)) continue;
		removed.add(top);
		await removeIfThere(to, belowWorkingDirectory(top));
	}
}

/** Uses `stat`, which does not follow links: a link may be dangling or circular. */
async function removeIfThere(to: ExecutionEnvironment, path: string): Promise<void> {
	try {
		await to.stat(path);
	} catch (error) {
		if (isEnvironmentError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return;
		throw error;
	}
	await to.remove(path, { recursive: true });
}

/** Shortest prefix of a path that meets the condition. */
function topmost(path: string, condition: (place: string) => boolean): string | undefined {
	for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
		if (condition(path.slice(0, end))) return path.slice(0, end);
	return condition(path) ? path : undefined;
}

const isFile = (tree: Entries, path: string): boolean => {
	const entry = tree.get(path);
	return entry !== undefined && entry.mode !== Mode.directory;
};

/** Returns true if a file becomes a directory or vice versa. */
const changesKind = (tree: Entries, path: string, isDirectory: boolean): boolean => isFile(tree, path) === isDirectory;

function withoutLeftAlone({ id, entries }: Snapshot, { isLeftAlone }: Pick<MoveOptions, 'isLeftAlone'>): Snapshot {
	if (!isLeftAlone) return { id, entries };
	return { id, entries: new Map([...entries].filter(([path]) => !isLeftAlone(path))) };
}

function firstDifference(wanted: Entries, found: Entries): string | undefined {
	for (const [path, entry] of wanted) if (!sameEntry(found.get(path), entry)) return path;
	for (const path of found.keys()) if (!wanted.has(path)) return path;
	return undefined;
}

function requireRunning(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new EnvironmentError('EAGAIN', 'The move was cancelled.');
}
