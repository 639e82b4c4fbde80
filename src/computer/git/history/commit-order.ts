import type { Commit } from '../objects/commit.ts';

interface Revision {
	id: string;
	commit: Commit;
}

/** Order in which no commit is before its children: one line of history after another, or by date. */
export type CommitOrder = 'lines' | 'committed' | 'authored';

/**
 * Sorts commits so that none is before its children.
 *
 * @param parentsOf parents to follow
 */
export function inOrder<One extends Revision>(
	revisions: readonly One[],
	order: CommitOrder,
	parentsOf: (one: One) => readonly string[]
): One[] {
	const byId = new Map(revisions.map((one) => [one.id, one]));
	const children = new Map<string, number>();
	for (const one of revisions)
		for (const parent of parentsOf(one)) children.set(parent, (children.get(parent) ?? 0) + 1);
	const ready = new Ready<One>(order);
	const tips = revisions.filter(({ id }) => !children.has(id));
	for (const one of order === 'lines' ? tips.reverse() : tips) ready.push(one);
	const sorted: One[] = [];
	for (let next = ready.pop(); next; next = ready.pop()) {
		sorted.push(next);
		for (const parent of parentsOf(next)) {
			const left = (children.get(parent) ?? 0) - 1;
			children.set(parent, left);
			const one = byId.get(parent);
			if (left === 0 && one) ready.push(one);
		}
	}
	return sorted;
}

/** Commits whose children are all listed. Next is the last one added or, by date, the newest (first if equal). */
class Ready<One extends Revision> {
	readonly #left: One[] = [];

	constructor(private readonly order: CommitOrder) {}

	push(one: One): void {
		let at = this.#left.length;
		if (this.order !== 'lines') {
			const seconds = this.#seconds(one);
			let low = 0;
			while (low < at) {
				const middle = (low + at) >> 1;
				if (this.#seconds(this.#left[middle]!) < seconds) low = middle + 1;
				else at = middle;
			}
		}
		this.#left.splice(at, 0, one);
	}

	pop(): One | undefined {
		return this.#left.pop();
	}

	#seconds({ commit }: One): number {
		return this.order === 'authored' ? commit.author.seconds : commit.committer.seconds;
	}
}
