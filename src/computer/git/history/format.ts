import { fatal } from '../errors.ts';
import { bodyOf, subjectOf, type Signature } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';
import { formatDate, relativeDate } from './dates.ts';
import type { ReflogMark, Revision } from './walk.ts';

/** Format of commits in `log` and `show`. */
export interface LogFormat {
	/** `medium`, `oneline`, `short`, `full`, `fuller`, `reference`, or a text with placeholders. */
	name: string;
	/** A newline between commits (`format:`) instead of after each (`tformat:`). */
	separated: boolean;
	abbreviate: boolean;
	date: string;
	decorate: boolean;
	/** Names of refs are written out: `refs/heads/main`. */
	fullNames?: boolean;
	/** Mark that is shown in front of a commit's id. */
	markOf?: (revision: Revision) => string;
	/** Parents are shown behind it. */
	showsParents?: boolean;
	/** Length of shortened ids. */
	digits?: number;
}

const NAMED = ['medium', 'oneline', 'short', 'full', 'fuller', 'reference', 'raw'];

/** Reads `--format`/`--pretty`. @throws GitError for a form there is not */
export function parseFormat(text: string): Pick<LogFormat, 'name' | 'separated'> {
	if (NAMED.includes(text)) return { name: text, separated: text !== 'oneline' && text !== 'reference' };
	if (text.startsWith('format:')) return { name: text.slice(7), separated: true };
	if (text.startsWith('tformat:')) return { name: text.slice(8), separated: false };
	if (text === '' || text.includes('%')) return { name: text, separated: false };
	throw fatal(`invalid --pretty format: ${text}`);
}

export const isNamed = (name: string): boolean => NAMED.includes(name);

/** The commit's head and message, without the newline that ends it. */
export function formatCommit(repository: Repository, revision: Revision, format: LogFormat): string {
	const { id, commit } = revision;
	const short = (one: string) => (format.abbreviate ? repository.objects.abbreviate(one, format.digits) : one);
	const mark = format.markOf?.(revision) ?? '';
	const parents = format.showsParents ? commit.parents.map((parent) => ` ${short(parent)}`).join('') : '';
	const shown = `${mark === '' ? '' : `${mark} `}${short(id)}${parents}`;
	const names = format.decorate ? decoration(repository, id, format.fullNames) : '';
	const date = (who: Signature) => formatDate(who, format.date, repository.files.now()) ?? '';
	const who = ({ name, email }: Signature) => `${name} <${email}>`;
	if (!isNamed(format.name)) return expand(repository, revision, format);
	const { reflog } = revision;
	if (format.name === 'oneline')
		return reflog
			? `${shown}${names} ${reflog.selector}: ${reflog.message}`
			: `${shown}${names} ${subjectOf(commit.message)}`;
	if (format.name === 'reference') {
		return `${repository.objects.abbreviate(id)} (${subjectOf(commit.message)}, ${formatDate(commit.author, 'short', 0)})`;
	}
	const head = [`commit ${shown}${names}`];
	if (reflog) head.push(`Reflog: ${reflog.selector} (${who(reflog.who)})`, `Reflog message: ${reflog.message}`);
	if (format.name === 'raw') {
		head.push(`tree ${commit.tree}`, ...commit.parents.map((parent) => `parent ${parent}`));
		const raw = (signature: Signature) => `${who(signature)} ${formatDate(signature, 'raw', 0)}`;
		head.push(`author ${raw(commit.author)}`, `committer ${raw(commit.committer)}`);
	} else {
		if (commit.parents.length > 1)
			head.push(`Merge: ${commit.parents.map((parent) => repository.objects.abbreviate(parent)).join(' ')}`);
		const fuller = format.name === 'fuller';
		head.push(`Author: ${fuller ? '    ' : ''}${who(commit.author)}`);
		if (fuller) head.push(`AuthorDate: ${date(commit.author)}`);
		if (format.name === 'full' || fuller) head.push(`Commit: ${fuller ? '    ' : ''}${who(commit.committer)}`);
		if (fuller) head.push(`CommitDate: ${date(commit.committer)}`);
		if (format.name === 'medium') head.push(`Date:   ${date(commit.author)}`);
	}
	const whole = commit.message.trimEnd();
	const message = format.name === 'short' ? subjectOf(whole) : format.name === 'raw' ? whole : expandTabs(whole);
	const lines =
		message === '' ? [] : ['', ...message.split('\n').map((line) => `    ${line}`.replace(/^ {4}$/, '    '))];
	return [...head, ...lines].join('\n');
}

/** Tabs as blanks up to the next eighth column, as git shows messages. */
function expandTabs(text: string): string {
	if (!text.includes('\t')) return text;
	const expand = (line: string): string => {
		let shown = '';
		for (const letter of line) shown += letter === '\t' ? ' '.repeat(8 - ([...shown].length % 8)) : letter;
		return shown;
	};
	return text.split('\n').map(expand).join('\n');
}

/** ` (HEAD -> main, tag: v1)`, or ''. */
export function decoration(repository: Repository, id: string, full = false): string {
	const names = refNames(repository, id, full);
	return names === '' ? '' : ` (${names})`;
}

function refNames(repository: Repository, id: string, full = false): string {
	const { refs } = repository;
	const current = refs.symbolic('HEAD');
	const names: string[] = [];
	if (refs.resolve('HEAD') === id)
		names.push(current === null ? 'HEAD' : `HEAD -> ${full ? current : current.replace('refs/heads/', '')}`);
	// git puts each ref it meets in front of those before: the order is backwards.
	for (const { name, id: target } of refs.list('refs/').reverse()) {
		if (name === current || (target !== id && repository.peeled(target) !== id)) continue;
		if (name.startsWith('refs/tags/')) names.push(`tag: ${full ? name : name.slice(10)}`);
		else names.push(full ? name : name.replace(/^refs\/(heads|remotes)\//, ''));
	}
	return names.join(', ');
}

function expand(repository: Repository, { id, commit, mark, reflog }: Revision, format: LogFormat): string {
	const now = Math.floor(repository.files.now() / 1000);
	const short = (one: string) => repository.objects.abbreviate(one, format.digits);
	const person = (who: Signature, letter: string): string | null => {
		if (letter === 'n' || letter === 'N') return who.name;
		if (letter === 'e' || letter === 'E') return who.email;
		if (letter === 'l' || letter === 'L') return who.email.split('@')[0]!;
		if (letter === 'd') return formatDate(who, format.date, repository.files.now());
		if (letter === 'r') return relativeDate(who.seconds, now);
		const form = { D: 'rfc', i: 'iso', I: 'iso-strict', t: 'unix', s: 'short' }[letter];
		return form === undefined ? null : formatDate(who, form, 0);
	};
	const one = (code: string): string | null => {
		if (code.length === 2) return person(code[0] === 'a' ? commit.author : commit.committer, code[1]!);
		switch (code) {
			case 'H':
				return id;
			case 'h':
				return short(id);
			case 'T':
				return commit.tree;
			case 't':
				return short(commit.tree);
			case 'P':
				return commit.parents.join(' ');
			case 'p':
				return commit.parents.map(short).join(' ');
			case 'e':
				return commit.encoding ?? '';
			case 's':
				return subjectOf(commit.message);
			case 'f':
				return subjectOf(commit.message)
					.replace(/[^A-Za-z0-9._]+/g, '-')
					.replace(/^-|[-.]+$/g, '');
			case 'b':
				return bodyOf(commit.message);
			case 'B':
				return commit.message;
			case 'd':
				return decoration(repository, id, format.fullNames);
			case 'D':
				return refNames(repository, id, format.fullNames);
			case 'n':
				return '\n';
			case 'm':
				return mark || '>';
			case '%':
				return '%';
			default:
				return null;
		}
	};
	// Colours are left out, and lines are not wrapped: the sandbox's git does neither.
	return format.name.replace(
		/%(?:(C\([^)]*\)|C(?:red|green|blue|reset)|w\([^)]*\)|G[A-Z?]|N)|(g[dDsnNeE])|(\(trailers[^)]*\))|x([0-9a-fA-F]{2})|([ac][a-zA-Z])|([a-zA-Z%]))/g,
		(
			whole: string,
			colour?: string,
			logged?: string,
			trailers?: string,
			hex?: string,
			pair?: string,
			letter?: string
		) => {
			if (colour !== undefined) return '';
			if (logged !== undefined) return reflog ? reflogText(reflog, logged[1]!) : '';
			if (trailers !== undefined) return trailersOf(commit.message);
			if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
			return one(pair ?? letter ?? '') ?? whole;
		}
	);
}

/** Text of `%gd` and its like. */
function reflogText({ selector, shortSelector, who, message }: ReflogMark, letter: string): string {
	if (letter === 'd') return shortSelector;
	if (letter === 'D') return selector;
	if (letter === 's') return message;
	return letter === 'n' || letter === 'N' ? who.name : who.email;
}

/** The last paragraph, where it is nothing but `Key: value`. */
function trailersOf(message: string): string {
	const paragraphs = message.trimEnd().split(/\n\n+/);
	const last = paragraphs.length > 1 ? paragraphs.at(-1)! : '';
	return /^([A-Za-z0-9-]+: .*(\n|$))+$/.test(last) ? `${last}\n` : '';
}
