import { decode } from '../bytes.ts';
import { fatal, type GitError } from '../errors.ts';
import { parseDate } from '../config/identity.ts';
import { agoDate } from '../history/dates.ts';
import { lineRegex } from '../history/regex.ts';
import { parseCommit, parseSignature } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { findInTree } from '../worktree/tree-files.ts';

const PREFIXES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/** The full name of the ref that `name` is short for, or null. */
export function expandRef(repository: Repository, name: string): string | null {
	for (const prefix of PREFIXES) {
		const full = prefix + name;
		if (prefix === '' && !/^(refs\/|[A-Z_]+$)/.test(name)) continue;
		if (repository.refs.resolve(full) !== null) return full;
	}
	return repository.refs.resolve(`refs/remotes/${name}/HEAD`) === null ? null : `refs/remotes/${name}/HEAD`;
}

/** Finds what `text` names (`HEAD~2`, `main^{tree}`, `v1:src/a.ts`, `:a.ts`, `@{1}`, a short id), or null. */
export function findRevision(repository: Repository, text: string): string | null {
	if (text.startsWith(':/')) return newestSaying(repository, text.slice(2), startsOf(repository));
	const colon = text.indexOf(':');
	if (colon >= 0 && !text.slice(0, colon).includes('{'))
		return findPath(repository, text.slice(0, colon), text.slice(colon + 1));
	const [, base = '', suffix = ''] = /^(.*?)((?:\^(?:\{[^}]*\}|\d*)|~\d*)*)$/s.exec(text) ?? [];
	let id = findBase(repository, base);
	for (const [step] of suffix.matchAll(/\^\{[^}]*\}|\^\d*|~\d*/g)) {
		if (id === null) return null;
		id = takeStep(repository, id, step);
	}
	return id;
}

/** @throws GitError with git's words when nothing has that name */
export function resolveRevision(repository: Repository, text: string): string {
	const id = findRevision(repository, text);
	if (id === null) throw noSuchRevision(repository, text);
	return id;
}

/** Error for a text that names nothing, in git's words. */
export function noSuchRevision(repository: Repository, text: string): GitError {
	const [, base = '', path = ''] = /^([^:]+):(.+)$/s.exec(text) ?? [];
	if (path !== '' && findRevision(repository, base) !== null)
		return fatal(`path '${path}' does not exist in '${base}'`);
	if (path !== '') return fatal(`invalid object name '${base}'.`);
	const upstream = /^(.*)@\{(?:u|upstream)\}$/.exec(text);
	if (upstream)
		return fatal(`no upstream configured for branch '${upstream[1] || (repository.refs.currentBranch() ?? 'HEAD')}'`);
	return fatal(
		`ambiguous argument '${text}': unknown revision or path not in the working tree.\n` +
			"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
	);
}

/** The commit `text` names, tags followed. */
export function resolveCommit(repository: Repository, text: string): string {
	const id = peel(repository, resolveRevision(repository, text), 'commit');
	if (id === null) throw fatal(`bad revision '${text}'`);
	return id;
}

/** The tree that `text` names, or that its commit has. @throws GitError when it names neither */
export function resolveTree(repository: Repository, text: string): string {
	const id = findRevision(repository, text);
	if (id === null) throw fatal(`Not a valid object name ${text}`);
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal('not a tree object');
	return tree;
}

/** Follows tags, and a commit to its tree, to an object of `type`; null if there is none. */
export function peel(repository: Repository, id: string, type: 'commit' | 'tree' | 'blob' | ''): string | null {
	for (;;) {
		const object = repository.objects.find(id);
		if (!object) return null;
		if (object.type === type || (type === '' && object.type !== 'tag')) return id;
		if (object.type === 'tag') id = /^object ([0-9a-f]{40})/.exec(decode(object.content))?.[1] ?? '';
		else if (object.type === 'commit' && type === 'tree') id = parseCommit(object.content).tree;
		else return null;
	}
}

function findBase(repository: Repository, base: string): string | null {
	const { refs, objects } = repository;
	if (base === '@') return refs.resolve('HEAD');
	const log = /^(.*)@\{(\d+|-\d+|u|upstream|[^}]*[a-z-][^}]*)\}$/.exec(base);
	if (log) return findByReflog(repository, log[1]!, log[2]!);
	const ref = expandRef(repository, base);
	if (ref !== null) return refs.resolve(ref);
	const described = /-g([0-9a-f]{4,40})$/.exec(base)?.[1];
	const digits = described ?? base;
	if (!/^[0-9a-f]{4,40}$/i.test(digits)) return null;
	const found = objects.idsWithPrefix(digits.toLowerCase());
	if (found.length > 1) {
		const commits = found.filter((id) => objects.find(id)?.type === 'commit');
		return commits.length === 1 ? commits[0]! : null;
	}
	return found[0] ?? (digits.length === 40 ? digits.toLowerCase() : null);
}

function findByReflog(repository: Repository, name: string, which: string): string | null {
	const { refs } = repository;
	if (which === 'u' || which === 'upstream') {
		const upstream = repository.upstream(name === '' ? (refs.currentBranch() ?? '') : name);
		return upstream === null ? null : refs.resolve(upstream);
	}
	if (which.startsWith('-')) {
		const branch = repository.previousBranch(-Number(which));
		return branch === null ? null : findBase(repository, branch);
	}
	const full = name === '' ? (refs.symbolic('HEAD') ?? 'HEAD') : expandRef(repository, name);
	const entries = full === null ? [] : refs.reflog(full);
	if (!/^\d+$/.test(which)) {
		const date = parseDate(which) ?? agoDate(which, repository.files.now());
		if (!date) return null;
		// One that was not yet there then is what it was first.
		return (entries.find(({ who }) => parseSignature(who).seconds <= date.seconds) ?? entries.at(-1))?.to ?? null;
	}
	const at = Number(which);
	const first = at > 0 && at === entries.length ? entries[at - 1]?.from : undefined;
	return entries[at]?.to ?? (first === undefined || first === NULL_ID ? null : first);
}

function takeStep(repository: Repository, id: string, step: string): string | null {
	if (step.startsWith('^{')) {
		const wanted = step.slice(2, -1);
		if (wanted === 'commit' || wanted === 'tree' || wanted === 'blob' || wanted === '')
			return peel(repository, id, wanted);
		if (wanted === 'object') return id;
		if (wanted.startsWith('/')) return newestSaying(repository, wanted.slice(1), [id]);
		return null;
	}
	let commit = peel(repository, id, 'commit');
	if (commit === null) return null;
	if (step.startsWith('~')) {
		for (let left = step === '~' ? 1 : Number(step.slice(1)); left > 0 && commit !== null; left--) {
			commit = repository.parents(commit)[0] ?? null;
		}
		return commit;
	}
	const which = step === '^' ? 1 : Number(step.slice(1));
	return which === 0 ? commit : (repository.parents(commit)[which - 1] ?? null);
}

/** Commits that HEAD and the references name. */
function startsOf(repository: Repository): string[] {
	const head = repository.head();
	return [...(head === null ? [] : [head]), ...repository.refs.list('refs/').map(({ id }) => id)];
}

/** The newest commit, of those that can be reached, whose message a pattern fits; with `!-` the newest that it does not. */
function newestSaying(repository: Repository, text: string, starts: readonly string[]): string | null {
	const isNegated = text.startsWith('!-');
	const pattern = lineRegex(text.replace(/^!-|^!(?=!)/, ''), 'extended', false);
	const left = starts.flatMap((id) => peel(repository, id, 'commit') ?? []);
	const seen = new Set(left);
	let best: { id: string; seconds: number } | null = null;
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		const { message, committer, parents } = repository.commit(id);
		if (pattern.test(message) !== isNegated && (best === null || committer.seconds > best.seconds))
			best = { id, seconds: committer.seconds };
		for (const parent of parents) {
			if (seen.has(parent)) continue;
			seen.add(parent);
			left.push(parent);
		}
	}
	return best?.id ?? null;
}

function findPath(repository: Repository, revision: string, path: string): string | null {
	const relative = path.startsWith('./') || path.startsWith('../') ? repository.fromCwd(path) : path;
	if (revision === '') {
		const staged = /^([0-3]):(.*)$/.exec(relative);
		return repository.index.get(staged ? staged[2]! : relative, staged ? Number(staged[1]) : 0)?.id ?? null;
	}
	const id = findRevision(repository, revision);
	const tree = id === null ? null : peel(repository, id, 'tree');
	if (tree === null) return null;
	return relative === '' ? tree : (findInTree(repository.objects, tree, relative.replace(/\/$/, ''))?.id ?? null);
}
