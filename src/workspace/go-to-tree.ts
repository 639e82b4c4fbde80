import type { ExecutionEnvironment } from '#environment/contract.ts';
import { belowWorkingDirectory, foldersOf } from '#environment/folders.ts';
import { Mode } from '#environment/mode.ts';
import { TimeSlice } from '#environment/time-slice.ts';
import type { ReadonlyTree } from './checkpoint-store.ts';
import { contentsOf } from './put-tree.ts';
import { removeIfThere } from './remove-if-there.ts';
import { diffLargeTrees } from './tree-diff.ts';

/**
 * Makes the working directory equal to a tree; only differences are read and written, and a folder that the
 * tree lacks is removed with one call.
 *
 * @param now current files
 * @param readBlob reads the content of a blob id
 */
export async function goToTree(
	environment: ExecutionEnvironment,
	now: ReadonlyTree,
	tree: ReadonlyTree,
	readBlob: (id: string) => Promise<Uint8Array>
): Promise<void> {
	const changes = await diffLargeTrees(now, tree, () => true, { directories: true });
	if (changes.length === 0) return;
	const folders = await foldersOf(tree.keys());
	const gone = new Set<string>();
	const present: string[] = [];
	const slice = new TimeSlice();
	for (const { path, kind } of changes) {
		if (slice.isExpired()) await slice.yieldThread();
		if (kind === 'removed') gone.add(highestGone(path, folders));
		else {
			present.push(path);
			// A file replaces a directory, or the other way round.
			const [was, wanted] = [now.get(path)?.mode, tree.get(path)?.mode];
			if (was !== undefined && (was === Mode.directory) !== (wanted === Mode.directory)) gone.add(path);
		}
	}
	for (const path of gone) await removeIfThere(environment, path);
	for (const path of present)
		if (tree.get(path)?.mode === Mode.directory) await environment.makeDirectory(belowWorkingDirectory(path));
	await environment.load(contentsOf(tree, present, readBlob), { restored: true });
}

/** The topmost missing folder that contains a path, or the path itself. */
function highestGone(path: string, folders: ReadonlySet<string>): string {
	for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
		const folder = path.slice(0, end);
		if (!folders.has(folder)) return folder;
	}
	return path;
}
