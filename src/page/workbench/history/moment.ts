import { Mode } from '#environment/mode.ts';
import { diffTrees } from '#workspace/tree-diff.ts';

/** Files of one moment: path relative to the working directory → mode and content id. */
export type MomentTree = ReadonlyMap<string, { mode: number; blob: string }>;

/** Files at each moment of a history, wherever they are stored. */
export interface HistoryFiles {
	/** @param at index of the moment; `count` is the present */
	tree(at: number): Promise<MomentTree>;
	read(blob: string): Promise<Uint8Array>;
}

/** A file that differs from the previous moment. */
export interface MomentChange {
	path: string;
	kind: 'added' | 'modified' | 'removed';
}

/** State of the project at one moment. */
export interface Moment {
	/** Sorted paths of the files, without git's own. */
	paths: readonly string[];
	/** Changes since the previous moment. */
	changes: readonly MomentChange[];
	/** Both versions of a file; `null` if there was none. */
	sides(path: string): Promise<{ before: Uint8Array | null; after: Uint8Array | null }>;
}

/** Reads the files at one moment and compares them with the previous moment. */
export async function readMoment(files: HistoryFiles, at: number): Promise<Moment> {
	const [before, after] = await Promise.all([files.tree(Math.max(0, at - 1)), files.tree(at)]);
	const read = async (entry: { blob: string } | undefined): Promise<Uint8Array | null> =>
		entry ? files.read(entry.blob) : null;
	const [old, now] = [ownFiles(before), ownFiles(after)];
	const changes = diffTrees(old, now).map(({ path, kind }): MomentChange => ({ path, kind }));
	return {
		paths: [...now.keys()].sort(),
		changes,
		sides: async (path) => ({ before: await read(old.get(path)), after: await read(now.get(path)) })
	};
}

/** Filters out directories and git's own files. */
function ownFiles(tree: MomentTree): Map<string, { mode: number; blob: string }> {
	return new Map([...tree].filter(([path, { mode }]) => mode !== Mode.directory && !path.startsWith('.git/')));
}
