import { Mode } from '#environment/mode.ts';
import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { worktreeFile } from '../worktree/file-state.ts';
import type { Change, ChangeSide } from './change.ts';
import { diffMisused, type NamedBlob } from './ends.ts';

/** Compares two blobs, or one blob with a file of the working tree. */
export function compareBlobs(repository: Repository, blobs: readonly NamedBlob[], paths: readonly string[]): Change[] {
	const [one, other] = blobs;
	const [path] = paths;
	if (!one || paths.length !== (other ? 0 : 1)) throw diffMisused();
	if (other) return changed(blobSide(one), blobSide(other));
	const after = fileSide(repository, repository.fromCwd(path!));
	// A blob named by its id has the path and the mode of the file.
	return changed(blobSide(one, after.path, after.mode), after);
}

const blobSide = (
	{ id, mode, path, name }: NamedBlob,
	otherPath = name,
	otherMode: number = Mode.file
): ChangeSide => ({
	id,
	mode: mode ?? otherMode,
	path: path ?? otherPath,
	inWorktree: false
});

function fileSide(repository: Repository, path: string): ChangeSide {
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (!stat) throw fatal(`failed to stat '${path}': No such file or directory`);
	return { path, ...worktreeFile(repository, path, stat), inWorktree: true };
}

const changed = (before: ChangeSide, after: ChangeSide): Change[] =>
	before.id === after.id && before.mode === after.mode ? [] : [{ status: 'M', before, after, similarity: 0 }];
