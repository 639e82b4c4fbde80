import { failure, fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { isRefName } from '../refs/ref-format.ts';
import { sourceOf } from '../refs/refspec.ts';
import { isRemote, remoteNamed, remoteNames } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';

/** `git remote remove`: removes a remote, its remote-tracking branches, and settings that refer to it. */
export const removeRemote: Command = (git, args) => {
	const options = parseOptions('remote remove <name>', args, {});
	const [name, ...more] = options.operands;
	if (name === undefined || more.length > 0) throw new GitError('usage: git remote remove <name>', 129);
	const { repository } = git;
	const { config, refs } = repository;
	if (!isRemote(config, name)) throw failure(`No such remote: '${name}'`, 2);
	const file = `${repository.commonDir}/config`;
	for (const branch of config.subsections('branch')) {
		if (config.get(`branch.${branch}.remote`) === name)
			for (const key of ['remote', 'merge']) config.set(file, `branch.${branch}.${key}`, null);
		if (config.get(`branch.${branch}.pushremote`) === name) config.set(file, `branch.${branch}.pushremote`, null);
	}
	const { gone, kept } = trackingRefs(repository, name);
	for (const ref of gone) refs.delete(ref);
	if (localPushDefault(repository) === name) config.set(file, 'remote.pushDefault', null);
	config.removeSection(file, `remote.${name}`);
	if (kept.length > 0) git.err(keptNote(kept));
	return 0;
};

function keptNote(kept: readonly string[]): string {
	const what =
		kept.length === 1
			? 'A branch outside the refs/remotes/ hierarchy was not removed;\nto delete it, use:\n'
			: 'Some branches outside the refs/remotes/ hierarchy were not removed;\nto delete them, use:\n';
	return `Note: ${what}${kept.map((name) => `  git branch -d ${name}\n`).join('')}`;
}

/** Refs that only this remote's refspecs update: remote-tracking branches to delete, and local branches to keep. */
function trackingRefs(repository: Repository, name: string): { gone: string[]; kept: string[] } {
	const { refs, config } = repository;
	const isOf = (remote: string, ref: string) =>
		remoteNamed(repository, remote).fetchSpecs.some((spec) => sourceOf(spec, ref) !== null);
	const others = remoteNames(config).filter((other) => other !== name);
	const names = [...new Set([...refs.list('refs/').map((ref) => ref.name), ...refs.symbolicNames()])].sort();
	const own = names.filter((ref) => isOf(name, ref) && !others.some((other) => isOf(other, ref)));
	return {
		gone: own.filter((ref) => ref.startsWith('refs/remotes/')),
		kept: own.flatMap((ref) => /^refs\/heads\/(.*)$/.exec(ref)?.[1] ?? [])
	};
}

/** Value of `remote.pushDefault` in the repository's own configuration. */
const localPushDefault = ({ config }: Repository): string | undefined =>
	config.all().findLast(({ key, scope }) => key === 'remote.pushdefault' && scope === 'local')?.value;

/** `git remote rename`: renames a remote, its remote-tracking branches, and settings that refer to it. */
export const renameRemote: Command = (git, args) => {
	const usage = 'remote rename [--[no-]progress] <old> <new>';
	// Ignored: renaming is too fast to show progress.
	const options = parseOptions(usage, args, { progress: '--progress --no-progress' });
	const [from, to, ...more] = options.operands;
	if (from === undefined || to === undefined || more.length > 0) throw new GitError(`usage: git ${usage}`, 129);
	const { repository } = git;
	const { config } = repository;
	if (!isRemote(config, from)) throw failure(`No such remote: '${from}'`, 2);
	const isTaken = config.all().some(({ key, scope }) => scope === 'local' && key.startsWith(`remote.${to}.`));
	if (isTaken) throw failure(`remote ${to} already exists.`, 3);
	if (!isRefName(`refs/remotes/${to}/test`)) throw fatal(`'${to}' is not a valid remote name`);
	const file = `${repository.commonDir}/config`;
	const specs = config.values(`remote.${from}.fetch`);
	const moves = renameSpecs(git, from, to, specs);
	config.moveSection(file, `remote.${from}`, `remote.${to}`);
	config.set(file, `remote.${to}.fetch`, null);
	for (const spec of moves.specs) config.set(file, `remote.${to}.fetch`, spec, true);
	for (const branch of config.subsections('branch'))
		for (const key of ['remote', 'pushRemote'])
			if (config.get(`branch.${branch}.${key}`) === from) config.set(file, `branch.${branch}.${key}`, to);
	if (localPushDefault(repository) === from) config.set(file, 'remote.pushDefault', to);
	if (moves.isMoved) renameRefs(repository, from, to);
	return 0;
};

/** Renames the remote in refspecs. @returns also whether any was renamed, so that refs must be renamed too */
function renameSpecs(
	git: Invocation,
	from: string,
	to: string,
	specs: readonly string[]
): { specs: string[]; isMoved: boolean } {
	let isMoved = false;
	const renamed = specs.map((spec) => {
		const own = `:refs/remotes/${from}/`;
		if (spec.includes(own)) {
			isMoved = true;
			return spec.replace(own, () => `:refs/remotes/${to}/`);
		}
		git.err(
			`warning: Not updating non-default fetch refspec\n\t${spec}\n` +
				'\tPlease update the configuration manually if necessary.\n'
		);
		return spec;
	});
	return { specs: renamed, isMoved };
}

function renameRefs({ refs }: Repository, from: string, to: string): void {
	const space = `refs/remotes/${from}/`;
	const moved = (name: string) => (name.startsWith(space) ? `refs/remotes/${to}/${name.slice(space.length)}` : name);
	const links = refs
		.symbolicNames()
		.filter((name) => name.startsWith(space))
		.map((name) => ({ name, target: refs.symbolic(name) ?? '' }));
	for (const { name } of links) refs.delete(name);
	for (const { name } of refs.list(space)) refs.rename(name, moved(name), `remote: renamed ${name} to ${moved(name)}`);
	for (const { name, target } of links) refs.setSymbolic(moved(name), moved(target));
}
