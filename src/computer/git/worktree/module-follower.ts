import { Mode } from '#environment/mode.ts';
import { GitError } from '../errors.ts';
import type { TreeFile } from './tree-files.ts';

/** Moves submodules along with the files of their superproject. */
export interface ModuleFollower {
	/**
	 * Prints the reasons why a submodule cannot be moved, without moving it. Returns false if there are any.
	 *
	 * @param to commit, or null to remove the submodule
	 */
	canMove(path: string, to: string | null): boolean;
	/** Moves a submodule. Returns false if it is not one that follows. @throws GitError if it cannot be moved */
	move(path: string, to: string | null): boolean;
}

/** Change of one path. */
interface EntryChange {
	path: string;
	before: TreeFile | undefined;
	after: TreeFile | undefined;
}

/** @throws GitError if a submodule cannot be moved as planned */
export function requireMovable(changes: readonly EntryChange[], modules: ModuleFollower): void {
	const isStuck = ({ path, before, after }: EntryChange): boolean => {
		if (after?.mode === Mode.commit) return !modules.canMove(path, after.id);
		return before?.mode === Mode.commit && !modules.canMove(path, null);
	};
	const stuck = changes.filter(isStuck).map(({ path }) => `\t${path}\n`);
	if (stuck.length > 0) throw new GitError(`error: Cannot update submodule:\n${stuck.join('')}\nAborting`, 1);
}
