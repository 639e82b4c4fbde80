import { compareTrees } from '../diff/change.ts';
import { splitLines } from '../diff/lines.ts';
import { findRenames } from '../diff/renames.ts';
import { lineChanges } from '../diff/unified-diff.ts';
import type { Commit } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { modeOf, storedContent } from '../worktree/file-state.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { findInTree } from '../worktree/tree-files.ts';
import { walkHistory } from './walk.ts';
import { Mode } from '#environment/mode.ts';

/** Line of a file with the commit it is from. */
export interface BlamedLine {
	/** All zeros for an uncommitted line. */
	id: string;
	commit: Commit;
	/** Name of the file in that commit. */
	path: string;
	/** Current name of the file. */
	shownAs: string;
	/** Line number, from 1. */
	number: number;
	/** Line number in that commit, from 1. */
	original: number;
	/** The commit has no parents, or the search ends at it. */
	boundary: boolean;
	/** Commit before the line changed. */
	previous: { id: string; path: string } | null;
	/** Binary text, with its newline. */
	text: string;
}

/** Options for tracing lines. */
export interface BlameHow {
	ignoreSpace: boolean;
	/** Aligns runs of lines by indentation (indent heuristic). */
	indents: boolean;
	/** Commits at which the search ends. */
	ends: ReadonlySet<string>;
}

/** Lines of the final file that are attributed to a commit so far, as pairs of final and own position. */
interface Claim {
	path: string;
	lines: { final: number; own: number }[];
}

/**
 * Returns the commit of each line, following renames of the whole file.
 * @param start null for the working tree
 * @returns null if there is no such file
 */
export function blameFile(
	repository: Repository,
	start: string | null,
	path: string,
	how: BlameHow
): BlamedLine[] | null {
	const head = start ?? repository.head();
	if (head === null || (start === null && !findInTree(repository.objects, repository.commit(head).tree, path)))
		return null;
	const committed = linesAt(repository, head, path);
	if (committed === null) return null;
	let lines = committed;
	const claims = new Map<string, Claim>();
	const result: BlamedLine[] = [];
	const settle = (
		claim: Claim,
		own: Claim['lines'],
		id: string,
		commit: Commit,
		previous: BlamedLine['previous']
	): void => {
		for (const line of own) {
			result[line.final] = {
				id,
				commit,
				path: claim.path,
				shownAs: path,
				number: line.final + 1,
				original: line.own + 1,
				boundary: id !== NULL_ID && (how.ends.has(id) || repository.parents(id).length === 0),
				previous,
				text: lines[line.final]!
			};
		}
	};
	if (start === null) {
		const full = repository.absolute(path);
		const stat = lstatOrNull(repository, full);
		if (!stat || modeOf(stat) === 0) return null;
		lines = splitLines(storedContent(repository, path, stat));
		const claim = { path, lines: lines.map((_, i) => ({ final: i, own: i })) };
		const { passed, kept } = pass(claim, committed, lines, path, how);
		settle(claim, kept, NULL_ID, uncommitted(repository, head, path), { id: head, path });
		claims.set(head, passed);
	} else claims.set(head, { path, lines: lines.map((_, i) => ({ final: i, own: i })) });
	for (const { id, commit } of walkHistory(repository, { include: [head], exclude: [] })) {
		const claim = claims.get(id);
		if (!claim || claim.lines.length === 0) continue;
		claims.delete(id);
		let left = claim.lines;
		let previous: BlamedLine['previous'] = null;
		const own = linesAt(repository, id, claim.path)!;
		for (const parent of how.ends.has(id) ? [] : commit.parents) {
			if (left.length === 0) break;
			const name = nameBefore(repository, parent, commit.tree, claim.path);
			const before = name === null ? null : linesAt(repository, parent, name);
			if (name === null || before === null) continue;
			previous ??= { id: parent, path: name };
			const { passed, kept } = pass({ path: claim.path, lines: left }, before, own, name, how);
			const known = claims.get(parent);
			claims.set(parent, known ? { path: known.path, lines: [...known.lines, ...passed.lines] } : passed);
			left = kept;
		}
		settle(claim, left, id, commit, previous);
		if (claims.size === 0) break;
	}
	return result;
}

/** Pseudo-commit for lines of the working tree. */
function uncommitted(repository: Repository, head: string, path: string): Commit {
	const who = {
		name: 'Not Committed Yet',
		email: 'not.committed.yet',
		seconds: Math.floor(repository.files.now() / 1000),
		offsetMinutes: repository.committer().offsetMinutes
	};
	return { tree: '', parents: [head], author: who, committer: who, message: `Version of ${path} from ${path}\n` };
}

/** Passes unchanged lines on to the parent, and keeps the others. */
function pass(
	claim: Claim,
	before: string[],
	after: string[],
	name: string,
	{ ignoreSpace, indents }: BlameHow
): { passed: Claim; kept: Claim['lines'] } {
	const plain = (lines: string[]) => (ignoreSpace ? lines.map((line) => line.replace(/\s+/g, '')) : lines);
	const origin = new Int32Array(after.length).fill(-1);
	let from = 0;
	let to = 0;
	const same = (until: number) => {
		while (to < until) origin[to++] = from++;
	};
	for (const change of lineChanges(plain(before), plain(after), 'count', indents)) {
		same(change.afterStart);
		from = change.beforeStart + change.beforeCount;
		to = change.afterStart + change.afterCount;
	}
	same(after.length);
	const passed: Claim = { path: name, lines: [] };
	const kept: Claim['lines'] = [];
	for (const line of claim.lines) {
		const own = origin[line.own]!;
		if (own < 0) kept.push(line);
		else passed.lines.push({ final: line.final, own });
	}
	return { passed, kept };
}

function nameBefore(repository: Repository, parent: string, tree: string, path: string): string | null {
	const before = repository.commit(parent).tree;
	if (findInTree(repository.objects, before, path)) return path;
	const renames = findRenames(repository, compareTrees(repository.objects, before, tree));
	return renames.find(({ status, after }) => status === 'R' && after?.path === path)?.before?.path ?? null;
}

function linesAt(repository: Repository, id: string, path: string): string[] | null {
	const entry = findInTree(repository.objects, repository.commit(id).tree, path);
	if (!entry || entry.mode === Mode.directory || entry.mode === Mode.commit) return null;
	const content = repository.objects.read(entry.id, 'blob');
	return splitLines(content);
}
