import { GitError } from '../errors.ts';
import { wantsColor } from '../color-choice.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { drawnMark, graphOf } from '../history/graph-look.ts';
import type { Graph } from '../history/graph.ts';
import type { LogFormat } from '../history/commit-format.ts';
import { commitText, encodeLog, outputEncoding } from '../history/format.ts';
import { givenFormat } from '../history/log-format.ts';
import { isNamed, prettyFormat } from '../history/pretty-name.ts';
import { examinePresent } from '../history/listed-objects.ts';
import { namedStarts } from '../history/named-starts.ts';
import { HistorySelection, SELECTION_OPTIONS, shownMark, type Selected } from '../history/selection.ts';
import { diskUsage, objectList, OBJECT_LIST_OPTIONS } from './rev-list-objects.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, refuseTogether, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { findRevision } from '../refs/revision.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const USAGE = 'rev-list [<options>] <commit>... [--] [<path>...]';

export const revList: Command = (git, args) => {
	// The names are resolved before the options are parsed.
	if (args.some((arg) => /^--(?:missing=(?!error$)|exclude-promisor-objects$)/.test(arg)))
		git.repository.objects.fetchNothing();
	const starts = namedStarts(git, args);
	const options = parseOptions(USAGE, starts.args, OPTIONS);
	refuseTogether(options, [
		['reverse', 'graph', '--reverse', '--graph'],
		['noWalk', 'graph', '--no-walk', '--graph']
	]);
	const { repository } = git;
	if (options.has('ignoreMissing')) leaveOutMissing(repository, options.operands);
	const isExcluded = examinePresent(repository, options);
	const { revisions, paths } = splitRevisions(repository, options);
	if (revisions.length === 0 && !starts.isNamed && !options.has('ignoreMissing'))
		throw new GitError(`usage: git ${USAGE}`, 129);
	const pathspec = new Pathspec(repository, paths);
	const objects = objectList(repository, options, { revisions, pathspec, others: starts.others });
	const names = (objects?.commits ?? revisions).filter((name) => !isExcluded(findRevision(repository, name) ?? ''));
	const selected = new HistorySelection(repository, options, { names, pathspec });
	const listed = [...selected];
	const found = objects ? objects.begin(listed) : listed;
	if (options.has('diskUsage') || options.has('countOnly')) {
		const more = [...(objects?.all() ?? [])];
		git.out(
			options.has('countOnly')
				? countLine(found, more.length, options)
				: diskUsage(repository, [...found, ...more], options.get('diskUsage') ?? '')
		);
		return 0;
	}
	const shape = printHow(git, options);
	if (objects && options.has('inCommitOrder')) {
		objects.printBetween(git, found, (revision) => printed(repository, revision, [], shape));
		return 0;
	}
	if (options.has('edges')) git.out(objects?.edgeLines() ?? '');
	const children = options.has('children') ? selected.children() : null;
	const graph = options.has('graph')
		? graphOf(git, options.isTakenBack('color') ? 'never' : options.get('color'))
		: null;
	for (const revision of options.has('reverse') ? [...found].reverse() : found) {
		const text = printed(repository, revision, children?.get(revision.id) ?? [], shape);
		if (!options.has('quiet')) git.out(graph ? besideGraph(graph, selected, revision, text, options) : text);
	}
	objects?.print(git);
	return 0;
};

const OPTIONS = {
	...SELECTION_OPTIONS,
	countOnly: '--count',
	oneline: '--oneline',
	abbreviate: '--abbrev-commit',
	noAbbreviate: '--no-abbrev-commit --no-abbrev',
	digits: '--abbrev =',
	format: '--format =',
	pretty: '--pretty ?',
	date: '--date =',
	color: '--color ? !',
	encoding: '--encoding =',
	commitHeader: '--commit-header !',
	header: '--header',
	timestamp: '--timestamp',
	...OBJECT_LIST_OPTIONS,
	diskUsage: '--disk-usage ?',
	ignoreMissing: '--ignore-missing',
	ignored: '--use-bitmap-index'
};

/** Removes operands that name missing objects. */
function leaveOutMissing(repository: Repository, operands: string[]): void {
	const isThere = (text: string) => {
		const id = findRevision(repository, text.replace(/^\^/, ''));
		return id !== null && repository.objects.has(id);
	};
	const kept = operands.filter((text) => text.includes('..') || isThere(text));
	operands.splice(0, operands.length, ...kept);
}

type RevListOptions = Options<keyof typeof OPTIONS>;

/** Line with the number of commits, per side if requested. */
function countLine(found: readonly Selected[], objectCount: number, options: RevListOptions): string {
	const count = (mark: string) => found.filter((one) => one.mark === mark).length;
	const twins = options.has('cherryMark') ? [count('=')] : [];
	if (options.has('leftRight')) return `${[count('<'), count('>'), ...twins].join('\t')}\n`;
	return `${[found.length + objectCount - (twins[0] ?? 0), ...twins].join('\t')}\n`;
}

/** Lines of one commit with the graph beside them. */
function besideGraph(
	graph: Graph,
	selected: HistorySelection,
	{ id, mark, lineage }: Selected,
	text: Uint8Array,
	options: RevListOptions
): Uint8Array {
	const parents = lineage.filter((parent) => selected.isDrawn(parent));
	const lines = binaryText(text).replace(/\n$/, '').split('\n');
	const commit = { id, parents: options.has('firstParent') ? parents.slice(0, 1) : parents };
	const rows = graph.rows({ ...commit, mark: drawnMark(mark, options) }, { lines, more: [] }, false);
	return binaryBytes(rows.map((row) => `${row}\n`).join(''));
}

interface PrintHow {
	isAbbreviated: boolean;
	showsParents: boolean;
	showsTime: boolean;
	markOf: (revision: Selected) => string;
	/** Null prints only ids. */
	format: LogFormat | null;
	/** Text before the id; null if no id is printed. */
	prefix: string | null;
	/** Character after a message. */
	end: string;
}

/** Output format for commits, from the options. */
function printHow(git: Invocation, options: RevListOptions): PrintHow {
	const isOneline = options.has('oneline');
	const given = givenFormat(options);
	const name = given ?? (isOneline ? 'oneline' : options.has('header') ? 'raw' : undefined);
	const isAsked = given !== undefined || isOneline;
	const format = name === undefined ? null : logFormatOf(git, options, name);
	const isPlain = format?.name === 'oneline' || !isAsked;
	const mayLackHead = format !== null && !isNamed(format.name);
	const hasHead = !options.isTakenBack('commitHeader') || options.has('commitHeader') || !mayLackHead;
	return {
		isAbbreviated: (isOneline || options.has('abbreviate')) && !options.has('noAbbreviate'),
		showsParents: options.has('parents'),
		showsTime: options.has('timestamp'),
		markOf: ({ mark }: Selected) => (options.has('graph') ? '' : shownMark(mark, options)),
		format,
		prefix: hasHead ? (isPlain ? '' : 'commit ') : null,
		end: isAsked ? '\n' : '\0'
	};
}

function logFormatOf(git: Invocation, options: RevListOptions, name: string): LogFormat {
	const { repository } = git;
	const pretty = prettyFormat(repository, name);
	const digits = Number(options.get('digits') || NaN);
	return {
		...pretty,
		abbreviate: false,
		date: options.get('date') ?? pretty.date ?? 'default',
		decorate: false,
		digits: Number.isNaN(digits) ? undefined : digits,
		isColored: wantsColor(git, 'ui', options.isTakenBack('color') ? 'never' : options.get('color')),
		encoding: outputEncoding(repository, options.get('encoding'))
	};
}

/** Formats one commit. */
function printed(repository: Repository, revision: Selected, children: readonly string[], how: PrintHow): Uint8Array {
	const { id, commit, lineage } = revision;
	const name = how.isAbbreviated ? repository.objects.abbreviate(id, how.format?.digits) : id;
	const others = [...(how.showsParents ? lineage : []), ...children];
	const parents = others.map((other) => ` ${other}`).join('');
	const time = how.showsTime ? `${commit.committer.seconds} ` : '';
	const head = how.prefix === null ? '' : `${how.prefix}${how.markOf(revision)}${name}`;
	const isOneline = how.format?.name === 'oneline';
	const gap = isOneline ? ' ' : how.prefix === null ? '' : '\n';
	const text =
		how.format === null
			? ''
			: commitText(repository, { ...revision, commit: { ...commit, parents: [...lineage] } }, how.format);
	const end = text === '' ? (isOneline ? '\n' : '') : how.end;
	return encodeLog(how.format?.encoding, `${time}${head}${parents}${gap}${text}${end}`);
}
