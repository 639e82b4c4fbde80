import { blameFile, type BlamedLine } from '../history/blame.ts';
import { fatal } from '../errors.ts';
import { encode } from '../bytes.ts';
import { driversOf } from '../diff/compared-file.ts';
import { headingOf } from '../diff/driver.ts';
import type { Repository } from '../repository.ts';
import { binaryBytes } from '../diff/lines.ts';
import { mailmapOf } from '../history/mailmap.ts';
import { formatDate } from '../history/dates.ts';
import type { Command, Invocation } from '../invocation.ts';
import { findRange, isRange } from '../history/line-range.ts';
import { ancestors } from '../history/walk.ts';
import { subjectOf, zoneText, type Commit } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';

export const blame: Command = (git, args) => {
	const options = parseOptions('blame [<options>] [<rev-opts>] [<rev>] [--] <file>', args, {
		range: '-L =',
		long: '-l',
		suppress: '-s',
		email: '-e --show-email',
		porcelain: '-p --porcelain',
		linePorcelain: '--line-porcelain',
		showName: '-f --show-name',
		showNumber: '-n --show-number',
		date: '--date =',
		raw: '-t',
		root: '--root',
		ignoreSpace: '-w',
		abbreviate: '--abbrev =',
		moved: '-M -C ?',
		indents: '--indent-heuristic',
		noIndents: '--no-indent-heuristic'
	});
	const { repository } = git;
	const operands = [...options.operands];
	const file = options.paths?.[0] ?? operands.pop();
	if (file === undefined) throw fatal('give the file: git blame <file>');
	let revision = operands[0];
	let path = file;
	if (revision !== undefined && options.paths === null && findRevision(repository, revision) === null)
		[revision, path] = [file, revision];
	const full = repository.fromCwd(path);
	const [from, to] = revision === undefined || !revision.includes('..') ? [undefined, revision] : revision.split('..');
	const start = to === undefined ? null : resolveCommit(repository, to || 'HEAD');
	const last = options.latest('indents', 'noIndents');
	const all = blameFile(repository, start, full, {
		ignoreSpace: options.has('ignoreSpace'),
		indents: last === undefined ? repository.config.flag('diff.indentheuristic', true) : last === 'indents',
		ends: from === undefined ? new Set() : ancestors(repository, [resolveCommit(repository, from || 'HEAD')])
	});
	if (!all)
		throw fatal(revision === undefined ? `no such path '${full}' in HEAD` : `no such path ${full} in ${revision}`);
	const wanted = options.has('range') ? namedLines(repository, options.all('range'), all, path, full) : all;
	const lines = wanted.map((line) => withProperNames(repository, line));
	const date = options.get('date') ?? repository.config.get('blame.date') ?? 'iso';
	if (formatDate({ name: '', email: '', seconds: 0, offsetMinutes: 0 }, date, 0) === null)
		throw fatal(`unknown date format ${date}`);
	if (options.has('porcelain') || options.has('linePorcelain'))
		printPorcelain(git, lines, options.has('linePorcelain'));
	else printLines(git, lines, { ...shape(options), date });
	return 0;
};

/** Line whose author and committer are mapped by the mailmap. */
function withProperNames(repository: Repository, line: BlamedLine): BlamedLine {
	const mailmap = mailmapOf(repository);
	const { commit } = line;
	return {
		...line,
		commit: { ...commit, author: mailmap.mapped(commit.author), committer: mailmap.mapped(commit.committer) }
	};
}

interface Shape {
	long: boolean;
	suppress: boolean;
	email: boolean;
	showName: boolean;
	showNumber: boolean;
	root: boolean;
	raw: boolean;
	digits: number;
	date: string;
}

function shape(options: {
	has(name: Exclude<keyof Shape, 'date' | 'digits'>): boolean;
	get(name: 'abbreviate'): string | undefined;
}): Omit<Shape, 'date'> {
	const names = ['long', 'suppress', 'email', 'showName', 'showNumber', 'root', 'raw'] as const;
	const given = Object.fromEntries(names.map((name) => [name, options.has(name)])) as Record<
		(typeof names)[number],
		boolean
	>;
	return { ...given, digits: Number(options.get('abbreviate') ?? 7) };
}

function printLines(git: Invocation, lines: BlamedLine[], how: Shape): void {
	const { repository } = git;
	const renamed =
		how.showName ||
		new Set(lines.map(({ path }) => path)).size > 1 ||
		lines.some(({ path, shownAs }) => path !== shownAs);
	const digits = how.long
		? 40
		: Math.max(
				how.digits,
				...[...new Set(lines.map(({ id }) => id))]
					.filter((id) => id !== NULL_ID)
					.map((id) => repository.objects.abbreviate(id, how.digits).length)
			) + 1;
	const width = (texts: number[]) => Math.max(0, ...texts);
	const who = ({ author }: Commit) => (how.email ? `<${author.email}>` : author.name);
	const nameWidth = width(lines.map(({ commit }) => [...who(commit)].length));
	const pathWidth = width(lines.map(({ path }) => quotePath(path).length));
	const numberWidth = String(lines.at(-1)?.number ?? 1).length;
	const originalWidth = width(lines.map(({ original }) => String(original).length));
	for (const { id, commit, path, number, original, boundary, text } of lines) {
		const mark = boundary && !how.root;
		let row = mark ? `^${id.slice(0, digits - (how.long ? 0 : 1) - (how.long ? 1 : 0))}` : id.slice(0, digits);
		if (renamed) row += ` ${quotePath(path).padEnd(pathWidth)}`;
		if (how.showNumber) row += ` ${String(original).padStart(originalWidth)}`;
		if (!how.suppress) {
			const when = how.raw
				? `${commit.author.seconds} ${zoneText(commit.author.offsetMinutes)}`
				: formatDate(commit.author, how.date, repository.files.now());
			const name = who(commit);
			row += ` (${name}${' '.repeat(nameWidth - [...name].length)} ${when} ${String(number).padStart(numberWidth)}`;
		} else row += ` ${String(number).padStart(numberWidth)}`;
		git.out(encode(`${row}) `));
		git.out(binaryBytes(text.endsWith('\n') ? text : `${text}\n`));
	}
}

function printPorcelain(git: Invocation, lines: BlamedLine[], always: boolean): void {
	const seen = new Set<string>();
	lines.forEach(({ id, commit, path, number, original, boundary, text, previous }, i) => {
		const before = lines[i - 1];
		const follows = (a: BlamedLine | undefined, b: BlamedLine | undefined) =>
			a !== undefined &&
			b !== undefined &&
			a.id === b.id &&
			a.path === b.path &&
			a.original + 1 === b.original &&
			a.number + 1 === b.number;
		let count = 1;
		while (follows(lines[i + count - 1], lines[i + count])) count++;
		git.out(`${id} ${original} ${number}${follows(before, lines[i]) ? '' : ` ${count}`}\n`);
		if (!seen.has(id) || always) {
			const person = (role: string, { name, email, seconds, offsetMinutes }: Commit['author']) =>
				`${role} ${name}\n${role}-mail <${email}>\n${role}-time ${seconds}\n${role}-tz ${zoneText(offsetMinutes)}\n`;
			git.out(
				`${person('author', commit.author)}${person('committer', commit.committer)}summary ${subjectOf(commit.message)}\n` +
					`${boundary ? 'boundary\n' : ''}${previous === null ? '' : `previous ${previous.id} ${quotePath(previous.path)}\n`}filename ${quotePath(path)}\n`
			);
		}
		seen.add(id);
		git.out('\t');
		git.out(binaryBytes(text.endsWith('\n') ? text : `${text}\n`));
	});
}

/** Line ranges given with `-L`: `3,5`, `3,+2`, `/regex/,+2`, `:function`. */
function namedLines(
	repository: Repository,
	ranges: readonly string[],
	all: readonly BlamedLine[],
	path: string,
	full: string
): BlamedLine[] {
	const lines = all.map(({ text }) => text.replace(/\n$/, ''));
	const { headings } = driversOf(repository).of(full);
	const isFunction = (line: string) => headingOf(line, headings) !== null;
	let after = 1;
	return ranges.flatMap((text) => {
		if (!isRange(text)) throw fatal(`-L takes <start>,<end> here, not '${text}'`);
		const { from, to } = findRange(text, { path, lines, isFunction }, after);
		after = to + 1;
		return all.slice(from, to);
	});
}
