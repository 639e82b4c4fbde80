import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { inOrder, type CommitOrder } from './commit-order.ts';
import { decorationsOf, type Decorations } from './decorations.ts';
import { dateOf, historyFilter, HISTORY_OPTIONS } from './filter.ts';
import { isOnPath, markedSides, SIDE_OPTIONS } from './sides.ts';
import { Simplification, type HistoryNode } from './simplification.ts';
import { simplifyMerges } from './simplify-merges.ts';
import { ancestors, insertByDate, parseRange, type Mark, type Range, type Revision } from './walk.ts';

/** Options of `log` and `rev-list` that control which commits are shown, in which order and with which mark. */
export const SELECTION_OPTIONS = {
	...HISTORY_OPTIONS,
	...SIDE_OPTIONS,
	topoOrder: '--topo-order',
	dateOrder: '--date-order',
	authorDateOrder: '--author-date-order',
	noWalk: '--no-walk ?',
	boundary: '--boundary',
	fullHistory: '--full-history',
	dense: '--dense',
	sparse: '--sparse',
	showPulls: '--show-pulls',
	simplifyMerges: '--simplify-merges',
	removeEmpty: '--remove-empty',
	excludeFirstParent: '--exclude-first-parent-only',
	byDecoration: '--simplify-by-decoration',
	parents: '--parents',
	children: '--children',
	graph: '--graph !'
};

/** Commit to show. */
export interface Selected extends Revision {
	mark: Mark;
	/** Parents in the shown history. */
	lineage: readonly string[];
}

type SelectionOptions = Options<keyof typeof SELECTION_OPTIONS>;

/** Mark before a commit's id; shows sides only if requested. */
export function shownMark(mark: Mark, options: Options<'leftRight' | 'cherryMark' | 'cherry'>): string {
	if (mark === '-' || mark === '=') return mark;
	if (options.has('leftRight')) return mark;
	return options.has('cherryMark') || options.has('cherry') ? '+' : '';
}

/** Input of a selection. */
export interface Beginning {
	/** Names of commits and ranges, as given. */
	names: readonly string[];
	pathspec: Pathspec;
	/** Replaces the selection by paths, as for `--follow`. */
	isTouched?: ((revision: Revision) => boolean) | undefined;
	/** Omits commits of which no change is shown. */
	isShown?: ((revision: Revision) => boolean) | undefined;
	/** Matches people by their mailmap names. */
	isMapped?: boolean | undefined;
	/** Decides by `-S` and `-G` whether a merge is selected. */
	isMergePicked?: ((revision: Revision) => boolean) | undefined;
	/** Names of commits, for `--simplify-by-decoration`. */
	decorations?: Decorations | undefined;
	/** Commits to select from, instead of those reachable from the names. */
	walked?: Iterable<Revision> | undefined;
}

/** Commits selected by names, paths and options, in the order shown. */
export class HistorySelection implements Iterable<Selected> {
	readonly #range: Range;
	readonly #simplification: Simplification;
	readonly #wanted: (revision: Revision) => boolean;
	/** Commits shown so far. */
	readonly #shown = new Set<string>();
	/** Parents of the shown commits. */
	readonly #edges = new Set<string>();

	constructor(
		private readonly repository: Repository,
		private readonly options: SelectionOptions,
		private readonly beginning: Beginning
	) {
		const { names, pathspec, isMapped, isMergePicked } = beginning;
		this.#wanted = historyFilter(repository, options, { pathspec, isMapped, isMergePicked });
		this.#range = beginning.walked ? { include: [], exclude: [] } : parseRange(repository, names);
		const { exclude } = this.#range;
		const hidden = ancestors(repository, exclude, options.has('excludeFirstParent'));
		this.#simplification = new Simplification(repository, this.#rules(), { hidden, bottoms: new Set(exclude) });
	}

	#rules() {
		const { options, repository, beginning } = this;
		const isByDecoration = options.has('byDecoration');
		const named = isByDecoration ? (beginning.decorations ?? decorationsOf(repository)) : null;
		const isSimplified = options.has('simplifyMerges') || isByDecoration;
		return {
			pathspec: beginning.pathspec,
			isNamed: named && ((id: string) => named.has(id)),
			isWhole: options.has('fullHistory') || options.has('ancestryPath') || isSimplified,
			isDense: options.latest('dense', 'sparse') !== 'sparse',
			showsPulls: options.has('showPulls'),
			endsBeforeFiles: options.has('removeEmpty'),
			firstParent: options.has('firstParent'),
			keepsTies: isSimplified || (['parents', 'children', 'graph'] as const).some((name) => options.has(name))
		};
	}

	*[Symbol.iterator](): Generator<Selected> {
		const { options } = this;
		const limit = Number(options.get('count') ?? Infinity);
		let skip = Number(options.get('skip') ?? 0);
		let left = limit < 0 ? Infinity : limit;
		for (const revision of left > 0 ? this.#ordered() : []) {
			if (!this.#isSelected(revision) || skip-- > 0) continue;
			this.#shown.add(revision.id);
			const lineage = this.#lineage(revision);
			for (const parent of lineage) this.#edges.add(parent);
			yield { ...revision, mark: revision.mark ?? '', lineage };
			if (--left <= 0) break;
		}
		if (options.has('boundary')) yield* this.#boundary();
	}

	/** Returns whether the graph draws a line to a commit. */
	isDrawn(id: string): boolean {
		const { options, beginning } = this;
		if (options.has('boundary') && this.#edges.has(id)) return true;
		if (beginning.isTouched || beginning.isShown) return true;
		if (this.#simplification.isHidden(id)) return false;
		const node = this.#simplification.node(id);
		return this.#simplification.isKept(node) && this.#wanted(node);
	}

	#isSelected(revision: Revision): boolean {
		const { isTouched, isShown } = this.beginning;
		if (isTouched && !isTouched(revision)) return false;
		if (!isTouched && !this.#simplification.isKept(this.#simplification.node(revision.id))) return false;
		return this.#wanted(revision) && isShown?.(revision) !== false;
	}

	#lineage(revision: Revision): readonly string[] {
		return this.#simplification.shownParents(this.#simplification.node(revision.id));
	}

	/** Children of each commit reachable from the names, shown or not. */
	children(): ReadonlyMap<string, string[]> {
		const children = new Map<string, string[]>();
		for (const { id } of this.#ordered())
			for (const parent of this.#simplification.node(id).parents)
				children.set(parent, [id, ...(children.get(parent) ?? [])]);
		return children;
	}

	/** Parents of shown commits that are not shown themselves. */
	#boundary(): Selected[] {
		const ids = [...this.#edges].filter((id) => !this.#shown.has(id)).reverse();
		const found = ids.map((id): Selected => {
			const commit = this.repository.commit(id);
			return { id, commit, mark: '-', lineage: commit.parents };
		});
		return inOrder(found, this.#order() ?? 'lines', ({ commit }) => commit.parents);
	}

	/** Requested order, or the one that a graph needs; null for the default. */
	#order(): CommitOrder | null {
		const { options } = this;
		const asked = options.latest('topoOrder', 'dateOrder', 'authorDateOrder');
		if (asked === 'dateOrder') return 'committed';
		if (asked === 'authorDateOrder') return 'authored';
		const isSimplified = options.has('simplifyMerges') || options.has('byDecoration');
		return asked === 'topoOrder' || isSimplified || options.has('graph') ? 'lines' : null;
	}

	/** Commits of the range with their marks, sorted. */
	#ordered(): Iterable<Revision> {
		const { repository, options, beginning } = this;
		if (beginning.walked) return beginning.walked;
		if (options.has('noWalk') && this.#range.exclude.length === 0) return this.#named();
		const simplification = this.#simplification;
		const order = this.#order();
		const hasAncestry = options.has('ancestryPath');
		const { names, pathspec } = beginning;
		const walked = this.#walk();
		if (order === null && !hasAncestry) return markedSides(repository, options, walked, names, pathspec);
		let nodes = [...walked];
		if (hasAncestry) {
			const isKept = isOnPath(repository, options, this.#range, nodes);
			for (const { id } of nodes) if (!isKept(id)) simplification.hide(id);
			nodes = nodes.filter(({ id }) => !simplification.isHidden(id));
			simplification.review(nodes);
		}
		if (order !== null) nodes = inOrder(nodes, order, ({ parents }) => parents);
		if ((options.has('simplifyMerges') || options.has('byDecoration')) && simplification.isPruned)
			nodes = simplifyMerges(simplification, nodes);
		return markedSides(repository, options, nodes, names, pathspec);
	}

	/** Named commits, the newest first or in the given order. */
	#named(): Revision[] {
		const found = [...new Set(this.#range.include)].map((id) => this.#simplification.node(id));
		if (this.options.get('noWalk') === 'unsorted') return found;
		return found.sort((a, b) => b.commit.committer.seconds - a.commit.committer.seconds);
	}

	/** Commits reachable from the names, the newest first. */
	*#walk(): Generator<HistoryNode> {
		const { options, repository } = this;
		const simplification = this.#simplification;
		const since = options.get('since');
		const first = since === undefined ? -Infinity : dateOf(since, repository.files.now());
		const seen = new Set<string>();
		const queue: HistoryNode[] = [];
		const push = (id: string): void => {
			if (seen.has(id) || simplification.isHidden(id)) return;
			seen.add(id);
			insertByDate(queue, simplification.node(id));
		};
		this.#range.include.forEach(push);
		for (let next = queue.shift(); next; next = queue.shift()) {
			if (next.commit.committer.seconds < first) continue;
			yield next;
			(options.has('firstParent') ? next.parents.slice(0, 1) : next.parents).forEach(push);
		}
	}
}
