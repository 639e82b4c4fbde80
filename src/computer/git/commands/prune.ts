import { encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { expiryMs } from '../history/filter.ts';
import { reachableObjects, reachedFrom } from '../history/reachable-objects.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { removePacked } from './prune-packed.ts';

const USAGE = 'prune [-n] [-v] [--progress] [--expire <time>] [--] [<head>...]';

/** `git prune`: removes unreachable loose objects. */
export const prune: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		dryRun: '-n --dry-run',
		verbose: '-v --verbose',
		// Ignored: no progress is shown.
		progress: '--progress !',
		expire: '--expire =',
		// Ignored: promisor objects may always be missing.
		noPromised: '--exclude-promisor-objects'
	});
	const { repository } = git;
	requireNotPrecious(repository, 'prune');
	repository.objects.fetchNothing();
	const heads = [...options.operands, ...(options.paths ?? [])].map((name) => {
		const id = findRevision(repository, name);
		if (id === null || !repository.objects.has(id)) throw new GitError(`fatal: unrecognized argument: ${name}`, 128);
		return id;
	});
	const expire = options.get('expire');
	const before = expire === undefined ? Infinity : expiryMs(expire, repository.files.now());
	const how = { isDryRun: options.has('dryRun'), isVerbose: options.has('verbose'), before };
	pruneObjects(git, how, heads);
	removeLeftovers(git, how);
	removePacked(git, how.isDryRun);
	if (!how.isDryRun) pruneShallow(repository);
	return 0;
};

interface PruneHow {
	isDryRun: boolean;
	isVerbose: boolean;
	/** Expiry time in milliseconds: newer objects are kept. */
	before: number;
}

/** @throws GitError if other repositories may depend on the objects */
export function requireNotPrecious({ config }: Repository, action: string): void {
	if (config.flag('extensions.preciousobjects', false)) throw fatal(`cannot ${action} in a precious-objects repo`);
}

/** Removes loose objects that are neither reachable nor reachable from recent unreachable objects. */
function pruneObjects(git: Invocation, how: PruneHow, heads: readonly string[]): void {
	const { repository } = git;
	const { objects } = repository;
	const reached = reachableObjects(repository, heads);
	const loose = objects.looseIds().filter((id) => !reached.has(id));
	const recent = how.before === Infinity ? [] : recentIds(repository, how.before).filter((id) => !reached.has(id));
	const kept = reachedFrom(repository, recent, true);
	for (const id of loose) {
		if (kept.has(id)) continue;
		if (how.isDryRun || how.isVerbose) git.out(`${id} ${objects.find(id)?.type ?? 'unknown'}\n`);
		if (!how.isDryRun) objects.removeLoose(id);
	}
}

/** Ids of objects modified after a time. */
function recentIds({ objects }: Repository, since: number): string[] {
	return objects.ids().filter((id) => objects.modifiedMs(id) > since);
}

/** Removes stale temporary files of interrupted writes. */
function removeLeftovers(git: Invocation, how: PruneHow): void {
	const { files, objects } = git.repository;
	const { directory } = objects;
	const places = [
		directory,
		`${directory}/pack`,
		...files
			.readdir(directory)
			.flatMap(({ name, kind }) => (kind === 'directory' && /^[0-9a-f]{2}$/.test(name) ? [`${directory}/${name}`] : []))
	];
	for (const place of places) {
		if (!files.statOrNull(place)) continue;
		for (const { name, kind } of files.readdir(place)) {
			const path = `${place}/${name}`;
			if (kind !== 'file' || !/^(?:\.tmp-|tmp_)/.test(name) || files.stat(path).modifiedMs > how.before) continue;
			if (how.isDryRun || how.isVerbose) git.out(`Removing stale temporary file ${path}\n`);
			if (!how.isDryRun) files.remove(path, { force: true });
		}
	}
}

/** Removes missing commits from the list of shallow commits. */
function pruneShallow(repository: Repository): void {
	const { files, commonDir, objects } = repository;
	const ends = [...repository.shallowCommits()];
	const left = ends.filter((id) => objects.has(id));
	if (left.length === ends.length) return;
	if (left.length === 0) files.remove(`${commonDir}/shallow`, { force: true });
	else files.writeFile(`${commonDir}/shallow`, encode(left.map((id) => `${id}\n`).join('')));
	repository.forgetShallow();
}
