import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import type { IndexEntry } from '../index/index-file.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { connectModule, requirePlainPlace } from '../submodule/git-directory.ts';
import { moveModule, requireStagedModules, stageModules } from '../submodule/gitmodules-edit.ts';
import { lstatOrNull } from '../worktree/checkout.ts';

const USAGE = 'mv [<options>] <source>... <destination>';

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
		verbose: '-v --verbose'
	});
	const { repository } = git;
	const { index, files } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	if (given.length < 2) throw new GitError(`usage: git ${USAGE}`, 129);
	const moves: Move[] = [];
	for (const { from, to } of placesOf(repository, given)) {
		if (options.has('dryRun')) git.out(`Checking rename of '${from}' to '${to}'\n`);
		const moved = index.entries().filter(({ path }) => path === from || path.startsWith(`${from}/`));
		const isTaken = moves.some((move) => move.to === to);
		const bad = isTaken
			? 'multiple sources for the same target'
			: fault(repository, { from, to, moved }, options.has('force'));
		if (bad === null) {
			moves.push({ from, to, moved });
			if (options.has('force') && lstatOrNull(repository, repository.absolute(to)) && options.has('verbose'))
				git.err(`warning: overwriting '${to}'\n`);
		} else if (!options.has('skip')) throw fatal(`${bad}, source=${from}, destination=${to}`);
	}
	if (moves.some(({ moved }) => moved.some(({ mode }) => mode === Mode.commit))) requireStagedModules(repository);
	let areModulesMoved = false;
	for (const { from, to, moved } of moves) {
		if (options.has('verbose') || options.has('dryRun')) git.out(`Renaming ${from} to ${to}\n`);
		if (options.has('dryRun')) continue;
		const gitDirs = moduleDirectories(repository, moved);
		files.rename(repository.absolute(from), repository.absolute(to));
		for (const [path, gitDir] of gitDirs) {
			const place = to + path.slice(from.length);
			if (gitDir !== null) connectModule(repository, place, gitDir);
			areModulesMoved = moveModule(git, path, place) || areModulesMoved;
		}
		for (const entry of moved) index.remove(entry.path);
		for (const entry of moved) index.set({ ...entry, path: to + entry.path.slice(from.length) });
	}
	if (options.has('dryRun')) return 0;
	if (areModulesMoved) stageModules(repository);
	index.save();
	return 0;
};

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

/**
 * Sources and destinations relative to the top of the worktree.
 *
 * @throws GitError if the destination is not a directory
 */
function placesOf(repository: Repository, given: readonly string[]): { from: string; to: string }[] {
	const { files } = repository;
	const last = given.at(-1) ?? '';
	const sources = given.slice(0, -1);
	const destination = repository.fromCwd(last === '' ? '.' : last);
	const isDirectory = lstatOrNull(repository, repository.absolute(destination))?.kind === 'directory';
	if (sources.length > 1 && !isDirectory) throw fatal(`destination '${last}' is not a directory`);
	return sources.map((name) => {
		const from = repository.fromCwd(name);
		const isMovedDirectory = files.statOrNull(repository.absolute(from))?.kind === 'directory';
		if (!isDirectory && last.endsWith('/') && !isMovedDirectory)
			throw fatal(`destination directory does not exist, source=${from}, destination=${destination}/`);
		const inside = destination === '' ? '' : `${destination}/`;
		return { from, to: isDirectory ? inside + from.slice(from.lastIndexOf('/') + 1) : destination };
	});
}

/** Reason why a move is impossible; null if it is possible. */
function fault(repository: Repository, { from, to, moved }: Move, forces: boolean): string | null {
	const { index } = repository;
	const source = lstatOrNull(repository, repository.absolute(from));
	if (!source) return 'bad source';
	if (to === from || to.startsWith(`${from}/`)) return 'can not move directory into itself';
	const there = lstatOrNull(repository, repository.absolute(to));
	if (source.kind === 'directory' && there) return 'destination already exists';
	if (moved.length === 0)
		return source.kind === 'directory' ? 'source directory is empty' : 'not under version control';
	if (moved.some(({ stage }) => stage > 0)) return 'conflicted';
	if (source.kind === 'directory' && !index.get(from)) return null;
	if (there) {
		if (!forces) return 'destination exists';
		return there.kind === 'directory' ? 'Cannot overwrite' : null;
	}
	const parent = to.includes('/') ? to.slice(0, to.lastIndexOf('/')) : '';
	return lstatOrNull(repository, repository.absolute(parent))?.kind === 'directory'
		? null
		: 'destination directory does not exist';
}
