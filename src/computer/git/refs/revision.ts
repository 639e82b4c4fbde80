import { fatal, type GitError } from '../errors.ts';
import { lineRegex } from '../history/regex.ts';
import { markFault, referenceNamed } from './named-ref.ts';
import { findByReflog, reflogFault, splitReflog } from './reflog-place.ts';
import { parseCommit } from '../objects/commit.ts';
import { ABBREVIATED, onlyObject, wantedKind, withCandidates, type WantedKind } from './ambiguous-id.ts';
import type { Repository } from '../repository.ts';
import { findInTree, type TreeFile } from '../worktree/tree-files.ts';
import { taggedId } from '../objects/tag.ts';

/**
 * Resolves a revision (`HEAD~2`, `main^{tree}`, `v1:src/a.ts`, `:a.ts`, `@{1}`, an abbreviated id), or returns null.
 */
export function findRevision(repository: Repository, text: string): string | null {
	if (text.startsWith(':/')) return newestSaying(repository, text.slice(2), startsOf(repository));
	const colon = pathColon(text);
	if (colon >= 0) return findPath(repository, text.slice(0, colon), text.slice(colon + 1));
	const { base, steps } = splitSteps(text);
	let id = findBase(repository, base, wantedKind(repository, steps, false));
	for (const step of steps) {
		if (id === null) return null;
		id = takeStep(repository, id, step);
	}
	return id;
}

/** Position of the colon before a path; -1 if none. A colon in braces is part of a pattern or of a date. */
export function pathColon(text: string): number {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		if (text[at] === '{') depth++;
		else if (text[at] === '}') depth = Math.max(0, depth - 1);
		else if (text[at] === ':' && depth === 0) return at;
	}
	return -1;
}

/** Splits a revision into a name and its suffixes: `~2`, `^{tree}`. */
export function splitSteps(text: string): { base: string; steps: string[] } {
	const [, base = '', suffix = ''] = /^(.*?)((?:\^(?:\{[^}]*\}|\d*)|~\d*)*)$/s.exec(text) ?? [];
	return { base, steps: [...suffix.matchAll(/\^\{[^}]*\}|\^\d*|~\d*/g)].map(([step]) => step) };
}

/** @throws GitError with git's message if the text is not a revision */
export function resolveRevision(repository: Repository, text: string): string {
	const id = findRevision(repository, text);
	if (id === null) throw noSuchRevision(repository, text);
	return id;
}

/** Error for a text that is not a revision, as worded by git. */
export function noSuchRevision(repository: Repository, text: string): GitError {
	return withObjectsMeant(
		repository,
		text,
		nameFault(repository, text) ??
			pathFault(repository, text) ??
			fatal(
				`ambiguous argument '${text}': unknown revision or path not in the working tree.\n` +
					"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
			)
	);
}

/** Error for a text that must name an object. */
export const notAnObject = (repository: Repository, text: string): GitError =>
	withObjectsMeant(repository, text, fatal(`Not a valid object name ${text}`));

/** Error with the objects that the revision may mean, if it is an ambiguous id. */
export function withObjectsMeant(repository: Repository, text: string, error: GitError): GitError {
	const colon = pathColon(text);
	const { base, steps } = splitSteps((colon < 0 ? text : text.slice(0, colon)).replace(/^\^/, ''));
	return withCandidates(repository, error, base, wantedKind(repository, steps, colon >= 0));
}

/** More specific error for a name that resolves to nothing; null if there is none. */
export function nameFault(repository: Repository, text: string): GitError | null {
	const colon = pathColon(text);
	const { base } = splitSteps((colon < 0 ? text : text.slice(0, colon)).replace(/^\^/, ''));
	const log = splitReflog(base);
	if (!log) return referenceNamed(repository, base) === null ? markFault(repository, base) : null;
	const isNamed = log.name === '' || referenceNamed(repository, log.name) !== null;
	return isNamed ? reflogFault(repository, log) : markFault(repository, log.name);
}

/** Error for a path that is missing in a tree or the index; null if the text has no path. */
function pathFault(repository: Repository, text: string): GitError | null {
	const colon = pathColon(text);
	if (colon < 0 || text.startsWith(':/')) return null;
	const base = text.slice(0, colon);
	if (colon === 0) return stagedFault(repository, text.slice(1));
	const id = findRevision(repository, base);
	if (id === null) return fatal(`invalid object name '${base}'.`);
	const path = relativePath(repository, text.slice(colon + 1));
	if (existsOnDisk(repository, path)) return fatal(`path '${path}' exists on disk, but not in '${base}'`);
	const full = repository.prefix + path;
	const tree = peel(repository, id, 'tree');
	if (tree !== null && findInTree(repository.objects, tree, full))
		return fatal(
			`path '${full}' exists, but not '${path}'\nhint: Did you mean '${base}:${full}' aka '${base}:./${path}'?`
		);
	return fatal(`path '${path}' does not exist in '${base}'`);
}

/** Error for a path that is missing in the index. @param text `file`, or `1:file` */
function stagedFault(repository: Repository, text: string): GitError | null {
	if (text === '') return null;
	const { path, stage } = stagedPath(repository, text);
	const stageOf = (name: string) => repository.index.stages(name)[0];
	const other = stageOf(path);
	if (other !== undefined)
		return fatal(`path '${path}' is in the index, but not at stage ${stage}\nhint: Did you mean ':${other}:${path}'?`);
	const full = repository.prefix + path;
	const near = stageOf(full);
	if (near !== undefined)
		return fatal(
			`path '${full}' is in the index, but not '${path}'\n` +
				`hint: Did you mean ':${near}:${full}' aka ':${near}:./${path}'?`
		);
	return fatal(
		existsOnDisk(repository, path)
			? `path '${path}' exists on disk, but not in the index`
			: `path '${path}' does not exist (neither on disk nor in the index)`
	);
}

const existsOnDisk = ({ files, root }: Repository, path: string): boolean =>
	files.statOrNull(`${root}/${path}`) !== null;

/** The commit that `text` refers to; tags are followed. */
export function resolveCommit(repository: Repository, text: string): string {
	const id = peel(repository, resolveRevision(repository, text), 'commit');
	if (id === null) throw fatal(`bad revision '${text}'`);
	return id;
}

/** The tree that `text` refers to, or that of its commit. @throws GitError if it refers to neither */
export function resolveTree(repository: Repository, text: string): string {
	const id = findTreeish(repository, text);
	if (id === null) throw notAnObject(repository, text);
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal('not a tree object');
	return tree;
}

/** Follows tags, and a commit to its tree, until an object of `type`; null if there is none. */
export function peel(repository: Repository, id: string, type: 'commit' | 'tree' | 'blob' | 'tag' | ''): string | null {
	for (;;) {
		const object = repository.objects.find(id);
		if (!object) return null;
		if (object.type === type || (type === '' && object.type !== 'tag')) return id;
		if (object.type === 'tag') id = taggedId(object.content);
		else if (object.type === 'commit' && type === 'tree') id = parseCommit(object.content).tree;
		else return null;
	}
}

/** Tree of a named revision; null if the name is unknown or leads to no tree. */
export function findTree(repository: Repository, name: string): string | null {
	const id = findTreeish(repository, name);
	return id === null ? null : peel(repository, id, 'tree');
}

/** Id of a revision; digits that several ids start with mean the only tree, or object that leads to one. */
export function findTreeish(repository: Repository, name: string): string | null {
	const id = findRevision(repository, name);
	return id === null && ABBREVIATED.test(name) ? onlyObject(repository, name, 'treeish') : id;
}

function findBase(repository: Repository, base: string, kind: WantedKind): string | null {
	const { refs } = repository;
	const log = splitReflog(base);
	if (log) return findByReflog(repository, log);
	if (/^[0-9a-f]{40}$/i.test(base)) return base.toLowerCase();
	const ref = referenceNamed(repository, base);
	if (ref !== null) {
		const isAlsoId = ABBREVIATED.test(base) && onlyObject(repository, base, 'any') !== null;
		if (isAlsoId && repository.config.flag('core.warnambiguousrefs', true))
			repository.warn(`refname '${base}' is ambiguous.`);
		return refs.resolve(ref);
	}
	const back = /^@\{-(\d+)\}$/.exec(base)?.[1];
	// The previous checkout may have been a commit instead of a branch.
	const digits =
		back === undefined ? (/-g([0-9a-f]{4,40})$/.exec(base)?.[1] ?? base) : repository.previousBranch(Number(back));
	if (digits === null || !/^[0-9a-f]{4,40}$/i.test(digits)) return null;
	if (digits.length === 40) return digits.toLowerCase();
	return onlyObject(repository, digits, digits === base ? kind : 'commit');
}

function takeStep(repository: Repository, id: string, step: string): string | null {
	if (step.startsWith('^{')) {
		const wanted = step.slice(2, -1);
		if (wanted === 'commit' || wanted === 'tree' || wanted === 'blob' || wanted === 'tag' || wanted === '')
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

/** Ids that HEAD and all references point to. */
function startsOf(repository: Repository): string[] {
	const head = repository.head();
	return [...(head === null ? [] : [head]), ...repository.refs.list('refs/').map(({ id }) => id)];
}

/** Newest reachable commit whose message matches a pattern; with `!-`, the newest one that does not match. */
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
	const isTop = revision !== '' && relativePath(repository, path) === '';
	return isTop ? findTree(repository, revision) : (fileAt(repository, revision, path)?.id ?? null);
}

function fileAt(repository: Repository, revision: string, text: string): (TreeFile & { path: string }) | null {
	if (revision === '') {
		const { path, stage } = stagedPath(repository, text);
		return repository.index.get(path, stage) ?? null;
	}
	const tree = findTree(repository, revision);
	const path = relativePath(repository, text).replace(/\/$/, '');
	const found = tree === null ? null : findInTree(repository.objects, tree, path);
	return found && { id: found.id, mode: found.mode, path };
}

/** Entry of a tree or of the index that is named like `HEAD:src/a.ts`; null for any other revision. */
export function findFile(repository: Repository, text: string): (TreeFile & { path: string }) | null {
	const colon = pathColon(text);
	if (colon < 0 || text.startsWith(':/')) return null;
	return fileAt(repository, text.slice(0, colon), text.slice(colon + 1));
}

/** Path in the index and its stage, from `file`, `1:file` or `1:./file`. */
function stagedPath(repository: Repository, text: string): { path: string; stage: number } {
	const [, stage, path] = /^([0-3]):(.*)$/s.exec(text) ?? [];
	return { path: relativePath(repository, path ?? text), stage: Number(stage ?? 0) };
}

/** Path relative to the top level; one that begins with `./` or `../` is relative to the working directory. */
function relativePath(repository: Repository, path: string): string {
	if (!path.startsWith('./') && !path.startsWith('../')) return path;
	if (!repository.isInsideTree) throw fatal("relative path syntax can't be used outside working tree");
	return repository.fromCwd(path);
}
