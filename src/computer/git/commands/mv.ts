import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { lstatOrNull } from '../worktree/checkout.ts';

export const mv: Command = (git, args) => {
	const options = parseOptions('mv [<options>] <source>... <destination>', args, {
		force: '-f --force',
		skip: '-k',
		dryRun: '-n --dry-run',
		verbose: '-v --verbose'
	});
	const { repository } = git;
	const { index, files } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	if (given.length < 2) throw new GitError('usage: git mv [<options>] <source>... <destination>', 129);
	const destination = repository.fromCwd(given.at(-1)!);
	const isDirectory = files.statOrNull(repository.absolute(destination))?.kind === 'directory';
	if (given.length > 2 && !isDirectory) throw fatal(`destination '${given.at(-1)}' is not a directory`);
	for (const name of given.slice(0, -1)) {
		const from = repository.fromCwd(name);
		const to = isDirectory
			? (destination === '' ? '' : `${destination}/`) + from.slice(from.lastIndexOf('/') + 1)
			: destination;
		const moved = index.entries().filter(({ path }) => path === from || path.startsWith(`${from}/`));
		const bad = !lstatOrNull(repository, repository.absolute(from))
			? 'bad source'
			: moved.length === 0
				? 'not under version control'
				: lstatOrNull(repository, repository.absolute(to)) && !options.has('force')
					? 'destination exists'
					: null;
		if (bad !== null) {
			if (options.has('skip')) continue;
			throw fatal(`${bad}, source=${from}, destination=${to}`);
		}
		if (options.has('verbose') || options.has('dryRun')) git.out(`Renaming ${from} to ${to}\n`);
		if (options.has('dryRun')) continue;
		files.rename(repository.absolute(from), repository.absolute(to));
		for (const entry of moved) {
			index.remove(entry.path);
			index.set({ ...entry, path: to + entry.path.slice(from.length) });
		}
	}
	index.save();
	return 0;
};
