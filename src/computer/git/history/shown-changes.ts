import { pathOf, type Change } from '../diff/change.ts';
import { NO_DIFF, type DiffFormat } from '../diff/format.ts';
import { mergePatch } from '../diff/merge-patch.ts';
import { showsChanges, type DIFF_OPTIONS } from '../diff/options.ts';
import { printChanges } from '../diff/print.ts';
import type { Invocation } from '../invocation.ts';
import type { Options } from '../options.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import { firstParentChanges } from './first-parent-changes.ts';
import type { MergeForm } from './merge-form.ts';
import { remergedChanges } from './remerged-changes.ts';
import type { Revision } from './walk.ts';

/** Options for the changes that a log shows of its commits. */
interface ChangesHow {
	pathspec: Pathspec;
	form: MergeForm;
	/** Shows the changes of merges only. */
	onlyMerges?: boolean;
	/** `-S` and `-G` ignore case. */
	ignoresCase?: boolean;
}

/** Changes that a log shows of its commits. */
export class ShownChanges {
	constructor(
		private readonly git: Invocation,
		private readonly options: Options<keyof typeof DIFF_OPTIONS>,
		private readonly how: ChangesHow
	) {}

	of(revision: Revision): Change[] {
		const { git, options } = this;
		const { pathspec, form, onlyMerges = false, ignoresCase = false } = this.how;
		const isMerge = revision.commit.parents.length > 1;
		if (onlyMerges && !isMerge) return [];
		if (isMerge && form === 'remerge')
			return revision.commit.parents.length > 2 ? [] : remergedChanges(git, revision, pathspec, options, ignoresCase);
		const showsMerge = form === 'first' || revision.from !== undefined;
		return firstParentChanges(git.repository, revision, pathspec, options, showsMerge, ignoresCase);
	}

	/** Changes of a merge since all its parents at once, as binary text; null if they are not shown in that form. */
	combined({ commit }: Revision, format: DiffFormat): string | null {
		const { git, options } = this;
		const { pathspec, form } = this.how;
		if (commit.parents.length < 2 || (form !== 'combined' && form !== 'dense')) return null;
		// A statistic is that of the changes since the first parent.
		const { stat, shortstat, numstat, summary, dirstat } = format;
		const counts = {
			...NO_DIFF,
			stat,
			shortstat,
			numstat,
			summary,
			dirstat,
			widths: format.widths,
			colors: format.colors
		};
		const hasCounts = showsChanges({ ...format, raw: false, nameOnly: false, nameStatus: false, patch: false });
		const isLimited = options.has('filter') || options.has('pickaxe') || options.has('pickaxeRegex');
		const needsChanges = hasCounts || isLimited;
		const changes = needsChanges ? firstParentChanges(git.repository, { id: '', commit }, pathspec, options, true) : [];
		const text = hasCounts ? printChanges(git.repository, changes, counts) : '';
		const left = isLimited ? new Set(changes.map(pathOf)) : null;
		const isShown = (path: string) => (pathspec.isEmpty || pathspec.matches(path)) && left?.has(path) !== false;
		const rest = mergePatch(git.repository, commit, format, { isDense: form === 'dense', isShown });
		return text === '' || rest === '' ? text + rest : `${text}\n${rest}`;
	}

	/** Forms in which a commit is shown: a merge may be shown once for each parent that it differs from. */
	views<Shown extends Revision>(revision: Shown): Shown[] {
		const { parents } = revision.commit;
		if (this.how.form !== 'separate' || parents.length < 2) return [revision];
		const views = parents.map((from) => ({ ...revision, from })).filter((view) => this.of(view).length > 0);
		return views.length > 0 ? views : [revision];
	}

	/** Returns whether any change of a commit is shown; a combined form also shows merges without changes. */
	isAny(revision: Revision): boolean {
		const { form } = this.how;
		if (revision.commit.parents.length > 1 && (form === 'combined' || form === 'dense')) return true;
		return this.views(revision).some((view) => this.of(view).length > 0);
	}
}
