import { fatal } from '../errors.ts';
import { encode, concat } from '../bytes.ts';
import { compareTrees, type Change } from '../diff/change.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat, showsChanges } from '../diff/options.ts';
import { mergePatch } from '../diff/merge-patch.ts';
import { printChanges, type DiffFormat } from '../diff/print.ts';
import { selectChanges } from '../diff/select.ts';
import { formatDate } from '../history/dates.ts';
import { formatCommit, isNamed, parseFormat, type LogFormat } from '../history/format.ts';
import { Follower } from '../history/follow.ts';
import { Graph } from '../history/graph.ts';
import { nearest } from '../history/nearest.ts';
import { namedStarts } from '../history/named-starts.ts';
import { walkReflogs } from '../history/reflog-walk.ts';
import { selectHistory, SELECTION_OPTIONS, shownMark } from '../history/selection.ts';
import { topological, type Revision } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

/** Options common to `log` and `show`. */
export const LOG_OPTIONS = {
	...DIFF_OPTIONS,
	oneline: '--oneline',
	format: '--format --pretty =',
	abbreviate: '--abbrev-commit',
	noAbbreviate: '--no-abbrev-commit',
	date: '--date =',
	digits: '--abbrev =',
	decorate: '--decorate ?',
	noDecorate: '--no-decorate'
};

export function logFormat(git: Invocation, options: Options<keyof typeof LOG_OPTIONS>): LogFormat {
	const oneline = options.has('oneline');
	const date = options.get('date') ?? git.repository.config.get('log.date') ?? 'default';
	const sample = { name: '', email: '', seconds: 0, offsetMinutes: 0 };
	if (formatDate(sample, date, 0) === null) throw fatal(`unknown date format ${date}`);
	const when = options.get('decorate');
	// As in git, names are added for a user at a terminal.
	const terminal = git.context.sync.isTerminal(1);
	return {
		...parseFormat(options.get('format') ?? (oneline ? 'oneline' : 'medium')),
		abbreviate: (oneline || options.has('abbreviate')) && !options.has('noAbbreviate'),
		date,
		digits: options.get('digits') === undefined ? undefined : Number(options.get('digits')),
		fullNames: when === 'full',
		decorate:
			options.has('noDecorate') || when === 'no' ? false : when === undefined || when === 'auto' ? terminal : true
	};
}

export const log: Command = (git, args) => {
	const starts = namedStarts(git, args);
	const options = parseOptions('log [<options>] [<revision-range>] [[--] <path>...]', starts.args, {
		...LOG_OPTIONS,
		...SELECTION_OPTIONS,
		follow: '--follow',
		graph: '--graph',
		noGraph: '--no-graph',
		walkReflogs: '-g --walk-reflogs',
		source: '--source',
		lines: '-L =',
		combined: '-c --cc'
	});
	if (options.has('lines'))
		throw fatal("the history of single lines is not shown here: see 'git blame -L <start>,<end> <file>'");
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const isNamed = revisions.length > 0 || starts.isNamed;
	if (!isNamed && repository.head() === null) {
		throw fatal(`your current branch '${repository.refs.currentBranch() ?? 'HEAD'}' does not have any commits yet`);
	}
	const names = starts.isNamed || revisions.some((text) => !text.startsWith('^')) ? revisions : [...revisions, 'HEAD'];
	const pathspec = new Pathspec(repository, paths);
	if (options.has('follow') && paths.length !== 1) throw fatal('--follow requires exactly one pathspec');
	const follower = options.has('follow') ? new Follower(repository, repository.fromCwd(paths[0]!)) : null;
	const format = {
		...logFormat(git, options),
		markOf: ({ mark = '' }: Revision) => shownMark(mark, options),
		showsParents: options.has('parents')
	};
	const shown = diffFormat(options, options.has('combined'));
	const printer = new LogPrinter(
		git,
		format,
		shown,
		(revision) =>
			follower?.changesOf(revision.id) ??
			firstParentChanges(repository, revision, pathspec, options, options.has('firstParent')),
		options.has('combined')
	);
	if (options.has('graph') && options.has('reverse'))
		throw fatal("options '--reverse' and '--graph' cannot be used together");
	const graph = options.has('graph') ? new Graph() : null;
	const isTouched = follower ? (revision: Revision) => follower.touches(revision) : undefined;
	const isShown = options.has('filter')
		? (revision: Revision) => firstParentChanges(repository, revision, pathspec, options).length > 0
		: undefined;
	if (options.has('walkReflogs')) {
		if (options.has('reverse')) throw fatal("options '--reverse' and '--walk-reflogs' cannot be used together");
		if (graph) throw fatal("options '--walk-reflogs' and '--graph' cannot be used together");
		for (const revision of walkReflogs(repository, options, names, pathspec)) printer.print(revision);
		return 0;
	}
	const selected = selectHistory(repository, options, { names, pathspec, isTouched, isShown });
	if (graph) {
		const all = topological([...selected]);
		const drawable = new Set(all.map(({ id }) => id));
		for (const revision of all) git.out(printer.drawn(revision, graph, drawable));
	} else for (const revision of options.has('reverse') ? [...selected].reverse() : selected) printer.print(revision);
	return 0;
};

/**
 * Changes of a commit against its first parent.
 * @param merges includes merges; `git log -p` does not
 */
export function firstParentChanges(
	repository: Repository,
	{ commit }: Revision,
	pathspec: Pathspec,
	options: Options<keyof typeof DIFF_OPTIONS>,
	merges = false
): Change[] {
	if (commit.parents.length > 1 && !merges) return [];
	const parent = commit.parents[0];
	const before = parent === undefined ? null : repository.commit(parent).tree;
	return selectChanges(repository, compareTrees(repository.objects, before, commit.tree), pathspec, options);
}

/** Prints commits one after another, with their separators. */
export class LogPrinter {
	#count = 0;

	constructor(
		private readonly git: Invocation,
		private readonly format: LogFormat,
		private readonly shown: DiffFormat,
		private readonly changesOf: (revision: Revision) => Change[],
		/** Shows a merge against all its parents at once. */
		private readonly combined = false
	) {}

	print(revision: Revision): void {
		this.git.out(this.#text(revision));
	}

	/** The commit with the lines of history beside it. */
	drawn(revision: Revision, graph: Graph, drawable: ReadonlySet<string>): Uint8Array {
		const first = this.#count === 0;
		const text = binaryText(this.#text(revision));
		const lines = text.replace(/\n$/, '').split('\n');
		// What separates commits belongs to the one before.
		const separator = this.format.separated && !first ? lines.shift() : undefined;
		const rows = graph.rows(nearest(this.git.repository, revision, drawable), lines, separator !== undefined);
		return binaryBytes(rows.map((row) => `${row}\n`).join(''));
	}

	#text(revision: Revision): Uint8Array {
		const { format, shown, git } = this;
		const head = formatCommit(git.repository, revision, format);
		const changes = showsChanges(shown) ? this.changesOf(revision) : [];
		const named = isNamed(format.name);
		const separator = this.#count++ > 0 && format.separated ? '\n' : '';
		const end = (named || !format.separated) && (head !== '' || format.name !== '') ? '\n' : '';
		const parts = [encode(separator + head + end)];
		if (changes.length > 0) {
			const mixed = shown.patch && (shown.stat || shown.shortstat);
			if (end === '' && head !== '') parts.push(encode('\n'));
			else if (format.name !== 'oneline' && head !== '') parts.push(encode(mixed ? '---\n' : '\n'));
			parts.push(binaryBytes(printChanges(git.repository, changes, shown)));
		} else if (this.combined && shown.patch && revision.commit.parents.length > 1) {
			const text = mergePatch(git.repository, revision.commit);
			if (text !== '') parts.push(binaryBytes(`\n${text}`));
		}
		return concat(parts);
	}
}
