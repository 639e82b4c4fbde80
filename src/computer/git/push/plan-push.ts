import { failure, fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { ancestors } from '../history/walk.ts';
import { NULL_ID } from '../objects/object.ts';
import { REF_RULES } from '../refs/named-ref.ts';
import type { Ref } from '../refs/refs.ts';
import { isLeftOut, starOf, type Refspec } from '../refs/refspec.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { DELETED, type PushItem } from './push-item.ts';

/** References that a push is to update. */
export interface PushWish {
	specs: readonly Refspec[];
	/** Includes branches that the remote lacks. */
	sendsAll: boolean;
	/** Pushes all references, and deletes remote ones that do not exist locally. */
	mirrors: boolean;
	/** Deletes remote references that the refspecs map but that have no local source. */
	prunes: boolean;
	/** Sends annotated tags that point to pushed commits. */
	followsTags: boolean;
}

/** Resolved source of a refspec. */
interface Source {
	name: string;
	id: string;
}

/** `:` alone, which means all branches that both sides have. */
const isMatching = ({ source, target, isNegative }: Refspec): boolean => !isNegative && source === '' && target === '';

const isPattern = ({ source, isNegative }: Refspec): boolean => isNegative || source.includes('*');

/** References that a short or full name may refer to; only the best matches. */
export function named(refs: readonly Ref[], text: string): Ref[] {
	const found = refs.filter(({ name }) => REF_RULES.some((rule) => rule.replace('*', () => text) === name));
	const strong = found.filter(
		({ name }) =>
			name === text || name === `refs/${text}` || name.startsWith('refs/heads/') || name.startsWith('refs/tags/')
	);
	return strong.length > 0 ? strong : found;
}

/**
 * Plans the update of each remote reference, including those that are left alone. Prints faults of single refspecs and
 * then returns null.
 *
 * @throws GitError if a source is not a branch and has no target
 */
export function planPush(git: Invocation, theirs: readonly Ref[], wish: PushWish): PushItem[] | null {
	const { repository } = git;
	const ours = repository.refs.list('refs/');
	const specs = wish.specs.length > 0 ? wish.specs : [MATCHING];
	const items = theirs.filter(({ name }) => name !== 'HEAD').map(({ name, id }) => itemOf(name, id));
	const byName = new Map(items.map((item) => [item.name, item]));
	const add = (name: string): PushItem => {
		const item = itemOf(name, NULL_ID);
		items.push(item);
		byName.set(name, item);
		return item;
	};
	if (!withoutFault(git, specs, (spec) => planOne(repository, { spec, ours, items, add }))) return null;
	for (const { name, id } of ours) {
		const match = mappingOf(specs, name, wish.mirrors, 'ours');
		if (!match) continue;
		const there = byName.get(match.name);
		if (there ? there.from !== null : isMatching(match.spec) && !wish.sendsAll && !wish.mirrors) continue;
		Object.assign(there ?? add(match.name), { from: name, after: id, isForced: match.spec.isForced });
	}
	if (wish.followsTags)
		for (const { name, id } of tagsToFollow(repository, items)) Object.assign(add(name), { from: name, after: id });
	const here = new Set(ours.map(({ name }) => name));
	for (const item of items) {
		if (item.from !== null) continue;
		const source = wish.prunes ? mappingOf(specs, item.name, wish.mirrors, 'theirs') : null;
		if (wish.mirrors || (source && !here.has(source.name))) item.from = DELETED;
	}
	return items.filter(({ name }) => !isLeftOut(specs, name));
}

/** Processes each refspec that names one reference and prints its faults. Returns true if there are none. */
function withoutFault(git: Invocation, specs: readonly Refspec[], look: (spec: Refspec) => void): boolean {
	let isGood = true;
	for (const spec of specs) {
		if (isPattern(spec) || isMatching(spec)) continue;
		try {
			look(spec);
		} catch (error) {
			if (!(error instanceof GitError) || error.code !== 1) throw error;
			git.err(`${error.message}\n`);
			isGood = false;
		}
	}
	return isGood;
}

/** Checks the sources of refspecs before the remote is contacted; if one is missing, prints that and returns false. */
export function hasSources(git: Invocation, specs: readonly Refspec[]): boolean {
	const ours = git.repository.refs.list('refs/');
	return withoutFault(git, specs, ({ source }) => sourceNamed(git.repository, ours, source));
}

const MATCHING: Refspec = { source: '', target: '', isForced: false, isNegative: false };

const itemOf = (name: string, before: string): PushItem => ({
	...{ name, before, from: null, after: NULL_ID },
	...{ isForced: false, state: 'none', isRewind: false, reason: '' }
});

interface Planning {
	spec: Refspec;
	ours: readonly Ref[];
	items: readonly PushItem[];
	add(name: string): PushItem;
}

/** Plans a refspec without a wildcard. @throws GitError if its source or target is missing or ambiguous */
function planOne(repository: Repository, { spec, ours, items, add }: Planning): void {
	const source = sourceNamed(repository, ours, spec.source);
	const target = spec.target ?? ownTarget(repository, source.name);
	const found = named(
		items.map(({ name, before }) => ({ name, id: before })),
		target
	);
	if (found.length > 1) throw failure(`dst refspec ${target} matches more than one`);
	let name = found[0]?.name ?? (target.startsWith('refs/') ? target : null);
	if (name === null && source.id === NULL_ID) throw failure(`unable to delete '${target}': remote ref does not exist`);
	name ??= guessed(repository, target, source.name);
	if (name === null) throw failure(unqualified(repository, target, source));
	const item = items.find((one) => one.name === name) ?? add(name);
	if (item.from !== null) throw failure(`dst ref ${name} receives from more than one src`);
	Object.assign(item, { from: source.name, after: source.id, isForced: spec.isForced });
}

/** @throws GitError if the text names nothing, or more than one reference */
function sourceNamed(repository: Repository, ours: readonly Ref[], text: string): Source {
	if (text === '') return { name: DELETED, id: NULL_ID };
	const found = named(ours, text === '@' ? 'HEAD' : text);
	if (found.length > 1) throw failure(`src refspec ${text} matches more than one`);
	if (found[0]) return found[0];
	const id = findRevision(repository, text);
	if (id === null) throw failure(`src refspec ${text} does not match any`);
	return { name: text === '@' ? 'HEAD' : text, id };
}

/** Target for a refspec that has none. @throws GitError if the name is not a branch or full reference */
function ownTarget({ refs }: Repository, name: string): string {
	const target = refs.resolve(name) === null ? null : refs.target(name);
	if (target === null || (target !== name && !target.startsWith('refs/heads/')) || target === 'HEAD')
		throw fatal(`${name} cannot be resolved to branch`);
	return target;
}

/** Expands a short target to a full name, based on the kind of its source. */
function guessed({ refs }: Repository, target: string, source: string): string | null {
	const full = refs.resolve(source) === null ? '' : refs.target(source);
	const kind = /^refs\/(?:heads|tags)\//.exec(full)?.[0];
	return kind === undefined ? null : kind + target;
}

const KINDS = {
	commit: ['is a commit object', 'create a new branch', 'heads'],
	tag: ['is a tag object', 'create a new tag', 'tags'],
	tree: ['is a tree object', 'tag a new tree', 'tags'],
	blob: ['is a blob object', 'tag a new blob', 'tags']
} as const;

function unqualified({ objects, config }: Repository, target: string, { name, id }: Source): string {
	const message =
		'The destination you provided is not a full refname (i.e.,\n' +
		'starting with "refs/"). We tried to guess what you meant by:\n\n' +
		`- Looking for a ref that matches '${target}' on the remote side.\n` +
		`- Checking if the <src> being pushed ('${name}')\n` +
		'  is a ref in "refs/{heads,tags}/". If so we add a corresponding\n' +
		'  refs/{heads,tags}/ prefix on the remote side.\n\n' +
		'Neither worked, so we gave up. You must fully qualify the ref.';
	const kind = objects.find(id)?.type;
	if (kind === undefined || !config.flag('advice.pushunqualifiedrefname', true)) return message;
	const [is, what, folder] = KINDS[kind];
	return (
		`${message}\nhint: The <src> part of the refspec ${is}.\nhint: Did you mean to ${what} by pushing to\n` +
		`hint: '${name}:refs/${folder}/${target}'?`
	);
}

/** Name that refspecs map a reference to on the other side, and the refspec that does so. */
function mappingOf(
	specs: readonly Refspec[],
	name: string,
	mirrors: boolean,
	side: 'ours' | 'theirs'
): { name: string; spec: Refspec } | null {
	let matching: Refspec | null = null;
	for (const spec of specs) {
		if (spec.isNegative) continue;
		if (isMatching(spec)) {
			if (matching === null || spec.isForced) matching = spec;
			continue;
		}
		if (!isPattern(spec)) continue;
		const target = spec.target ?? spec.source;
		const [from, to] = side === 'ours' ? [spec.source, target] : [target, spec.source];
		const star = starOf(from, name);
		if (star !== null) return { name: to.replace('*', () => star), spec };
	}
	if (matching === null || (!mirrors && !name.startsWith('refs/heads/'))) return null;
	return { name, spec: matching };
}

/** Annotated tags that the remote lacks, if they point to commits that it has after the push. */
function tagsToFollow(repository: Repository, items: readonly PushItem[]): Ref[] {
	const { refs, objects } = repository;
	const known = new Set(items.map(({ name }) => name));
	const tags = refs.list('refs/tags/').filter(({ name, id }) => !known.has(name) && objects.find(id)?.type === 'tag');
	if (tags.length === 0) return [];
	const tips = items
		.map(({ from, before, after }) => (from !== null && after !== NULL_ID ? after : before))
		.map((id) => (id === NULL_ID ? id : repository.peeled(id)))
		.filter((id) => objects.find(id)?.type === 'commit');
	const sent = ancestors(repository, tips);
	return tags.filter(({ id }) => sent.has(repository.peeled(id)));
}
