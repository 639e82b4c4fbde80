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

/** Options for a merge message. */
export interface MergeMessageForm {
	/** Replaces the generated title. */
	title?: string | undefined;
	/** Maximum number of commit subjects listed per side; if absent, as configured by `merge.log`. */
	log?: number | undefined;
	/** Name of the branch that is merged into. */
	into?: string | undefined;
	/** Adds comments that name the authors and committers of a side. */
	creditsPeople?: boolean;
}

/**
 * Builds a merge message: `Merge branch 'side' into topic`, by git-fmt-merge-msg(1), followed by the messages of tags.
 */
export function mergeMessage(repository: Repository, names: readonly string[], form: MergeMessageForm = {}): string {
	return formatMergeMessage(repository, names.map((name) => described(repository, name)).join(''), form).trimEnd();
}

/** Line that describes what a name refers to, in the format of `FETCH_HEAD`. */
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

/** Merged references from one repository. */
interface Source {
	name: string;
	/** The repository is merged without naming a reference (its HEAD). */
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
 * Builds the message for a merge of several lines, each with an id and a description, in the format of `FETCH_HEAD`.
 *
 * @throws GitError if a line is malformed
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

/** Ids of commits that are contained neither in HEAD nor in another line's commit. */
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

/** Name of the branch that is merged into, unless `merge.suppressDest` omits it. */
export function intoBranch(repository: Repository, branch = repository.refs.currentBranch() ?? 'HEAD'): string {
	const set = repository.config.values('merge.suppressdest');
	// An empty pattern discards the previous ones.
	const patterns = set.length === 0 ? ['main', 'master'] : set.slice(set.lastIndexOf('') + 1);
	return patterns.some((pattern) => wildmatch(pattern).test(branch)) ? '' : ` into ${branch}`;
}

/** Messages of the annotated tags that are merged. */
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

/** Number of commits to list by default. */
const DEFAULT_LOG = 20;

/**
 * Parses `--log[=<n>]` and `--no-log`: the number of commits to list per side; undefined to use the config.
 *
 * @throws GitError if the value is not a number
 */
export function askedLog(options: Pick<Options<'log'>, 'has' | 'get' | 'isTakenBack'>): number | undefined {
	if (!options.has('log')) return options.isTakenBack('log') ? 0 : undefined;
	const number = Number(options.get('log') || DEFAULT_LOG);
	if (Number.isNaN(number)) throw new GitError("error: option `log' expects a numerical value", 129);
	return number < 0 ? undefined : number;
}

/** Lists the subjects of a side's commits. */
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

/** Comment that names the people of the commits, unless the only one is the user. */
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
