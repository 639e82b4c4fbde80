import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { LogFormat } from '../history/commit-format.ts';
import { commitText, encodeLog, outputEncoding } from '../history/format.ts';
import { Mailmap, mailmapOf } from '../history/mailmap.ts';
import { namedStarts } from '../history/named-starts.ts';
import { givenFormat } from '../history/log-format.ts';
import { prettyFormat } from '../history/pretty-name.ts';
import { HistorySelection, SELECTION_OPTIONS } from '../history/selection.ts';
import { trailersOf } from '../history/trailer-list.ts';
import type { Revision } from '../history/walk.ts';
import { wrapText } from '../history/wrapped-text.ts';
import type { Command, Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const OPTIONS = {
	...SELECTION_OPTIONS,
	count: '--max-count -<number> =',
	summary: '-s --summary',
	numbered: '-n --numbered',
	email: '-e --email',
	wrap: '-w ?',
	group: '--group = !',
	// Groups by committer here instead of filtering.
	byCommitter: '-c --committer',
	format: '--format =',
	pretty: '--pretty ?',
	date: '--date =',
	abbreviate: '--abbrev ?',
	encoding: '--encoding ='
};

type ShortlogOptions = Options<keyof typeof OPTIONS>;

/** `git shortlog`: lists commits grouped by author. */
export const shortlog: Command = (git, args) => {
	const starts = namedStarts(git, args);
	const options = parseOptions('shortlog [<options>] [<revision-range>] [[--] <path>...]', starts.args, OPTIONS);
	const groups = groupsOf(options);
	const room = wrapRoom(options);
	const repository = repositoryOrNull(git);
	const people = new Map<string, string[]>();
	const add = (person: string, text: string) => people.set(person, [titleOf(text), ...(people.get(person) ?? [])]);
	const given = [...options.operands, ...(options.paths ?? [])];
	const isNamed = starts.isNamed || given.length > 0;
	if (repository === null && given.length > 0)
		throw new GitError('error: too many arguments given outside repository', 129);
	const input = isNamed || git.context.sync.isTerminal(0) ? '' : decode(git.input());
	// If stdin is empty, the history of HEAD is used.
	const form = { mailmap: mailmapFor(git, repository), hasEmail: options.has('email') };
	if (input !== '' || repository === null) readLog(input, groups, form, add);
	else addCommits(repository, options, { groups, isNamed: starts.isNamed, form, add });
	const rows = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
	if (options.has('numbered')) rows.sort(([, a], [, b]) => b.length - a.length);
	const encoding = repository === null ? undefined : outputEncoding(repository, options.get('encoding'));
	for (const [person, titles] of rows) {
		const lines = titles.map(
			(title) => `${room ? wrapText(title, room.first, room.rest, room.width) : `      ${title}`}\n`
		);
		const text = options.has('summary')
			? `${String(titles.length).padStart(6)}\t${person}\n`
			: `${person} (${titles.length}):\n${lines.join('')}\n`;
		git.out(encodeLog(encoding, text));
	}
	return 0;
};

/** Repository; null outside one, where a log can still be read from stdin. */
function repositoryOrNull(git: Invocation): Repository | null {
	try {
		return git.repository;
	} catch (error) {
		if (error instanceof GitError) return null;
		throw error;
	}
}

/** Groupings: `author`, `committer`, `trailer:<name>`, `format:<format>`. */
function groupsOf(options: ShortlogOptions): string[] {
	const groups = options.all('group').map((text) => {
		const isField = /^(?:author|committer)$/i.test(text);
		if (isField) return text.toLowerCase();
		if (/^(?:trailer|format):/.test(text)) return text;
		if (!text.includes('%')) throw new GitError(`error: unknown group type: ${text}`, 129);
		return `format:${text}`;
	});
	const all = [...(options.has('byCommitter') ? ['committer'] : []), ...groups];
	return all.length === 0 ? ['author'] : [...new Set(all)];
}

/** Width and indents of wrapped titles; null if titles are not wrapped. */
function wrapRoom(options: ShortlogOptions): { width: number; first: number; rest: number } | null {
	const text = options.get('wrap');
	if (text === undefined) return null;
	const parts = text === '' ? [] : text.split(',');
	const fault = new GitError('error: -w[<width>[,<indent1>[,<indent2>]]]', 129);
	if (parts.length > 3 || parts.some((part) => !/^\d*$/.test(part))) throw fault;
	const [width = 76, first = 6, rest = 9] = parts.map((part) => (part === '' ? undefined : Number(part)));
	if (width > 0 && (width <= first || width <= rest)) throw fault;
	return { width, first, rest };
}

/** Subject of a commit without a `[PATCH]` prefix. */
function titleOf(text: string): string {
	const start = text.trimStart();
	const plain = /^\[PATCH[^\]\n]*\]/.test(start) ? start.replace(/^\[PATCH[^\]\n]*\]/, '') : start;
	return subjectOf(plain.replace(/^[^\S\n]+/, ''));
}

interface PersonForm {
	mailmap: Mailmap;
	hasEmail: boolean;
}

/** Mailmap of the repository, or outside one the `.mailmap` in the working directory. */
function mailmapFor(git: Invocation, repository: Repository | null): Mailmap {
	if (repository !== null) return mailmapOf(repository);
	const mailmap = new Mailmap();
	const bytes = missingAsNull(() => git.context.sync.readFile(absolute('.mailmap', git.cwd)));
	if (bytes) mailmap.add(decode(bytes));
	return mailmap;
}

/** Name of a person, with the address if requested; null if the text is not a person. */
function personOf(text: string, how: PersonForm): string | null {
	const [, given = '', address] = /^\s*([^<]*?)\s*<([^>]*)>/.exec(text) ?? [];
	if (address === undefined) return null;
	const person = { name: given, email: address };
	const { name, email } = how.mailmap.mapped(person);
	return how.hasEmail ? `${name} <${email}>` : name;
}

/** Parses the output of `git log`. */
function readLog(
	text: string,
	groups: readonly string[],
	form: PersonForm,
	add: (person: string, title: string) => void
): void {
	if (groups.length > 1) throw fatal('using multiple --group options with stdin is not supported');
	const kind = groups[0]!.split(':', 1)[0]!;
	if (kind === 'trailer' || kind === 'format') throw fatal(`using --group=${kind} with stdin is not supported`);
	const pattern = kind === 'author' ? /^(?:Author: |author )(.*)$/ : /^(?:Commit: |committer )(.*)$/;
	const lines = text.split('\n');
	for (let at = 0; at < lines.length; at++) {
		const found = pattern.exec(lines[at]!)?.[1];
		if (found === undefined) continue;
		while (at < lines.length && lines[at] !== '') at++;
		while (at < lines.length && lines[at] === '') at++;
		const person = personOf(found, form);
		if (person !== null) add(person, lines[at] ?? '');
	}
}

interface Walk {
	groups: readonly string[];
	isNamed: boolean;
	form: PersonForm;
	add: (person: string, title: string) => void;
}

function addCommits(repository: Repository, options: ShortlogOptions, walk: Walk): void {
	const { revisions, paths } = splitRevisions(repository, options);
	const names = walk.isNamed || revisions.length > 0 ? revisions : ['HEAD'];
	const pathspec = new Pathspec(repository, paths);
	const date = options.get('date') ?? 'default';
	const digits = Number(options.get('abbreviate') || NaN);
	const form = { abbreviate: false, date, decorate: false, digits: Number.isNaN(digits) ? undefined : digits };
	const shown = (revision: Revision, format: string) =>
		commitText(repository, revision, { ...form, name: format, separated: true } satisfies LogFormat);
	const given = givenFormat(options);
	const pretty = given === undefined ? null : prettyFormat(repository, given).name;
	const title = pretty?.includes('%') ? pretty : '%s';
	for (const revision of new HistorySelection(repository, options, { names, pathspec })) {
		const text = options.has('summary') ? '' : shown(revision, title) || '<none>';
		const found = walk.groups.flatMap((group) => membersOf(repository, revision, group, walk.form, shown));
		const isPlain = walk.groups.length === 1 && !walk.groups[0]!.startsWith('trailer:');
		for (const person of isPlain ? found : new Set(found)) walk.add(person, text);
	}
}

/** People or other values under which a commit is listed for a grouping. */
function membersOf(
	repository: Repository,
	revision: Revision,
	group: string,
	form: PersonForm,
	shown: (revision: Revision, format: string) => string
): string[] {
	const letter = { author: 'a', committer: 'c' }[group];
	if (letter !== undefined) return [shown(revision, `%${letter}N${form.hasEmail ? ` <%${letter}E>` : ''}`)];
	const [, kind, value = ''] = /^(\w+):(.*)$/s.exec(group)!;
	if (kind === 'format') return [shown(revision, value)];
	return trailersOf(repository, revision.commit.message)
		.filter(({ key }) => key.toLowerCase() === value.toLowerCase())
		.map((trailer) => personOf(trailer.value, form) ?? trailer.value);
}
