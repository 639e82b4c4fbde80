import { GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'prune-packed [-n | --dry-run] [-q | --quiet]';

/** `git prune-packed`: removes loose objects that are also in a pack. */
export const prunePacked: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { dryRun: '-n --dry-run', quiet: '-q --quiet !' });
	if (options.operands.length > 0) throw new GitError(`fatal: too many arguments\n\nusage: git ${USAGE}`, 129);
	removePacked(git, options.has('dryRun'));
	return 0;
};

/** Removes loose objects that are also in a pack, or prints them for a dry run. */
export function removePacked(git: Invocation, isDryRun: boolean): void {
	const { objects, files, cwd } = git.repository;
	for (const id of objects.looseIds()) {
		if (!objects.packs.some(({ index }) => index.offsetOf(id) !== null)) continue;
		const path = objects.loosePath(id);
		if (isDryRun) git.out(`rm -f ${path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path}\n`);
		else objects.removeLoose(id);
	}
	if (isDryRun) return;
	for (const { name, kind } of files.readdir(objects.directory)) {
		const path = `${objects.directory}/${name}`;
		if (kind === 'directory' && /^[0-9a-f]{2}$/.test(name) && files.readdir(path).length === 0) files.rmdir(path);
	}
}
