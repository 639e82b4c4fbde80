import { subjectOf, type Commit } from '../objects/commit.ts';
import { isObjectId } from '../objects/object-id.ts';
import type { Repository } from '../repository.ts';
import { linkedTrees } from '../worktree/linked.ts';
import type { MovingRef } from './rebase-labels.ts';
import { otherStep, pickStep, type RebaseStep } from './rebase-steps.ts';

/** Commit of the history to rebase. */
interface Member {
	id: string;
	commit: Commit;
}

/** Options for a list with merges. */
interface MergesHow {
	onto: string;
	/** Moves commits whose parent is not rebased to the new base too (`rebase-cousins`). */
	movesCousins: boolean;
	/** Commits to omit from the list. */
	leftOut: ReadonlySet<string>;
}

/** Labels of the commits that the list returns to. */
class Labels {
	readonly #names = new Map<string, string>();
	readonly #taken = new Set<string>();

	constructor(private readonly repository: Repository) {}

	get(id: string): string | undefined {
		return this.#names.get(id);
	}

	/** Names a commit after `wish`, or by default after its short id. */
	give(id: string, wish?: string): string {
		const known = this.#names.get(id);
		if (known !== undefined) return known;
		const short = this.repository.objects.abbreviate(id);
		const plain = wish?.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-/, '');
		const base = wish === undefined ? short : plain === '' ? `rev-${short}` : plain!;
		// A label of this form would be read as the id of a commit.
		const isRefused = (one: string) => this.#taken.has(one.toLowerCase()) || isObjectId(one.toLowerCase());
		let name = base;
		for (let number = 2; isRefused(name); number++) name = `${base}-${number}`;
		this.#names.set(id, name);
		this.#taken.add(name.toLowerCase());
		return name;
	}
}

/** Creates the list that rebases a history with its merges. @param members commits, oldest first */
export function stepsWithMerges(repository: Repository, members: readonly Member[], how: MergesHow): RebaseStep[] {
	const byId = new Map(members.map((member) => [member.id, member]));
	const labels = new Labels(repository);
	labels.give(how.onto, 'onto');
	const steps = new Map<string, RebaseStep>();
	const tips: string[] = [];
	for (const { id, commit } of members) {
		if (how.leftOut.has(id)) continue;
		const others = commit.parents.slice(1);
		if (others.length === 0) {
			steps.set(id, pickStep(repository, id));
			continue;
		}
		const subject = subjectOf(commit.message);
		const [, merged = subject] =
			/^Merge [^']*'([^']*)'/.exec(subject) ?? /^Merge pull request .* from (.*)$/.exec(subject) ?? [];
		const names = others.map((other) => {
			if (!byId.has(other)) return labels.give(other);
			tips.push(other);
			return labels.give(other, merged);
		});
		steps.set(id, { action: 'merge', id, flag: '-C', text: `${names.join(' ')} # ${subject}` });
	}
	nameBranchPoints(members, byId, labels);
	const last = members.at(-1);
	if (last) tips.push(last.id);
	return [otherStep('label', 'onto'), ...linesOf(repository, tips, { byId, labels, steps }, how)];
}

function nameBranchPoints(members: readonly Member[], byId: ReadonlyMap<string, Member>, labels: Labels): void {
	const hasChild = new Set<string>();
	for (const { commit } of members)
		for (const parent of commit.parents) {
			if (!byId.has(parent)) continue;
			if (hasChild.has(parent)) labels.give(parent, 'branch-point');
			hasChild.add(parent);
		}
}

/** Steps of the lines of history that lead to the tips, one line after another. */
function linesOf(
	repository: Repository,
	tips: readonly string[],
	known: { byId: ReadonlyMap<string, Member>; labels: Labels; steps: ReadonlyMap<string, RebaseStep> },
	how: MergesHow
): RebaseStep[] {
	const { byId, labels, steps } = known;
	const result: RebaseStep[] = [];
	const shown = new Set<string>();
	for (const tip of tips) {
		if (shown.has(tip)) continue;
		const line: string[] = [];
		let at: string | undefined = tip;
		for (; at !== undefined && byId.has(at) && !shown.has(at); at = byId.get(at)!.commit.parents[0]) line.unshift(at);
		const name = at === undefined ? undefined : (labels.get(at) ?? (how.movesCousins ? undefined : labels.give(at)));
		if (at === undefined) result.push(otherStep('reset', how.movesCousins ? 'onto' : '[new root]'));
		else if (name === undefined || name === 'onto') result.push(otherStep('reset', 'onto'));
		else result.push(otherStep('reset', `${name} # ${subjectOf(repository.commit(at).message)}`));
		for (const id of line) {
			const step = steps.get(id);
			if (step) result.push(step);
			const label = labels.get(id);
			if (label !== undefined) result.push(otherStep('label', label));
			shown.add(id);
		}
	}
	return result;
}

/** `--update-refs`: adds steps that update branches at listed commits. Returns the list and the branches. */
export function withMovingRefs(
	repository: Repository,
	steps: readonly RebaseStep[],
	current: string | null
): { steps: RebaseStep[]; moving: MovingRef[] } {
	const { refs } = repository;
	const taken = new Set(linkedTrees(repository).map(({ branch }) => branch));
	const branches = refs.list('refs/heads/').filter(({ name }) => name !== current && !taken.has(name));
	const moving: MovingRef[] = [];
	const all = steps.flatMap((step) => {
		const here = step.id === '' ? [] : branches.filter(({ id }) => id === step.id).reverse();
		moving.push(...here.map(({ name, id }) => ({ name, before: id, after: null })));
		return [step, ...here.map(({ name }) => otherStep('update-ref', name))];
	});
	return { steps: all, moving: moving.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
