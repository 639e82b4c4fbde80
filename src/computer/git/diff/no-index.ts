import { absolute, basename } from '#computer/abi/paths.ts';
import { GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { objectId } from '../objects/object.ts';
import { Mode } from '#environment/mode.ts';
import { Repository } from '../repository.ts';
import { contentOf, modeOf } from '../worktree/file-state.ts';
import type { Change, ChangeSide } from './change.ts';
import { readAttributesOfFiles } from './compared-file.ts';

const STDIN = '-';

/** The current repository, whose config also applies to files outside it; without one, an empty repository. */
export function repositoryOrNone(git: Invocation): Repository {
	try {
		return git.repository;
	} catch (error) {
		if (error instanceof GitError) return new Repository(git.surroundings, '/', '/dev/null');
		throw error;
	}
}

/** Returns whether the arguments are two files that are not both in the repository, which implies `--no-index`. */
export function areBeside(git: Invocation, given: readonly string[]): boolean {
	if (given.length !== 2) return false;
	const { root, isBare } = repositoryOrNone(git);
	const isInside = (path: string) => {
		const full = absolute(path, git.cwd);
		return full === root || full.startsWith(`${root}/`);
	};
	if (root !== '/' && (isBare || given.every(isInside))) return false;
	return given.every((path) => path === STDIN || git.surroundings.files.statOrNull(absolute(path, git.cwd)));
}

/**
 * Compares two files, or all files of two directories, inside or outside a repository.
 * @returns the changes, and the repository whose config applies
 */
export function filesBeside(git: Invocation, given: readonly string[]): { repository: Repository; changes: Change[] } {
	const [left, right] = given;
	if (left === undefined || right === undefined || given.length > 2)
		throw new GitError('usage: git diff --no-index [<options>] <path> <path>', 129);
	const pairing = new Pairing(git);
	const [first, second] = pairing.fitting(left, right);
	pairing.compare(first, second);
	const repository = repositoryOrNone(git);
	readAttributesOfFiles(repository);
	return { repository, changes: pairing.changes };
}

class Pairing {
	readonly changes: Change[] = [];

	constructor(private readonly git: Invocation) {}

	/** Pairs a file with the file of the same name in a directory. */
	fitting(left: string, right: string): [string, string] {
		if (left === STDIN || right === STDIN) return [left, right];
		const isDirectory = (path: string) =>
			this.git.surroundings.files.statOrNull(absolute(path, this.git.cwd))?.kind === 'directory';
		const [isLeft, isRight] = [isDirectory(left), isDirectory(right)];
		if (isLeft === isRight) return [left, right];
		const within = (directory: string, file: string) => `${directory.replace(/\/$/, '')}/${basename(file)}`;
		return isLeft ? [within(left, right), right] : [left, within(right, left)];
	}

	/** Compares two paths; null if there is no path on that side. */
	compare(left: string | null, right: string | null): void {
		const [from, to] = [this.#kind(left), this.#kind(right)];
		if (from !== 'directory' && to !== 'directory') return this.#add(this.#side(left), this.#side(right));
		// A file instead of a directory: shown as a deletion and an addition.
		if (from === 'file') this.#add(this.#side(left), null);
		if (to === 'file') this.#add(null, this.#side(right));
		const names = (path: string | null, kind: string) =>
			path !== null && kind === 'directory' ? this.#names(path) : [];
		const [before, after] = [names(left, from), names(right, to)];
		const within = (path: string | null, all: readonly string[], name: string) =>
			path !== null && all.includes(name) ? `${path.replace(/\/$/, '')}/${name}` : null;
		for (const name of [...new Set([...before, ...after])].sort())
			this.compare(within(left, before, name), within(right, after, name));
	}

	#names(path: string): string[] {
		return this.git.surroundings.files.readdir(absolute(path, this.git.cwd)).map(({ name }) => name);
	}

	#kind(path: string | null): 'none' | 'file' | 'directory' {
		if (path === null || path === '/dev/null') return 'none';
		if (path === STDIN) return 'file';
		const stat = this.#lstat(path);
		if (!stat) throw new GitError(`error: Could not access '${path}'`, 1);
		return stat.kind === 'directory' ? 'directory' : 'file';
	}

	#lstat(path: string) {
		const { files } = this.git.surroundings;
		const full = absolute(path, this.git.cwd);
		// A path with a trailing slash refers to the target of a link.
		if (path.endsWith('/')) return files.statOrNull(full);
		const parent = absolute('..', full);
		if (files.statOrNull(parent)?.kind !== 'directory') return null;
		return files.readdir(parent).some(({ name }) => name === basename(full)) || full === '/' ? files.lstat(full) : null;
	}

	#side(path: string | null): ChangeSide | null {
		if (path === null || path === '/dev/null') return null;
		if (path === STDIN) {
			const content = this.git.input();
			return { path, mode: Mode.file, id: objectId('blob', content), inWorktree: false, content };
		}
		const stat = this.#lstat(path)!;
		const { files } = this.git.surroundings;
		const full = absolute(path, this.git.cwd);
		// Contents of special files, such as pipes, are read like those of regular files.
		const content = contentOf(files, full, stat);
		return { path, mode: modeOf(stat), id: objectId('blob', content), inWorktree: false, content };
	}

	#add(before: ChangeSide | null, after: ChangeSide | null): void {
		if (before?.id === after?.id && before?.mode === after?.mode) return;
		const isOtherKind = before && after && (before.mode & 0o170000) !== (after.mode & 0o170000);
		const status = !before ? 'A' : !after ? 'D' : isOtherKind ? 'T' : 'M';
		this.changes.push({ status, before, after, similarity: 0 });
	}
}
