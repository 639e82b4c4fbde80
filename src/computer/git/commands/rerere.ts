import { binaryBytes, nameText, splitLines } from '../diff/lines.ts';
import { plainHunks } from '../diff/plain-hunks.ts';
import { fatal, GitError } from '../errors.ts';
import { agoDate } from '../history/dates.ts';
import { integerOf } from '../config/values.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import {
	conflictingPaths,
	contentAt,
	forgetConflicts,
	forgetResolution,
	rememberResolutions,
	remembersResolutions
} from '../rerere/rerere.ts';
import { ResolutionCache } from '../rerere/resolution-cache.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const USAGE = 'rerere [clear | forget <pathspec>... | diff | status | remaining | gc]';

/** `git rerere`: records and reuses resolutions of conflicts. */
export const rerere: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { autoupdate: '--rerere-autoupdate !' });
	const { repository } = git;
	const [action, ...paths] = [...options.operands, ...(options.paths ?? [])];
	if (action === undefined) {
		const asked = options.has('autoupdate') ? true : options.isTakenBack('autoupdate') ? false : undefined;
		rememberResolutions(git, asked);
		return 0;
	}
	const cache = new ResolutionCache(repository);
	const isOn = remembersResolutions(repository);
	if (action === 'forget') {
		if (paths.length === 0) git.err("warning: 'git rerere forget' without paths is deprecated\n");
		const pathspec = new Pathspec(repository, paths);
		if (isOn) for (const path of conflictingPaths(repository)) if (pathspec.matches(path)) forgetResolution(git, path);
	} else if (action === 'clear') {
		if (isOn) forgetConflicts(repository);
	} else if (action === 'gc') collect(git, cache);
	else if (action === 'status') {
		if (isOn) for (const path of cache.underWay().keys()) git.out(`${path}\n`);
	} else if (action === 'remaining') {
		if (isOn) for (const path of remaining(git, cache)) git.out(`${path}\n`);
	} else if (action === 'diff') {
		if (isOn) showChanges(git, cache);
	} else throw new GitError(`usage: git ${USAGE}`, 129);
	return 0;
};

/** Paths still to be resolved: with a recorded conflict, or with a conflict that cannot be recorded. */
function remaining({ repository }: Invocation, cache: ResolutionCache): string[] {
	const { index } = repository;
	const known = conflictingPaths(repository);
	const others = index.unmerged().filter((path) => !known.includes(path));
	const open = [...cache.underWay().keys()].filter((path) => index.get(path) === undefined);
	return [...new Set([...others, ...open])].sort();
}

/** Shows changes to conflicted files since their conflicts were recorded. */
function showChanges(git: Invocation, cache: ResolutionCache): void {
	for (const [path, recorded] of cache.underWay()) {
		const content = contentAt(git.repository, path);
		const [before, after] = [cache.read(recorded, 'preimage'), content].map((one) =>
			splitLines(one ?? new Uint8Array(0))
		);
		const name = nameText(path);
		git.out(binaryBytes(`--- a/${name}\n+++ b/${name}\n${plainHunks(before!, after!)}`));
	}
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes old recorded conflicts. */
function collect({ repository }: Invocation, cache: ResolutionCache): void {
	const now = repository.files.now();
	const days = (name: string, usual: number): number => {
		const text = repository.config.get(name) ?? String(usual);
		const number = integerOf(text);
		const date = number === null ? agoDate(text, now) : null;
		if (number === null && !date && text !== 'never') throw fatal(`bad config value '${text}' for '${name}'`);
		return date ? date.seconds * 1000 : number === null ? 0 : now - number * DAY_MS;
	};
	const isOld = (ms: number, limit: number) => ms < limit;
	const [resolved, unresolved] = [days('gc.rerereresolved', 60), days('gc.rerereunresolved', 15)];
	for (const id of cache.ids())
		for (const variant of cache.variants(id)) {
			const recorded = { id, variant };
			const usedMs = cache.modifiedMs(recorded, 'postimage');
			const isGone = usedMs > 0 ? isOld(usedMs, resolved) : isOld(cache.modifiedMs(recorded, 'preimage'), unresolved);
			if (isGone) cache.remove(recorded, 'preimage', 'postimage', 'thisimage');
		}
}
