import { absolute } from '#computer/abi/paths.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { objectId } from '../objects/object.ts';
import { Repository } from '../repository.ts';
import { contentOf, modeOf } from '../worktree/file-state.ts';
import type { Change, ChangeSide } from './change.ts';

/**
 * Compares two files, or all files of two directories, in a repository or not.
 * @returns the changes, and a repository without objects to print them with
 */
export function filesBeside(git: Invocation, given: readonly string[]): { repository: Repository; changes: Change[] } {
	const [left, right] = given;
	if (left === undefined || right === undefined || given.length > 2) {
		throw new GitError('usage: git diff --no-index [<options>] <path> <path>', 129);
	}
	const { files } = git.surroundings;
	const repository = new Repository(git.surroundings, '/', '/dev/null');
	const find = (path: string): Map<string, ChangeSide> => {
		const full = absolute(path, git.cwd);
		const stat = files.statOrNull(full);
		if (!stat) throw new GitError(`error: Could not access '${path}'`, 1);
		const side = (name: string, at: string): ChangeSide => {
			const found = files.lstat(at);
			const content = contentOf(files, at, found);
			return { path: name, mode: modeOf(found), id: objectId('blob', content), inWorktree: false, content };
		};
		if (stat.kind !== 'directory') return new Map([['', side(path, full)]]);
		const inside = files.walk(full).filter((entry) => entry.stat.kind !== 'directory');
		const base = path.replace(/\/$/, '');
		return new Map(
			inside.map((entry) => {
				const name = entry.path.slice(full.length);
				return [name, side(base + name, entry.path)];
			})
		);
	};
	const before = find(left);
	const after = find(right);
	if (before.has('') !== after.has('')) throw fatal('a file and a directory cannot be compared: name the file in it');
	const names = [...new Set([...before.keys(), ...after.keys()])].sort();
	const changes = names.flatMap((name): Change[] => {
		const [old, now] = [before.get(name) ?? null, after.get(name) ?? null];
		if (old?.id === now?.id && old?.mode === now?.mode) return [];
		return [{ status: !old ? 'A' : !now ? 'D' : 'M', before: old, after: now, similarity: 0 }];
	});
	return { repository, changes };
}
