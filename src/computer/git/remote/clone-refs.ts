import { withoutPlace } from '../discover.ts';
import { fatal } from '../errors.ts';
import { runHook } from '../hooks.ts';
import { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { fetchSpec, isLeftOut, mappedName, type Refspec } from '../refs/refspec.ts';
import type { Ref } from '../refs/refs.ts';
import type { Repository } from '../repository.ts';
import { checkOutFirst } from '../worktree/first-checkout.ts';
import { headOf, type Advertisement } from './advertisement.ts';
import { FetchSource, type PackHow } from './fetch-pack.ts';
import { followedTags } from './fetch-plan.ts';

/** Kind of clone: with a working tree, bare, or a mirror of all references. */
export type CloneKind = 'usual' | 'bare' | 'mirror';

/** Options of a clone. */
interface CloneWish extends PackHow {
	/** URL as stored in the config. */
	url: string;
	/** URL to fetch from. */
	source: string;
	remote: string;
	kind: CloneKind;
	/** Branch or tag from `--branch`. */
	wanted: string | undefined;
	/** Fetches only one branch. */
	isSingle: boolean;
	noTags: boolean;
	/** Name of the first branch of a new repository. */
	usual: string;
}

/** Candidates for the new HEAD. */
interface ClonedHead {
	/** Full name on the remote; null if its HEAD is not on a branch. */
	branch: string | null;
	/** null if there is no commit. */
	id: string | null;
	/** Reference that the remote's HEAD points to. */
	main: string | null;
	isEmpty: boolean;
}

/** Copies objects and references of a repository, and configures it as a remote. @throws GitError with git's message */
export async function cloneRefs(git: Invocation, repository: Repository, wish: CloneWish): Promise<ClonedHead> {
	const { source, advertisement } = await FetchSource.open(git, repository, wish.source, wish);
	try {
		return await cloneFrom(source, advertisement, wish);
	} finally {
		await source.close();
	}
}

async function cloneFrom(source: FetchSource, advertisement: Advertisement, wish: CloneWish): Promise<ClonedHead> {
	const { remote, kind, isSingle, wanted: branch } = wish;
	const { repository } = source;
	const { config, refs } = repository;
	const file = `${repository.commonDir}/config`;
	const main = headOf(advertisement, wish.usual);
	const head = advertisement.refs.find(({ name }) => name === 'HEAD')?.id ?? null;
	// A remote without a HEAD may still have the branch that is usually the first one.
	const first = head === null ? `refs/heads/${wish.usual}` : null;
	const chosen = branch === undefined ? (main ?? first) : chosenRef(advertisement, branch, remote);
	const own = wholeSpec(kind, remote);
	const specs = [...config.values(`remote.${remote}.fetch`), own].map(fetchSpec);
	config.set(file, `remote.${remote}.url`, wish.url);
	const kept = kind === 'bare' ? null : kind === 'usual' && isSingle ? singleSpec(chosen, remote) : own;
	if (kept !== null) config.set(file, `remote.${remote}.fetch`, kept, true);
	if (kind === 'mirror') config.set(file, `remote.${remote}.mirror`, 'true');
	if (wish.noTags) config.set(file, `remote.${remote}.tagOpt`, '--no-tags');
	const shown = isSingle ? advertisement.refs.filter(({ name }) => name === chosen) : advertisement.refs;
	// A tag that is asked for by its name is kept in any case.
	const withTags = isSingle || (!wish.noTags && kind !== 'mirror');
	const mapped = mappedRefs(shown, specs, withTags);
	const id = chosen === null ? head : (advertisement.refs.find(({ name }) => name === chosen)?.id ?? null);
	const wanted = new Set([...mapped.map((ref) => ref.id), ...(id === null ? [] : [id])]);
	await source.fetch(
		advertisement.refs.filter((ref) => wanted.has(ref.id)),
		advertisement
	);
	source.noteShallow(advertisement.shallow.filter((end) => repository.objects.has(end)));
	const tags = wish.noTags || !isSingle ? [] : followedTags(repository, advertisement);
	await source.fetch(
		tags.filter(({ id: tag }) => !repository.objects.has(tag)).map((tag) => ({ id: tag.id, name: tag.source })),
		advertisement
	);
	for (const ref of [...mapped, ...tags]) refs.note('name' in ref ? ref.name : ref.source, ref.id);
	return { branch: chosen, id, main, isEmpty: advertisement.refs.length === 0 };
}

/** @throws GitError if the remote has no such reference */
function chosenRef({ refs }: Advertisement, wanted: string, remote: string): string {
	const names = [`refs/heads/${wanted}`, `refs/tags/${wanted}`];
	const found = names.find((name) => refs.some((ref) => ref.name === name));
	if (found === undefined) throw fatal(`Remote branch ${wanted} not found in upstream ${remote}`);
	return found;
}

/** Refspec for all branches of a new remote, or all references of a mirror. */
function wholeSpec(kind: CloneKind, remote: string): string {
	if (kind === 'mirror') return '+refs/*:refs/*';
	return `+refs/heads/*:${kind === 'bare' ? 'refs/heads' : `refs/remotes/${remote}`}/*`;
}

/** Refspec for one branch or tag; null without one: later fetches then get the remote's HEAD. */
function singleSpec(only: string | null, remote: string): string | null {
	if (only === null || only.startsWith('refs/tags/')) return only && `+${only}:${only}`;
	return `+${only}:${only.replace('refs/heads/', `refs/remotes/${remote}/`)}`;
}

/** References to create, under their local names. */
function mappedRefs(refs: readonly Ref[], specs: readonly Refspec[], withTags: boolean): Ref[] {
	const mapped = new Map<string, Ref>();
	for (const { name, id } of refs) {
		if (name === 'HEAD') continue;
		const targets = isLeftOut(specs, name) ? [] : specs.map((spec) => mappedName(spec, name));
		if (withTags && name.startsWith('refs/tags/')) targets.push(name);
		for (const target of targets) if (target !== null) mapped.set(target, { name: target, id });
	}
	return [...mapped.values()];
}

/** Options for setting HEAD and checking out the files of a clone. */
interface Settling extends ClonedHead {
	url: string;
	remote: string;
	kind: CloneKind;
	checksOut: boolean;
}

/** Sets HEAD of a new clone to that of the remote, and checks it out. */
export function settleHead(git: Invocation, repository: Repository, how: Settling): void {
	const { refs } = repository;
	const { branch, id, main, remote, kind, url } = how;
	const reason = `clone: from ${url}`;
	const short = branch?.startsWith('refs/heads/') ? branch.slice('refs/heads/'.length) : null;
	if (how.isEmpty) {
		git.err('warning: You appear to have cloned an empty repository.\n');
		if (short !== null) refs.setSymbolic('HEAD', `refs/heads/${short}`);
		if (kind === 'usual') follow(repository, remote, short ?? refs.currentBranch() ?? 'main');
		return;
	}
	const mainHere = main === null || kind !== 'usual' ? null : main.replace('refs/heads/', `refs/remotes/${remote}/`);
	const mainId = mainHere === null ? null : refs.resolve(mainHere);
	if (mainHere !== null && mainId !== null) {
		refs.setSymbolic(`refs/remotes/${remote}/HEAD`, mainHere);
		refs.log(`refs/remotes/${remote}/HEAD`, NULL_ID, mainId, reason);
	}
	if (id === null) {
		if (main === null && short !== null && kind === 'usual') follow(repository, remote, short);
		git.err('warning: remote HEAD refers to nonexistent ref, unable to checkout.\n\n');
		return;
	}
	const commit = repository.peeled(id);
	if (short === null) refs.moveHead({ id: commit }, reason);
	else {
		refs.setSymbolic('HEAD', `refs/heads/${short}`);
		if (kind === 'usual') follow(repository, remote, short);
		refs.update('HEAD', commit, reason);
	}
	if (!how.checksOut) return;
	checkOutFirst(repository, repository.commit(commit).tree);
	repository.index.save();
	const env = { ...withoutPlace(git.env), GIT_DIR: repository.gitDir, GIT_WORK_TREE: repository.root };
	const there = new Invocation(git.context, repository.root, git.surroundings.overrides, env);
	runHook(there, 'post-checkout', [NULL_ID, commit, '1']);
	there.flush();
}

/** Sets the remote branch of the same name as the upstream of a branch. */
function follow(repository: Repository, remote: string, name: string): void {
	const { config } = repository;
	const file = `${repository.commonDir}/config`;
	config.set(file, `branch.${name}.remote`, remote);
	config.set(file, `branch.${name}.merge`, `refs/heads/${name}`);
	const rebases = config.get('branch.autosetuprebase') ?? 'never';
	if (rebases === 'always' || rebases === 'remote') config.set(file, `branch.${name}.rebase`, 'true');
}
