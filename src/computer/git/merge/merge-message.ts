import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { commentMark } from '../history/commit-message.ts';
import { independent, walkHistory } from '../history/walk.ts';
import { integerOf, booleanOf } from '../config/values.ts';
import { serializeSignature, subjectOf } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import { namedBranch, shortOfMarked } from '../refs/branch-name.ts';
import { expandRef } from '../refs/named-ref.ts';
import { peel, resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

/** Parts of a message of a merge beside its title. */
export interface MergeMessageForm {
	/** Stands in the place of the title. */
	title?: string | undefined;
	/** Subjects of commits that are listed of each side, at most; absent: as `merge.log` says. */
	log?: number | undefined;
	/** Name of the branch that it is merged into. */
	into?: string | undefined;
	/** Says who made the commits of a side, as a comment. */
	creditsPeople?: boolean;
}

/** `Merge branch 'side' into topic`, by git-fmt-merge-msg(1); a tag's own text follows. */
export function mergeMessage(repository: Repository, names: readonly string[], form: MergeMessageForm = {}): string {
	return formatMergeMessage(repository, names.map((name) => described(repository, name)).join(''), form).trimEnd();
}

/** Line that says what a name stands for, as `FETCH_HEAD` has it. */
function described(repository: Repository, given: string): string {
	const name = shortOfMarked(repository, given, 'refs/remotes/') ?? namedBranch(repository, given);
	const id = resolveRevision(repository, name);
	const ref = expandRef(repository, name);
	const kinds = { 'refs/heads/': 'branch', 'refs/tags/': 'tag', 'refs/remotes/': 'remote-tracking branch' };
	for (const [space, kind] of Object.entries(kinds))
		if (ref?.startsWith(space)) return `${id}\t\t${kind} '${name}' of .\n`;
	const [, start = '', hats = '', number] = /^(.*?)(?:(\^+)|~(\d*))$/s.exec(name) ?? [];
	if (start !== '' && repository.refs.resolve(`refs/heads/${start}`) !== null) {
		const isEarly = hats !== '' || number === '' || /[1-9]/.test(number ?? '');
		return `${id}\t\tbranch '${start}'${isEarly ? ' (early part)' : ''} of .\n`;
	}
	const kind = repository.objects.find(id)?.type === 'tag' ? 'tag' : 'commit';
	return `${id}\t\t${kind} '${name}'\n`;
}

/** Lists of what comes from one repository. */
interface Source {
	name: string;
	/** Names the repository alone. */
	isHead: boolean;
	branches: string[];
	followed: string[];
	tags: string[];
	others: string[];
}

interface Origin {
	id: string;
	name: string;
	isLocalBranch: boolean;
}

/**
 * Makes the message of a merge of what lines name, each with an id and a description, as `FETCH_HEAD` has them.
 *
 * @throws GitError for a line that is malformed
 */
export function formatMergeMessage(repository: Repository, text: string, form: MergeMessageForm): string {
	const target = repository.refs.symbolic('HEAD') ?? 'HEAD';
	const current = form.into ?? target.replace(/^refs\/heads\//, '');
	const lines = text.split('\n').filter((line, at, all) => line !== '' || at < all.length - 1);
	const wanted = newIds(repository, lines);
	const sources: Source[] = [];
	const origins: Origin[] = [];
	for (const [at, line] of lines.entries()) {
		const [, id, mark, description = ''] = /^([0-9a-f]{40})\t([^\t]*)\t(.*)$/s.exec(line) ?? [];
		if (mark?.startsWith('not-for-merge')) continue;
		if (id === undefined || mark !== '') throw fatal(`error in line ${at + 1}: ${line}`);
		if (wanted.has(id)) origins.push(take(sources, id, description));
	}
	let message = form.title ?? (sources.length === 0 ? '' : titleOf(repository, sources, current));
	const texts = tagTexts(repository, origins);
	if (texts !== '') message += `\n${texts}`;
	const log = form.log ?? configuredLog(repository);
	if (log > 0) message = withNewline(message) + origins.map((one) => shortLog(repository, one, log, form)).join('');
	return withNewline(message);
}

const withNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Ids of what neither HEAD nor another line has. */
function newIds(repository: Repository, lines: readonly string[]): Set<string> {
	const given = lines.flatMap((line) => {
		const id = /^([0-9a-f]{40})\t\t/.exec(line)?.[1];
		const commit = id === undefined ? null : peel(repository, id, 'commit');
		return commit === null ? [] : [{ id: id!, commit }];
	});
	const head = repository.head();
	const left = independent(repository, [...given.map(({ commit }) => commit), ...(head === null ? [] : [head])]);
	return new Set(given.filter(({ commit }) => left.includes(commit)).map(({ id }) => id));
}

function take(sources: Source[], id: string, description: string): Origin {
	const at = description.indexOf(' of ');
	const [what, from] = at < 0 ? [description, description] : [description.slice(0, at), description.slice(at + 4)];
	let source = sources.find(({ name }) => name === from);
	if (!source) {
		source = { name: from, isHead: false, branches: [], followed: [], tags: [], others: [] };
		sources.push(source);
	}
	const [, kind, name = ''] = /^(branch|tag|remote-tracking branch) (.*)$/s.exec(what) ?? [];
	let origin = from;
	if (at < 0) source.isHead = true;
	else if (kind === 'branch') source.branches.push((origin = name));
	else if (kind === 'remote-tracking branch') source.followed.push((origin = name));
	else if (kind === 'tag') {
		source.tags.push(name);
		origin = what;
	} else source.others.push(what);
	const isPlain = from === '.' || from === origin;
	const shown = isPlain ? origin.replace(/^'(.*)'$/s, '$1') : `${origin} of ${from}`;
	return { id, name: shown, isLocalBranch: kind === 'branch' && from === '.' };
}

function titleOf(repository: Repository, sources: readonly Source[], current: string): string {
	const parts = sources.map((source) => {
		const lists = [
			listed('branch', 'branches', source.branches),
			listed('remote-tracking branch', 'remote-tracking branches', source.followed),
			listed('tag', 'tags', source.tags),
			listed('commit', 'commits', source.others)
		].filter((list) => list !== '');
		if (lists.length === 0) return source.name;
		const whole = [...(source.isHead ? ['HEAD'] : []), ...lists].join(', ');
		return source.name === '.' ? whole : `${whole} of ${source.name}`;
	});
	return `Merge ${parts.join('; ')}${intoBranch(repository, current)}\n`;
}

function listed(one: string, many: string, names: readonly string[]): string {
	if (names.length < 2) return names.length === 0 ? '' : `${one} ${names[0]!}`;
	return `${many} ${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

/** Name of the branch that a merge goes into, unless `merge.suppressDest` leaves it out. */
export function intoBranch(repository: Repository, branch = repository.refs.currentBranch() ?? 'HEAD'): string {
	const set = repository.config.values('merge.suppressdest');
	// An empty pattern takes back those before it.
	const patterns = set.length === 0 ? ['main', 'master'] : set.slice(set.lastIndexOf('') + 1);
	return patterns.some((pattern) => wildmatch(pattern).test(branch)) ? '' : ` into ${branch}`;
}

/** Messages of the annotated tags among what is merged. */
function tagTexts(repository: Repository, origins: readonly Origin[]): string {
	const found = origins.flatMap(({ id, name }) => {
		const object = repository.objects.find(id);
		if (object?.type !== 'tag') return [];
		const text = decode(object.content);
		return [{ name, text: withNewline(text.slice(text.indexOf('\n\n') + 2)) }];
	});
	if (found.length < 2) return found[0]?.text ?? '';
	const mark = commentMark(repository.config);
	return found.map(({ name, text }) => `\n${mark} ${name}\n${text}`).join('');
}

function configuredLog({ config }: Repository): number {
	const text = config.get('merge.log') ?? config.get('merge.summary');
	if (text === undefined) return 0;
	const number = integerOf(text);
	const flag = booleanOf(text);
	if (number === null && flag === null) throw fatal(`bad boolean config value '${text}' for 'merge.log'`);
	if (number !== null && number < 0) throw fatal(`bad config variable 'merge.log'`);
	return number ?? (flag ? DEFAULT_LOG : 0);
}

/** Commits that are listed where no number is given. */
const DEFAULT_LOG = 20;

/**
 * Reads `--log[=<n>]` and `--no-log`: how many commits are listed of each side; undefined for as settings say.
 *
 * @throws GitError for what is no number
 */
export function askedLog(options: Pick<Options<'log'>, 'has' | 'get' | 'isTakenBack'>): number | undefined {
	if (!options.has('log')) return options.isTakenBack('log') ? 0 : undefined;
	const number = Number(options.get('log') || DEFAULT_LOG);
	if (Number.isNaN(number)) throw new GitError("error: option `log' expects a numerical value", 129);
	return number < 0 ? undefined : number;
}

/** Subjects of the commits of a side. */
function shortLog(repository: Repository, origin: Origin, limit: number, { creditsPeople }: MergeMessageForm): string {
	const tip = peel(repository, origin.id, 'commit');
	const head = repository.head();
	if (tip === null || head === null) return '';
	const authors = new Map<string, number>();
	const committers = new Map<string, number>();
	const count = (people: Map<string, number>, name: string) => people.set(name, (people.get(name) ?? 0) + 1);
	const subjects: string[] = [];
	for (const { id, commit } of walkHistory(repository, { include: [tip], exclude: [head] })) {
		const isMerge = commit.parents.length > 1;
		if (isMerge || subjects.length === 0) count(committers, commit.committer.name);
		if (isMerge) continue;
		count(authors, commit.author.name);
		subjects.push(subjectOf(commit.message).trimStart() || id);
	}
	const mark = commentMark(repository.config);
	const { author, committer } = { author: repository.author(), committer: repository.committer() };
	const credits = creditsPeople
		? credit(`${mark} By`, authors, serializeSignature(author)) +
			credit(`${mark} Via`, committers, serializeSignature(committer))
		: '';
	const more = subjects.length > limit ? ` (${subjects.length} commits)` : '';
	const lines = subjects.slice(0, limit).map((subject) => `  ${subject}\n`);
	const description = origin.isLocalBranch ? branchText(repository, origin.name) : '';
	return `${credits}\n* ${origin.name}:${more}\n${description}${lines.join('')}${more === '' ? '' : '  ...\n'}`;
}

function branchText({ config }: Repository, name: string): string {
	if (!config.flag('merge.branchdesc', false)) return '';
	const text = config.get(`branch.${name}.description`);
	return text === undefined ? '' : withNewline(text.replace(/^(?=.)/gm, '  : '));
}

/** Comment that says who made the commits, unless it was the one who merges. */
function credit(label: string, people: ReadonlyMap<string, number>, me: string): string {
	const sorted = [...people].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
	const [first, second] = sorted;
	if (!first || (sorted.length === 1 && me.startsWith(`${first[0]} <`))) return '';
	const shown =
		sorted.length === 1
			? first[0]
			: sorted.length === 2
				? `${first[0]} (${first[1]}) and ${second![0]} (${second![1]})`
				: `${first[0]} (${first[1]}) and others`;
	return `\n${label} ${shown}`;
}
