import { fatal, type GitError } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { targetOf } from './refspec.ts';

/** Places of a short name, in the order in which they are looked at; the name is in the place of the star. */
export const REF_RULES = ['*', 'refs/*', 'refs/tags/*', 'refs/heads/*', 'refs/remotes/*', 'refs/remotes/*/HEAD'];

/** The full name of the ref that `name` is short for, or null. */
export function expandRef(repository: Repository, name: string): string | null {
	for (const rule of REF_RULES) {
		if (rule === '*' && !/^(refs\/|[A-Z_]+$)/.test(name)) continue;
		const full = rule.replace('*', () => name);
		if (repository.refs.resolve(full) !== null) return full;
	}
	return null;
}

/**
 * The shortest name that stands for a reference.
 *
 * @param isStrict no other reference may have that name either, not even one that is looked at later
 */
export function shortRefName({ refs }: Repository, full: string, isStrict = true): string {
	for (let at = REF_RULES.length - 1; at > 0; at--) {
		const [start = '', end = ''] = REF_RULES[at]!.split('*');
		if (!full.startsWith(start) || !full.endsWith(end) || full.length <= start.length + end.length) continue;
		const short = full.slice(start.length, full.length - end.length);
		const others = REF_RULES.slice(0, isStrict ? undefined : at).filter((_, other) => other !== at);
		if (others.every((rule) => refs.resolve(rule.replace('*', () => short)) === null)) return short;
	}
	return full;
}

/** `main@{u}`, `@{push}` */
const MARKED = /^(.*)@\{(u|upstream|push)\}$/is;
const PREVIOUS = /^@\{-(\d+)\}/;

/**
 * The full name of the ref that a text stands for, or null: a short name, `@`, `@{-1}` for the branch before,
 * `main@{upstream}` or `@{push}` for the one that a branch follows.
 */
export function referenceNamed(repository: Repository, text: string): string | null {
	if (text === '@') return 'HEAD';
	const marked = MARKED.exec(text);
	if (marked) {
		const branch = markedBranch(repository, marked[1]!);
		if (branch === null) return null;
		return marked[2]!.toLowerCase() === 'push' ? pushedRef(repository, branch) : repository.upstream(branch);
	}
	const before = PREVIOUS.exec(text);
	if (before && before[0] !== text) return null;
	return expandRef(repository, before ? (repository.previousBranch(Number(before[1])) ?? '') : text);
}

/** The branch in front of a mark such as `@{u}`; null where HEAD is on none. */
function markedBranch(repository: Repository, text: string): string | null {
	if (text === '' || text === '@' || text === 'HEAD') return repository.refs.currentBranch();
	const before = PREVIOUS.exec(text);
	return before?.[0] === text ? repository.previousBranch(Number(before[1])) : text;
}

/** Reference here of what `git push` moves on the other side, by `push.default` and the refspecs of `push`. */
function pushedRef(repository: Repository, branch: string): string | null {
	const { config } = repository;
	const from = config.get(`branch.${branch}.remote`);
	const remote = config.get(`branch.${branch}.pushremote`) ?? config.get('remote.pushdefault') ?? from;
	if (remote === undefined) return null;
	const full = `refs/heads/${branch}`;
	const specs = repository.pushSpecs(remote);
	const target = specs.length > 0 ? targetOf(specs, full) : full;
	const tracking = target === null ? null : targetOf(repository.fetchSpecs(remote), target);
	if (specs.length > 0) return tracking;
	const upstream = repository.upstream(branch);
	switch (config.get('push.default') ?? 'simple') {
		case 'nothing':
			return null;
		case 'matching':
		case 'current':
			return tracking;
		case 'upstream':
			return upstream;
		default:
			return from !== undefined && from !== remote ? tracking : upstream === tracking ? upstream : null;
	}
}

/** Error for a mark such as `@{u}` that leads nowhere, in git's words; null for a text without one. */
export function markFault(repository: Repository, text: string): GitError | null {
	const [, name, mark = ''] = MARKED.exec(text) ?? [];
	if (name === undefined) return null;
	const { refs, config } = repository;
	const branch = markedBranch(repository, name);
	if (branch === null) return fatal('HEAD does not point to a branch');
	if (mark.toLowerCase() === 'push') return fatal(`push has no destination for branch '${branch}'`);
	const merge = config.get(`branch.${branch}.merge`);
	if (merge !== undefined && config.get(`branch.${branch}.remote`) !== undefined)
		return fatal(`upstream branch '${merge}' not stored as a remote-tracking branch`);
	if (refs.resolve(`refs/heads/${branch}`) === null) return fatal(`no such branch: '${branch}'`);
	return fatal(`no upstream configured for branch '${branch}'`);
}
