import { Mode } from '#environment/mode.ts';
import type { Repository } from '../repository.ts';
import type { TreeFile } from './tree-files.ts';

/** Fetches the contents of files that are read next, if a partial clone lacks them. */
export function prefetchFiles({ objects }: Repository, files: Iterable<TreeFile>): void {
	objects.prefetch([...files].flatMap(({ mode, id }) => (mode === Mode.commit ? [] : [id])));
}

/** Fetches the contents of files that are written next, except those that a sparse checkout leaves out. */
export function prefetchTracked(
	repository: Repository,
	files: Iterable<readonly [path: string, file: TreeFile]>
): void {
	prefetchFiles(
		repository,
		[...files].flatMap(([path, file]) => (repository.sparse.has(path) ? [file] : []))
	);
}
