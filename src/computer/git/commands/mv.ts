import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { connectModule, requirePlainPlace } from '../submodule/git-directory.ts';
import { moveModule, requireStagedModules, stageModules } from '../submodule/gitmodules-edit.ts';
import { isChanged, lstatOrNull, removeFile, writeFile } from '../worktree/checkout.ts';
import { adviseOnMovedChanges, adviseOnSkipped } from '../worktree/skipped-entries.ts';
import { requireWorktreePath } from '../worktree/verify-path.ts';

const USAGE = 'mv [<options>] <source>... <destination>';

/** Options that decide whether a move is possible. */
interface MoveHow {
	forces: boolean;
	/** Moves paths outside the sparse checkout too. */
	includesSparse: boolean;
}

interface Move {
	from: string;
	to: string;
	moved: IndexEntry[];
}

export const mv: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		force: '-f --force',
		skip: '-k',
		dryRun: '-n --dry-run',
		verbose: '-v --verbose',
		sparse: '--sparse'
	});
	const { repository } = git;
	const { index } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	if (given.length < 2) throw new GitError(`usage: git ${USAGE}`, 129);
	const how = { forces: options.has('force'), includesSparse: options.has('sparse') };
	const moves: Move[] = [];
	const skipped: string[] = [];
	const { places, isLeftOut } = placesOf(repository, given);
	for (const { from, to } of places) {
		if (options.has('dryRun')) git.out(`Checking rename of '${from}' to '${to}'\n`);
		const moved = index.entries().filter(({ path }) => path === from || path.startsWith(`${from}/`));
		const isTaken = moves.some((move) => move.to === to);
		const bad = isTaken
			? 'multiple sources for the same target'
			: fault(repository, { from, to, moved }, { ...how, isLeftOut });
		if (bad === null) {
			const outside = how.includesSparse ? [] : pathsOutside(repository, { from, to, moved });
			skipped.push(...outside);
			if (outside.length > 0) continue;
			moves.push({ from, to, moved });
			if (how.forces && lstatOrNull(repository, repository.absolute(to)) && options.has('verbose'))
				git.err(`warning: overwriting '${to}'\n`);
		} else if (!options.has('skip')) throw fatal(`${bad}, source=${from}, destination=${to}`);
	}
	if (adviseOnSkipped(git, skipped) && !options.has('skip')) return 1;
	if (moves.some(({ moved }) => moved.some(({ mode }) => mode === Mode.commit))) requireStagedModules(repository);
	const movement = new Movement(git);
	for (const move of moves) {
		if (options.has('verbose') || options.has('dryRun')) git.out(`Renaming ${move.from} to ${move.to}\n`);
		if (!options.has('dryRun')) movement.move(move, isLeftOut);
	}
	if (options.has('dryRun')) return 0;
	movement.finish();
	return 0;
};

/** Moves files in the worktree and in the index. */
class Movement {
	#areModulesMoved = false;
	readonly #changed: string[] = [];

	constructor(private readonly git: Invocation) {}

	/** @param isLeftOut whether the destination is outside the sparse checkout */
	move(move: Move, isLeftOut: boolean): void {
		const { from, to, moved } = move;
		const { repository } = this.git;
		const { files, index } = repository;
		const isPresent = lstatOrNull(repository, repository.absolute(from)) !== null;
		if (isLeftOut || !isPresent) return this.#moveEntries(move);
		const gitDirs = moduleDirectories(repository, moved);
		files.rename(repository.absolute(from), repository.absolute(to));
		for (const [path, gitDir] of gitDirs) {
			const place = to + path.slice(from.length);
			if (gitDir !== null) connectModule(repository, place, gitDir);
			this.#areModulesMoved = moveModule(this.git, path, place) || this.#areModulesMoved;
		}
		for (const entry of moved) index.remove(entry.path);
		for (const entry of moved) this.#place({ ...entry, path: to + entry.path.slice(from.length) });
	}

	/** Moves entry by entry, since the source or the destination is outside the sparse checkout. */
	#moveEntries({ from, to, moved }: Move): void {
		const { repository } = this.git;
		const { files, index, sparse } = repository;
		for (const entry of moved) {
			const path = to + entry.path.slice(from.length);
			const source = repository.absolute(entry.path);
			const isPresent = !entry.skipWorktree && lstatOrNull(repository, source) !== null;
			const isLost = isPresent && isChanged(repository, entry.path, entry);
			index.remove(entry.path);
			if (!isPresent || sparse.has(path)) this.#place({ ...entry, path });
			else if (isLost) {
				this.#changed.push(path);
				requireWorktreePath(path);
				files.mkdir(repository.absolute(path.slice(0, Math.max(path.lastIndexOf('/'), 0))), { recursive: true });
				files.rename(source, repository.absolute(path));
				index.set({ ...entry, path });
			} else {
				removeFile(repository, entry.path);
				index.set({ ...entry, path, skipWorktree: true });
			}
		}
		removeEmptyDirectories(repository, from);
	}

	/** Adds an entry under its new path, and its file if it is inside the sparse checkout now. */
	#place(entry: IndexEntry): void {
		const { repository } = this.git;
		const { index, sparse } = repository;
		const isWritten = entry.skipWorktree && sparse.isActive && sparse.isCone && sparse.has(entry.path);
		index.set(isWritten ? writeFile(repository, entry.path, entry) : entry);
	}

	finish(): void {
		const { repository } = this.git;
		adviseOnMovedChanges(this.git, this.#changed);
		if (this.#areModulesMoved) stageModules(repository);
		repository.index.save();
	}
}

/** Removes a directory of which only empty directories are left. */
function removeEmptyDirectories(repository: Repository, path: string): void {
	requireWorktreePath(path);
	const full = repository.absolute(path);
	if (lstatOrNull(repository, full)?.kind !== 'directory') return;
	if (repository.files.walk(full).every(({ stat }) => stat.kind === 'directory'))
		repository.files.remove(full, { recursive: true });
}

/** Paths that a move needs outside the sparse checkout. */
function pathsOutside({ sparse }: Repository, { from, to, moved }: Move): string[] {
	return moved.flatMap(({ path, skipWorktree }) => {
		if (skipWorktree) return [path];
		const target = to + path.slice(from.length);
		return [path, target].filter((one) => !sparse.has(one));
	});
}

/** Git directories of moved submodules by path; null if it is inside the submodule and moves with it. */
function moduleDirectories(repository: Repository, moved: readonly IndexEntry[]): Map<string, string | null> {
	const modules = moved.filter(({ mode }) => mode === Mode.commit);
	const found = modules.map(({ path }) => {
		requirePlainPlace(repository, path);
		const isFile = lstatOrNull(repository, `${repository.absolute(path)}/.git`)?.kind === 'file';
		return [path, isFile ? (repository.nested(path)?.gitDir ?? null) : null] as const;
	});
	return new Map(found);
}

/** Returns whether a directory is missing because all of it is outside the sparse checkout. */
function isSparseDirectory({ index, sparse }: Repository, directory: string): boolean {
	if (sparse.has(`${directory}/`)) return false;
	return index.entries().find(({ path }) => path.startsWith(`${directory}/`))?.skipWorktree === true;
}

/**
 * Sources and destinations relative to the top of the worktree, and whether the destination is outside the sparse
 * checkout.
 *
 * @throws GitError if the destination is not a directory
 */
function placesOf(
	repository: Repository,
	given: readonly string[]
): { places: { from: string; to: string }[]; isLeftOut: boolean } {
	const { files, sparse } = repository;
	const last = given.at(-1) ?? '';
	const sources = given.slice(0, -1);
	const destination = repository.fromCwd(last === '' ? '.' : last);
	const isThere = lstatOrNull(repository, repository.absolute(destination))?.kind === 'directory';
	const isSparse = !isThere && isSparseDirectory(repository, destination);
	const isDirectory = isThere || isSparse;
	if (sources.length > 1 && !isDirectory) throw fatal(`destination '${last}' is not a directory`);
	const places = sources.map((name) => {
		const from = repository.fromCwd(name);
		const isMovedDirectory = files.statOrNull(repository.absolute(from))?.kind === 'directory';
		if (!isDirectory && last.endsWith('/') && !isMovedDirectory)
			throw fatal(`destination directory does not exist, source=${from}, destination=${destination}/`);
		const inside = destination === '' ? '' : `${destination}/`;
		return { from, to: isDirectory ? inside + from.slice(from.lastIndexOf('/') + 1) : destination };
	});
	return { places, isLeftOut: isSparse || (!isThere && !sparse.isInCone(destination)) };
}

/** Reason why a move is impossible; null if it is possible. */
function fault(
	repository: Repository,
	{ from, to, moved }: Move,
	how: MoveHow & { isLeftOut: boolean }
): string | null {
	const { index } = repository;
	const source = lstatOrNull(repository, repository.absolute(from));
	if (!source) return sparseFault(repository, { from, to, moved }, how);
	if (to === from || to.startsWith(`${from}/`)) return 'can not move directory into itself';
	const there = lstatOrNull(repository, repository.absolute(to));
	if (source.kind === 'directory' && there) return 'destination already exists';
	if (moved.length === 0)
		return source.kind === 'directory' ? 'source directory is empty' : 'not under version control';
	if (moved.some(({ stage }) => stage > 0)) return 'conflicted';
	const isTaken = (path: string) => index.has(to + path.slice(from.length));
	const taken =
		how.includesSparse && how.isLeftOut && !how.forces ? moved.find(({ path }) => isTaken(path)) : undefined;
	if (taken)
		throw fatal(
			`destination exists in the index, source=${taken.path}, destination=${to + taken.path.slice(from.length)}`
		);
	if (source.kind === 'directory' && !index.get(from)) return null;
	if (there) {
		if (!how.forces) return 'destination exists';
		return there.kind === 'directory' ? 'Cannot overwrite' : null;
	}
	const parent = to.includes('/') ? to.slice(0, to.lastIndexOf('/')) : '';
	if (how.isLeftOut) return null;
	return lstatOrNull(repository, repository.absolute(parent))?.kind === 'directory'
		? null
		: 'destination directory does not exist';
}

/** Same for a source that is missing in the worktree, which is allowed outside the sparse checkout. */
function sparseFault(repository: Repository, { from, to, moved }: Move, how: MoveHow): string | null {
	const { index } = repository;
	const isSparse = index.get(from)?.skipWorktree === true || isSparseDirectory(repository, from);
	if (!isSparse) return 'bad source';
	if (!how.includesSparse || how.forces) return null;
	return moved.some(({ path }) => index.has(to + path.slice(from.length))) ? 'destination exists' : null;
}
