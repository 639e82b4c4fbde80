import type { Commit } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { resolveCommit } from '../refs/revision.ts';

export interface Revision {
	id: string;
	commit: Commit;
}

/** What `a..b`, `^a`, `a...b` and plain names ask for. */
export interface Range {
	include: string[];
	exclude: string[];
}

export function parseRange(repository: Repository, revisions: readonly string[]): Range {
	const range: Range = { include: [], exclude: [] };
	const find = (text: string) => resolveCommit(repository, text === '' ? 'HEAD' : text);
	for (const text of revisions) {
		const three = text.indexOf('...');
		const two = text.indexOf('..');
		if (three >= 0) {
			const [left, right] = [find(text.slice(0, three)), find(text.slice(three + 3))];
			range.include.push(left, right);
			range.exclude.push(...mergeBases(repository, left, right));
		} else if (two >= 0) {
			range.exclude.push(find(text.slice(0, two)));
			range.include.push(find(text.slice(two + 2)));
		} else if (text.startsWith('^')) range.exclude.push(find(text.slice(1)));
		else range.include.push(find(text));
	}
	return range;
}

/** Commits by committer's date, newest first, without what `exclude` reaches. */
export function* walkHistory(repository: Repository, range: Range, firstParent = false): Generator<Revision> {
	const hidden = range.exclude.length === 0 ? new Set<string>() : ancestors(repository, range.exclude);
	const seen = new Set<string>();
	const queue: Revision[] = [];
	const push = (id: string): void => {
		if (seen.has(id) || hidden.has(id)) return;
		seen.add(id);
		const commit = repository.commit(id);
		let at = queue.length;
		while (at > 0 && queue[at - 1]!.commit.committer.seconds < commit.committer.seconds) at--;
		queue.splice(at, 0, { id, commit });
	};
	range.include.forEach(push);
	for (let next = queue.shift(); next; next = queue.shift()) {
		yield next;
		(firstParent ? next.commit.parents.slice(0, 1) : next.commit.parents).forEach(push);
	}
}

/** All commits reachable from `starts`, themselves included. */
export function ancestors(repository: Repository, starts: readonly string[]): Set<string> {
	const found = new Set<string>(starts);
	const left = [...starts];
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		for (const parent of repository.parents(id)) {
			if (!found.has(parent)) {
				found.add(parent);
				left.push(parent);
			}
		}
	}
	return found;
}

export const isAncestor = (repository: Repository, ancestor: string, of: string): boolean =>
	ancestors(repository, [of]).has(ancestor);

/** The best common ancestors: those no other common ancestor descends from. */
export function mergeBases(repository: Repository, a: string, b: string): string[] {
	const left = ancestors(repository, [a]);
	const common = [...ancestors(repository, [b])].filter((id) => left.has(id));
	const behind = new Set<string>();
	for (const id of common) for (const parent of repository.parents(id)) behind.add(parent);
	return common.filter((id) => !behind.has(id));
}
