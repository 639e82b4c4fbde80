import type { ChangedFile, Comparison } from '../contract.ts';
import { Mode } from '#environment/mode.ts';
import type { Commit } from './commits.ts';
import { runGit, type GitEnvironment } from './run-git.ts';

/** Id of the empty tree, which git knows without storing it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Revision that a commit is compared with: its first parent, or the empty tree. */
const parentOf = (commit: Commit): string => commit.parents[0] ?? EMPTY_TREE;

/**
 * Reads the files that a commit changed, compared with its first parent, sorted by path. A rename is listed as a
 * removed and an added file.
 */
export async function readCommitFiles(environment: GitEnvironment, commit: Commit): Promise<ChangedFile[]> {
	const between = [parentOf(commit), commit.id];
	const counted = await runGit(environment, 'diff', '--numstat', '-z', '--no-renames', ...between);
	const named = await runGit(environment, 'diff', '--name-status', '-z', '--no-renames', ...between);
	const kinds = kindsOf(named.split('\0'));
	return counted.split('\0').flatMap((line): ChangedFile[] => {
		const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([^]+)$/.exec(line) ?? [];
		if (path === undefined) return [];
		const binary = added === '-';
		return [
			{
				path,
				kind: kinds.get(path) ?? 'modified',
				added: binary ? 0 : Number(added),
				removed: binary ? 0 : Number(removed),
				binary,
				version: commit.id
			}
		];
	});
}

/** Kinds of change by path, parsed from the alternating status letters and paths of `--name-status -z`. */
function kindsOf(fields: readonly string[]): Map<string, ChangedFile['kind']> {
	const kinds = new Map<string, ChangedFile['kind']>();
	for (let at = 0; at + 1 < fields.length; at += 2) {
		const [letter = '', path = ''] = fields.slice(at, at + 2);
		kinds.set(path, letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'modified');
	}
	return kinds;
}

/** Reads a file as text before and after a commit that changed it. */
export async function compareInCommit(
	environment: GitEnvironment,
	commit: Commit,
	{ path, kind }: Pick<ChangedFile, 'path' | 'kind'>
): Promise<Comparison> {
	const at = async (revision: string): Promise<Uint8Array> =>
		new TextEncoder().encode(await runGit(environment, 'cat-file', 'blob', `${revision}:${path}`));
	const before = kind === 'added' ? null : await at(parentOf(commit));
	const after = kind === 'removed' ? null : await at(commit.id);
	return { before, after, beforeMode: before && Mode.file, afterMode: after && Mode.file };
}
