import { fatal } from '../errors.ts';
import { ancestors, independent, octopusBases, topological, type Revision } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions, type Options } from '../options.ts';
import { expandRef } from '../refs/named-ref.ts';
import { peel, resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

const OPTIONS = {
	all: '-a --all',
	remotes: '-r --remotes',
	current: '--current',
	more: '--more ?',
	list: '--list',
	mergeBase: '--merge-base',
	independent: '--independent',
	noName: '--no-name',
	ids: '--sha1-name',
	sparse: '--sparse',
	topics: '--topics',
	// Ignored: this is the default order.
	topoOrder: '--topo-order',
	dateOrder: '--date-order'
};

type BranchOptions = Options<keyof typeof OPTIONS>;

/** Branch with a column in the output. */
interface Tip {
	name: string;
	id: string;
	isHead: boolean;
}

/** Name of a commit relative to a branch. */
interface Reached {
	name: string;
	steps: number;
}

/** `git show-branch`: shows which branches contain which commits, down to the first commit that all contain. */
export const showBranch: Command = (git, args) => {
	const options = parseOptions('show-branch [<options>] [(<rev> | <glob>)...]', args, OPTIONS);
	const { repository } = git;
	const tips = tipsOf(repository, options);
	const ids = tips.map(({ id }) => id);
	if (options.has('mergeBase') || options.has('independent')) {
		const found = options.has('independent') ? independent(repository, ids) : octopusBases(repository, ids);
		for (const id of found) git.out(`${id}\n`);
		return found.length > 0 ? 0 : 1;
	}
	if (tips.length === 0) {
		git.err('No revs to be shown.\n');
		return 0;
	}
	const more = options.has('list') ? -1 : Number(options.get('more') || 0);
	if (tips.length > 1 || more < 0) printTips(git, tips, more < 0);
	if (more >= 0) printCommits(git, tips, options, more);
	return 0;
};

function tipsOf(repository: Repository, options: BranchOptions): Tip[] {
	const { refs, config } = repository;
	const given = options.operands.length > 0 ? options.operands : config.values('showbranch.default');
	const isAll = options.has('all') || options.has('remotes');
	const head = refs.symbolic('HEAD');
	const found = new Map<string, Tip>();
	const add = (name: string, id: string, ref: string | null) => {
		if (!found.has(name)) found.set(name, { name, id, isHead: ref !== null && ref === head });
	};
	const addRefs = (space: string, matches: (name: string) => boolean) => {
		for (const { name, id } of refs.list(space)) {
			const commit = peel(repository, id, 'commit');
			const short = name.replace(/^refs\/(?:heads|remotes)\//, '').replace(/^refs\//, '');
			if (commit !== null && matches(short)) add(short, commit, name);
		}
	};
	for (const text of given) {
		if (/[*?[]/.test(text)) addRefs('refs/heads/', (name) => wildmatch(text).test(name));
		else add(text, commitOf(repository, text), text === 'HEAD' ? head : expandRef(repository, text));
	}
	if (isAll || given.length === 0) {
		if (!options.has('remotes')) addRefs('refs/heads/', () => true);
		if (isAll) addRefs('refs/remotes/', () => true);
	}
	const current = head?.replace(/^refs\/heads\//, '') ?? 'HEAD';
	const id = repository.head();
	if (options.has('current') && id !== null) add(current, id, head);
	return [...found.values()];
}

function commitOf(repository: Repository, text: string): string {
	const id = peel(repository, resolveRevision(repository, text), 'commit');
	if (id === null) throw fatal(`'${text}' is not a valid ref.`);
	return id;
}

function printTips(git: Invocation, tips: readonly Tip[], isList: boolean): void {
	for (const [at, { name, id, isHead }] of tips.entries()) {
		const mark = isHead ? '*' : isList ? ' ' : '!';
		git.out(`${isList ? '' : ' '.repeat(at)}${mark} [${name}] ${titleOf(git.repository, id)}\n`);
	}
	if (tips.length > 1 && !isList) git.out(`${'-'.repeat(tips.length)}\n`);
}

const titleOf = (repository: Repository, id: string): string =>
	subjectOf(repository.commit(id).message).replace(/^\[PATCH\] /, '');

function printCommits(git: Invocation, tips: readonly Tip[], options: BranchOptions, more: number): void {
	const { repository } = git;
	const reached = tips.map(({ id }) => ancestors(repository, [id]));
	const all = sorted(repository, new Set(reached.flatMap((ids) => [...ids])), options.has('dateOrder'));
	const names = namesOf(repository, tips, all);
	let left = more;
	let isBeyond = false;
	for (const { id, commit } of all) {
		const has = reached.map((ids) => ids.has(id));
		const isShared = has.every(Boolean);
		const isMerge = commit.parents.length > 1;
		isBeyond ||= isShared;
		// Merges on a single branch are hidden by default.
		const isLeftOut = isMerge && !options.has('sparse') && !tips.some((tip) => tip.id === id);
		if (tips.length > 1 && isLeftOut && has.filter(Boolean).length === 1) continue;
		if (tips.length > 1 && options.has('topics') && !isShared && has[0]) continue;
		const marks = has.map((one, at) => (one ? (isMerge ? '-' : tips[at]!.isHead ? '*' : '+') : ' ')).join('');
		git.out(
			`${tips.length > 1 ? `${marks} ` : ''}${nameText(repository, id, names, options)}${titleOf(repository, id)}\n`
		);
		if (isBeyond && --left < 0) break;
	}
}

/** Sorts commits by date, or topologically with dates breaking ties. */
function sorted(repository: Repository, ids: ReadonlySet<string>, byDate: boolean): Revision[] {
	const found = [...ids].map((id): Revision => ({ id, commit: repository.commit(id) }));
	found.sort((a, b) => b.commit.committer.seconds - a.commit.committer.seconds);
	return byDate ? found : topological(found);
}

function nameText(
	repository: Repository,
	id: string,
	names: ReadonlyMap<string, Reached>,
	options: BranchOptions
): string {
	if (options.has('noName')) return '';
	const name = options.has('ids') ? undefined : names.get(id);
	return `[${name ? stepsText(name) : repository.objects.abbreviate(id)}] `;
}

const stepsText = ({ name, steps }: Reached): string =>
	steps === 0 ? name : steps === 1 ? `${name}^` : `${name}~${steps}`;

/** Names commits relative to branches, following first parents before others. */
function namesOf(repository: Repository, tips: readonly Tip[], all: readonly Revision[]): Map<string, Reached> {
	const names = new Map<string, Reached>();
	const follow = (start: string): boolean => {
		let id = start;
		for (let found = false; ; found = true) {
			const name = names.get(id);
			const parent = name ? repository.parents(id)[0] : undefined;
			if (!name || parent === undefined || names.has(parent)) return found;
			names.set(parent, { name: name.name, steps: name.steps + 1 });
			id = parent;
		}
	};
	for (const { id } of all) {
		const tip = tips.find((one) => one.id === id);
		if (tip) names.set(id, { name: tip.name, steps: 0 });
	}
	while (all.filter(({ id }) => follow(id)).length > 0);
	for (let isGoing = true; isGoing;) {
		isGoing = false;
		for (const { id, commit } of all) {
			const name = names.get(id);
			if (!name) continue;
			for (const [at, parent] of commit.parents.entries()) {
				if (names.has(parent)) continue;
				names.set(parent, { name: `${stepsText(name)}^${at === 0 ? '' : at + 1}`, steps: 0 });
				follow(parent);
				isGoing = true;
			}
		}
	}
	return names;
}
