import { fatal, type GitError } from '../errors.ts';
import { encode, concat } from '../bytes.ts';
import type { Change } from '../diff/change.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { diffFormat, formatHow, showsChanges } from '../diff/options.ts';
import type { DiffFormat } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import type { LogFormat } from '../history/commit-format.ts';
import { encodeLog, formatCommit } from '../history/format.ts';
import { LOG_OPTIONS, logFormat, withoutCleared } from '../history/log-format.ts';
import { isNamed } from '../history/pretty-name.ts';
import { searchPatterns } from '../history/filter.ts';
import { highlightOf } from '../history/highlight.ts';
import { Follower } from '../history/follow.ts';
import type { DrawnCommit, Graph } from '../history/graph.ts';
import { drawnMark, graphOf } from '../history/graph-look.ts';
import { LineHistory } from '../history/line-history.ts';
import { latestForm, MERGE_FORM_OPTIONS, mergeForm, type MergeForm } from '../history/merge-form.ts';
import { nearest } from '../history/nearest.ts';
import { namedStarts } from '../history/named-starts.ts';
import { walkReflogs } from '../history/reflog-walk.ts';
import { HistorySelection, SELECTION_OPTIONS, shownMark, type Selected } from '../history/selection.ts';
import { ShownChanges } from '../history/shown-changes.ts';
import { sourcesOf } from '../history/sources.ts';
import { parseRange, type Revision } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, refuseTogether, type Options } from '../options.ts';
import { isRefName } from '../refs/ref-format.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const OPTIONS = {
	...LOG_OPTIONS,
	...SELECTION_OPTIONS,
	follow: '--follow !',
	fullDiff: '--full-diff',
	walkReflogs: '-g --walk-reflogs',
	source: '--source',
	linearBreak: '--show-linear-break ?',
	ignoreMissing: '--ignore-missing',
	usual: '--default =',
	lines: '-L =',
	...MERGE_FORM_OPTIONS
};

type LogCommandOptions = Options<keyof typeof OPTIONS>;

export const log: Command = (git, args) => showHistory(git, args, false);

/** Like `git log`, but shows the changes of each commit as raw lines and omits commits without changes. */
export const whatchanged: Command = (git, args) => showHistory(git, args, true);

function showHistory(git: Invocation, args: string[], isAboutChanges: boolean): number {
	const starts = namedStarts(git, withoutCleared(args));
	const options = parseOptions('log [<options>] [<revision-range>] [[--] <path>...]', starts.args, OPTIONS);
	checkOptions(options);
	const { repository } = git;
	const { revisions: given, paths } = splitRevisions(repository, options);
	const revisions = options.has('ignoreMissing') ? given.filter((text) => isThere(repository, text)) : given;
	const isNamed = given.length > 0 || starts.isNamed;
	const usual = options.get('usual') ?? 'HEAD';
	if (!isNamed && findRevision(repository, usual) === null) throw noCommitsYet(repository, usual);
	const names = starts.isNamed || given.some((text) => !text.startsWith('^')) ? revisions : [...revisions, usual];
	const pathspec = new Pathspec(repository, paths);
	const shownPaths = options.has('fullDiff') ? new Pathspec(repository, []) : pathspec;
	const lineHistory = linesOf(repository, options, names, paths);
	const follower = followerOf(repository, options, paths);
	const format: LogFormat = {
		...logFormat(git, options),
		markOf: ({ mark = '' }: Revision) => (options.has('graph') ? '' : shownMark(mark, options)),
		showsParents: options.has('parents')
	};
	if (format.isColored && !options.has('invert'))
		format.highlight = highlightOf(repository, searchPatterns(repository, options));
	if (options.has('source') || /%[-+ ]?S/.test(format.name)) {
		const sources = sourcesOf(repository, names, starts.refs);
		format.sourceOf = (id) => sources.get(id);
	}
	const { shown, changes, form } = shownHow(git, options, {
		pathspec: shownPaths,
		isAboutChanges,
		hasLines: lineHistory !== null
	});
	const printer = new LogPrinter(git, format, shown, {
		form,
		changesOf: (revision) => follower?.changesOf(revision.id) ?? changes.of(revision),
		combinedOf: (revision) => (follower ? null : changes.combined(revision, shown)),
		viewsOf: (revision) => (follower ? [revision] : changes.views(revision)),
		patchOf: lineHistory ? (revision) => lineHistory.patch(revision.id, shown) : null
	});
	const tracker = follower ?? lineHistory;
	const isTouched = tracker ? (revision: Revision) => tracker.touches(revision) : undefined;
	const isMergePicked = form === 'none' ? undefined : (revision: Revision) => changes.isAny(revision);
	const isShown = options.has('filter') || isAboutChanges ? (revision: Revision) => changes.isAny(revision) : undefined;
	const walked = options.has('walkReflogs')
		? walkReflogs(repository, names, format.isDateAsked ? format.date : null)
		: undefined;
	const selected = new HistorySelection(repository, options, {
		names,
		pathspec: tracker ? new Pathspec(repository, []) : pathspec,
		isTouched,
		isShown,
		walked,
		isMergePicked,
		isMapped: format.isMapped,
		decorations: format.decorations
	});
	if (options.has('graph')) drawAll(git, options, printer, selected, tracker !== null);
	else printAll(git, options, printer, selected);
	return 0;
}

/** Form of the changes that a log shows, and the changes. */
function shownHow(
	git: Invocation,
	options: LogCommandOptions,
	{ pathspec, isAboutChanges, hasLines }: { pathspec: Pathspec; isAboutChanges: boolean; hasLines: boolean }
): { shown: DiffFormat; changes: ShownChanges; form: MergeForm } {
	const form = mergeForm(options, git.repository.config, 'none');
	if (form === 'remerge') options.add('fullHistory', '');
	const last = latestForm(options);
	const impliesPatch = last === 'combined' || last === 'dense' || last === 'remerge';
	const given = diffFormat(options, impliesPatch || hasLines, formatHow(git, true));
	const onlyMerges = last === 'diffMerges' && form !== 'none' && !showsChanges(given);
	const asked = onlyMerges ? diffFormat(options, true, formatHow(git, true)) : given;
	const shown = isAboutChanges && !showsChanges(asked) ? { ...asked, raw: true } : asked;
	const ignoresCase = options.has('ignoreCase');
	const changes = new ShownChanges(git, options, { pathspec, form, onlyMerges, ignoresCase });
	return { shown, changes, form };
}

/** Returns whether a name is a range or resolves to an existing object. */
function isThere(repository: Repository, text: string): boolean {
	const id = findRevision(repository, text.replace(/^\^/, ''));
	return text.includes('..') || (id !== null && repository.objects.find(id) !== null);
}

function noCommitsYet({ refs, files, commonDir }: Repository, name: string): GitError {
	const target = refs.symbolic(name);
	const isBroken = target === null || !isRefName(target) || files.statOrNull(`${commonDir}/${target}`)?.kind === 'file';
	if (isBroken) return fatal('your current branch appears to be broken');
	return fatal(`your current branch '${target.replace(/^refs\/heads\//, '')}' does not have any commits yet`);
}

/** @throws GitError for options that exclude each other */
function checkOptions(options: LogCommandOptions): void {
	refuseTogether(options, [
		['reverse', 'graph', '--reverse', '--graph'],
		['linearBreak', 'graph', '--show-linear-break', '--graph'],
		['noWalk', 'graph', '--no-walk', '--graph'],
		['walkReflogs', 'graph', '--walk-reflogs', '--graph'],
		['reverse', 'walkReflogs', '--reverse', '--walk-reflogs']
	]);
}

/** Follower of a file across renames, for `--follow` or `log.follow`; null if neither applies. */
function followerOf(repository: Repository, options: LogCommandOptions, paths: readonly string[]): Follower | null {
	const [path, ...more] = paths;
	if (options.has('follow') && (path === undefined || more.length > 0))
		throw fatal('--follow requires exactly one pathspec');
	const isSet = !options.isTakenBack('follow') && repository.config.flag('log.follow', false);
	const isFollowed = options.has('follow') || (isSet && more.length === 0);
	return isFollowed && path !== undefined ? new Follower(repository, repository.fromCwd(path)) : null;
}

/** Prints commits. `--show-linear-break` puts a bar before each one that is not a parent of the previous one. */
function printAll(
	git: Invocation,
	options: LogCommandOptions,
	printer: LogPrinter,
	selected: Iterable<Revision>
): void {
	const hasBreaks = options.has('linearBreak');
	const bar = options.get('linearBreak') || `${' '.repeat(20)}..........`;
	let parents: readonly string[] | null = null;
	for (const revision of options.has('reverse') ? [...selected].reverse() : selected) {
		if (hasBreaks && parents !== null && !parents.includes(revision.id)) git.out(`\n${bar}\n`);
		printer.print(revision);
		parents = revision.commit.parents;
	}
}

/**
 * Prints commits with a graph of the history beside them.
 *
 * @param isTracked whether graph lines lead to the nearest shown ancestors
 */
function drawAll(
	git: Invocation,
	options: LogCommandOptions,
	printer: LogPrinter,
	selected: HistorySelection,
	isTracked: boolean
): void {
	const graph = graphOf(git, options.has('noColor') ? 'never' : options.get('color'));
	const all: Iterable<Selected> = isTracked ? [...selected] : selected;
	const drawable = isTracked ? new Set([...all].map(({ id }) => id)) : null;
	for (const revision of all) {
		const parents = drawable
			? nearest(git.repository, revision, drawable).commit.parents
			: revision.lineage.filter((id) => selected.isDrawn(id));
		const mark = drawnMark(revision.mark, options);
		const drawn = options.has('firstParent') ? parents.slice(0, 1) : parents;
		git.out(printer.drawn(revision, graph, { id: revision.id, parents: drawn, mark }));
	}
}

/** History of the line ranges given with `-L`; null without any. Also requests topological order. */
function linesOf(
	repository: Repository,
	options: Options<'lines' | 'follow' | 'raw' | 'topoOrder'>,
	names: readonly string[],
	paths: readonly string[]
): LineHistory | null {
	if (!options.has('lines')) return null;
	if (paths.length > 0) throw fatal('-L<range>:<file> cannot be used with pathspec');
	if (options.has('follow')) throw fatal('--follow requires exactly one pathspec');
	if (options.has('raw')) throw fatal('-L does not yet support diff formats besides -p and -s');
	const tips = parseRange(repository, names).include;
	if (tips.length !== 1) throw fatal('More than one commit to dig from');
	options.add('topoOrder', '');
	return new LineHistory(repository, tips[0]!, options.all('lines'));
}

/** Changes that are printed with commits. */
interface PrintedChanges {
	form: MergeForm;
	changesOf: (revision: Revision) => Change[];
	/** Returns what a merge changed since all its parents at once; null if it is not printed in that form. */
	combinedOf: (revision: Revision) => string | null;
	/** Returns the forms in which a commit is printed, one after another. */
	viewsOf: <Shown extends Revision>(revision: Shown) => Shown[];
	/** Returns the patch of a commit (binary text) to be printed instead of its changes. */
	patchOf?: ((revision: Revision) => string) | null;
}

/** Prints commits with separators between them. */
export class LogPrinter {
	#count = 0;

	constructor(
		private readonly git: Invocation,
		private readonly format: LogFormat,
		private readonly shown: DiffFormat,
		private readonly printed: PrintedChanges
	) {}

	print(revision: Revision & { lineage?: readonly string[] }): void {
		for (const view of this.#views(revision)) this.git.out(concat(this.#parts(view)));
	}

	#views<Shown extends Revision>(revision: Shown): Shown[] {
		return showsChanges(this.shown) ? this.printed.viewsOf(revision) : [revision];
	}

	/** Separator before printing something that is not a commit. */
	separator(): string {
		return this.#count++ > 0 ? '\n' : '';
	}

	/** Returns a commit with the graph beside it. */
	drawn(revision: Selected, graph: Graph, commit: DrawnCommit): Uint8Array {
		const first = this.#count === 0;
		const [head, ...parts] = this.#views(revision)
			.flatMap((view) => this.#parts(view))
			.map(binaryText);
		const lines = linesIn(head!);
		// The separator belongs to the rows of the previous commit.
		const separator = this.format.separated && !first ? lines.shift() : undefined;
		// An empty last line goes below the graph lines of forks.
		const last = !this.format.separated && lines.length > 1 && lines.at(-1) === '' ? lines.splice(-1) : [];
		const more = [...last, ...linesIn(parts.join(''))];
		const rows = graph.rows(commit, { lines, more }, separator !== undefined);
		return binaryBytes(rows.map((row) => `${row}\n`).join(''));
	}

	/** Returns the text of a commit, and its changes. */
	#parts(revision: Revision & { lineage?: readonly string[] }): Uint8Array[] {
		const { format, shown, git } = this;
		const { form, changesOf, combinedOf, patchOf } = this.printed;
		const { commit, lineage = commit.parents } = revision;
		const shownRevision = { ...revision, commit: { ...commit, parents: [...lineage] } };
		const head = formatCommit(git.repository, shownRevision, format);
		const hasChanges = showsChanges(shown) && !patchOf;
		const combined = hasChanges ? combinedOf(revision) : null;
		const changes = hasChanges && combined === null ? changesOf(revision) : [];
		const named = isNamed(format.name);
		const mark = shown.zero ? '\0' : '\n';
		const separator = this.#count++ > 0 && format.separated ? mark : '';
		// With separators, only named formats end with a newline; custom formats do not.
		const end = format.separated ? (named ? '\n' : '') : head !== '' || format.name !== '' ? mark : '';
		const parts = [encodeLog(format.encoding, separator + head + end)];
		if (patchOf && shown.patch) parts.push(binaryBytes(`\n${patchOf(revision)}`));
		else if (combined !== null) parts.push(binaryBytes((head === '' ? '' : '\n') + combined));
		else if (changes.length > 0) {
			const mixed = shown.patch && (shown.stat || shown.shortstat);
			if (end === '' && head !== '') parts.push(encode('\n'));
			else if (format.name !== 'oneline' && head !== '') parts.push(encode(mixed ? '---\n' : '\n'));
			parts.push(binaryBytes(printChanges(git.repository, changes, shown)));
		} else if (form === 'remerge' && revision.commit.parents.length > 2)
			parts.push(encode('diff: warning: Skipping remerge-diff for octopus merges.\n'));
		return parts;
	}
}

const linesIn = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
