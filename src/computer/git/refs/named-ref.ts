import { fatal, type GitError } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { pushDestination } from './push-destination.ts';

/** Patterns that expand a short name (`*`), in the order in which they are tried. */
export const REF_RULES = ['*', 'refs/*', 'refs/tags/*', 'refs/heads/*', 'refs/remotes/*', 'refs/remotes/*/HEAD'];

/** Full name of the ref that `name` is short for, or null. */
export function expandRef(repository: Repository, name: string): string | null {
	for (const rule of REF_RULES) {
		if (rule === '*' && !/^(refs\/|[A-Z_]+$)/.test(name)) continue;
		const full = rule.replace('*', () => name);
		if (repository.refs.resolve(full) !== null) return full;
	}
	return null;
}

/** `main@{u}`, `@{push}` */
const MARKED = /^(.*)@\{(u|upstream|push)\}$/is;
const PREVIOUS = /^@\{-(\d+)\}/;

/**
 * Full name of the ref that a text refers to, or null: a short name, `@`, `@{-1}` for the previous branch,
 * `main@{upstream}` or `@{push}` for the branch that another one tracks or is pushed to.
 */
export function referenceNamed(repository: Repository, text: string): string | null {
	if (text === '@') return 'HEAD';
	const marked = MARKED.exec(text);
	if (marked) {
		const branch = markedBranch(repository, marked[1]!);
		if (branch === null) return null;
		return marked[2]!.toLowerCase() === 'push' ? pushDestination(repository, branch) : repository.upstream(branch);
	}
	const before = PREVIOUS.exec(text);
	if (before && before[0] !== text) return null;
	return expandRef(repository, before ? (repository.previousBranch(Number(before[1])) ?? '') : text);
}

/** The branch before a suffix such as `@{u}`; null if HEAD is detached. */
function markedBranch(repository: Repository, text: string): string | null {
	if (text === '' || text === '@' || text === 'HEAD') return repository.refs.currentBranch();
	const before = PREVIOUS.exec(text);
	return before?.[0] === text ? repository.previousBranch(Number(before[1])) : text;
}

/** Error for a suffix such as `@{u}` that refers to nothing, as worded by git; null if there is no such suffix. */
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
