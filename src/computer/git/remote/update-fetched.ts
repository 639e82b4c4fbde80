import { failure, fatal, GitError } from '../errors.ts';
import { isAncestor } from '../history/walk.ts';
import type { Repository } from '../repository.ts';
import { linkedTrees } from '../worktree/linked.ts';
import type { FetchItem } from './fetch-plan.ts';
import type { FetchReport } from './fetch-report.ts';

/** Options for updating references. */
export interface UpdateHow {
	isForced: boolean;
	/** Updates nothing. */
	isDry: boolean;
	isVerbose: boolean;
	/** False takes every update for one that is not forced. */
	showsForced?: boolean;
	/** Action recorded in reflogs: `fetch origin`. */
	action: string;
	/** Defers an update, if all or none must be made. */
	later?: ((move: () => void) => void) | undefined;
}

/** Updates a local reference to the fetched commit. Returns false if that is rejected. */
export function updateFetched(repository: Repository, item: FetchItem, how: UpdateHow, report: FetchReport): boolean {
	const { source: from, target: to, id } = item;
	if (to === null) return true;
	const { refs, objects } = repository;
	const before = refs.resolve(to);
	const isForced = how.isForced || item.isForced;
	const move = (mark: ' ' | '+' | '*' | 't', summary: string, reason: string, note?: string): boolean => {
		try {
			if (to.startsWith('refs/heads/') && objects.find(id)?.type !== 'commit')
				throw failure(`cannot update ref '${to}': trying to write non-commit object ${id} to branch '${to}'`);
			const update = () => refs.update(to, id, `${how.action}: ${reason}`);
			if (how.later) how.later(update);
			else if (!how.isDry) update();
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			report.line({ mark: '!', summary, from, to, note: 'unable to update local ref' });
			return false;
		}
		report.line({ mark, summary, from, to, ...(note === undefined ? {} : { note }) });
		return true;
	};
	if (before === id) {
		if (how.isVerbose) report.line({ mark: '=', summary: '[up to date]', from, to });
		return true;
	}
	if (before !== null && to.startsWith('refs/tags/')) {
		if (isForced) return move('t', '[tag update]', 'updating tag');
		report.line({ mark: '!', summary: '[rejected]', from, to, note: 'would clobber existing tag' });
		return false;
	}
	const [old, now] = [before === null ? null : commitOf(repository, before), commitOf(repository, id)];
	if (old === null || now === null) {
		const [what, reason] = from.startsWith('refs/tags/')
			? ['tag', 'storing tag']
			: from.startsWith('refs/heads/')
				? ['branch', 'storing head']
				: ['ref', 'storing ref'];
		return move('*', `[new ${what}]`, reason);
	}
	const ends = [objects.abbreviate(old), objects.abbreviate(now)];
	if (how.showsForced === false || isAncestor(repository, old, now)) return move(' ', ends.join('..'), 'fast-forward');
	if (isForced) return move('+', ends.join('...'), 'forced-update', 'forced update');
	report.line({ mark: '!', summary: '[rejected]', from, to, note: 'non-fast-forward' });
	return false;
}

function commitOf(repository: Repository, id: string): string | null {
	const peeled = repository.peeled(id);
	return repository.objects.find(peeled)?.type === 'commit' ? peeled : null;
}

/** @throws GitError if a branch is checked out in a working tree: its files would not follow */
export function refuseCheckedOut(repository: Repository, items: readonly FetchItem[]): void {
	for (const { target } of items) {
		if (!target?.startsWith('refs/heads/')) continue;
		const tree = linkedTrees(repository).find(({ branch, isBare }) => branch === target && !isBare);
		if (tree) throw fatal(`refusing to fetch into branch '${target}' checked out at '${tree.path}'`);
	}
}
