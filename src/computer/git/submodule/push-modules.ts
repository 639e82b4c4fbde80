import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { named } from '../push/plan-push.ts';
import type { PushItem } from '../push/push-item.ts';
import type { Refspec } from '../refs/refspec.ts';
import { isRemote, type Remote } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';
import { moduleRepository } from './git-directory.ts';
import { exitCodeOf, gitInModule } from './module-run.ts';
import { modulesByName } from './modules.ts';
import { hasCommits, movedModules, unreferenced } from './moved-modules.ts';
import { lastSetting } from './recursion-setting.ts';

const WAYS = ['check', 'on-demand', 'only'] as const;

/** Treatment of submodules: refuses if commits are not pushed, pushes them before, or pushes nothing else. */
export type ModulePush = 'no' | (typeof WAYS)[number];

/** Parses `--recurse-submodules`, or a setting. @param name of the option or the setting @throws GitError if invalid */
export function modulePush(name: string, text: string): ModulePush {
	const way = WAYS.find((one) => one === text);
	if (way) return way;
	// All submodules cannot be pushed, only those that need it.
	if (text !== '' && booleanOf(text) === false) return 'no';
	throw fatal(`bad ${name} argument: ${text}`);
}

/** Way by the settings `push.recurseSubmodules` and `submodule.recurse`, the last one of which applies. */
export const configuredPush = ({ config }: Repository): ModulePush =>
	lastSetting<ModulePush>(config, {
		'submodule.recurse': (text) => (booleanOf(text) === true ? 'on-demand' : 'no'),
		'push.recursesubmodules': (text) => modulePush('push.recursesubmodules', text)
	}) ?? 'no';

/** Push of a superproject. */
interface OuterPush {
	way: ModulePush;
	remote: Remote;
	specs: readonly Refspec[];
	items: readonly PushItem[];
	/** Push options for the other side. */
	texts: readonly string[];
	isDry: boolean;
}

/** Pushes a submodule. Returns the exit code. */
type NestedPush = (git: Invocation, args: readonly string[], isNested: boolean) => Promise<number>;

/**
 * Pushes submodules whose commits the pushed ones refer to, or checks that they are pushed.
 *
 * @throws GitError if one cannot be pushed, or is not
 */
export async function pushModules(git: Invocation, outer: OuterPush, push: NestedPush): Promise<void> {
	const { repository } = git;
	const { way, isDry } = outer;
	if (way === 'no' || repository.isBare) return;
	if (way !== 'check') await pushUnpushed(git, outer, push);
	if (way !== 'check' && isDry) return;
	const unpushed = unpushedModules(repository, outer);
	if (unpushed.length === 0) return;
	const paths = unpushed.map((path) => `  ${path}\n`).join('');
	git.err(
		`The following submodule paths contain changes that can\nnot be found on any remote:\n${paths}\nPlease try\n\n` +
			'	git push --recurse-submodules=on-demand\n\nor cd to the path and use\n\n	git push\n\nto push them to a remote.\n\n'
	);
	throw fatal('Aborting.');
}

async function pushUnpushed(git: Invocation, outer: OuterPush, push: NestedPush): Promise<void> {
	const { remote, texts, isDry } = outer;
	const paths = unpushedModules(git.repository, outer);
	// An address instead of a remote is that of the superproject, so the submodules use their own.
	if (remote.isConfigured) for (const path of paths) requirePushable(git, path, outer);
	const specs = remote.isConfigured ? [remote.name, ...outer.specs.map(textOf)] : [];
	let isDone = true;
	for (const path of paths) {
		git.err(`Pushing submodule '${path}'\n`);
		const args = [...(isDry ? ['--dry-run'] : []), ...texts.map((text) => `--push-option=${text}`), ...specs];
		if ((await exitCodeOf(gitInModule(git, path), (nested) => push(nested, args, true))) === 0) continue;
		git.err(`Unable to push submodule '${path}'\n`);
		isDone = false;
	}
	if (!isDone) throw fatal('failed to push all needed submodules');
}

/** Paths of submodules that have a remote, but commits that no remote is known to have. */
function unpushedModules(repository: Repository, { remote, items }: OuterPush): string[] {
	const { refs, objects } = repository;
	const isCommit = (id: string) => objects.find(id)?.type === 'commit';
	const include = items
		.filter(({ from, after }) => from !== null && after !== NULL_ID)
		.map(({ after }) => repository.peeled(after))
		.filter(isCommit);
	const exclude = refs
		.list(`refs/remotes/${remote.name}/`)
		.map(({ id }) => id)
		.filter(isCommit);
	const modules = modulesByName(repository);
	return movedModules(repository, { include, exclude }).flatMap(({ module, commits }) => {
		const now = modules.get(module.name) ?? module;
		const nested = moduleRepository(repository, now);
		if (!nested || !hasCommits(nested, now.path, commits)) return [];
		const hasNoRemote = nested.refs.list('refs/remotes/').length === 0;
		return hasNoRemote || unreferenced(nested, commits, 'refs/remotes/').length === 0 ? [] : [now.path];
	});
}

/** @throws GitError if a submodule lacks the remote, or a branch of the superproject's refspecs */
function requirePushable(git: Invocation, path: string, { remote, specs }: OuterPush): void {
	const nested = gitInModule(git, path).repository;
	const refuse = (reason: string): never => {
		git.err(`fatal: ${reason}\n`);
		throw fatal(`process for submodule '${path}' failed`);
	};
	if (!isRemote(nested.config, remote.name)) refuse(`remote '${remote.name}' not configured`);
	for (const { source } of specs) {
		if (source === '' || source.includes('*')) continue;
		if (named(nested.refs.list('refs/'), source).length === 1) continue;
		if (source !== 'HEAD') refuse(`src refspec '${source}' must name a ref`);
		const branch = nested.refs.currentBranch();
		if (branch === null || branch !== git.repository.refs.currentBranch())
			refuse('HEAD does not match the named branch in the superproject');
	}
}

const textOf = ({ source, target, isForced, isNegative }: Refspec): string =>
	`${isForced ? '+' : ''}${isNegative ? '^' : ''}${source}${target === null ? '' : `:${target}`}`;
