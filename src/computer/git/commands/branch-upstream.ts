import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { namedBranch } from '../refs/branch-name.ts';
import { findRevision } from '../refs/revision.ts';
import { track, upstreamOf } from '../refs/track-branch.ts';
import type { Repository } from '../repository.ts';

/** Sets the upstream of a branch; null unsets it. */
export function setUpstream(
	git: Invocation,
	names: readonly string[],
	upstream: string | null,
	quiet: boolean
): number {
	const { repository } = git;
	const { refs, config } = repository;
	if (names.length > 1) throw fatal(`too many arguments to ${upstream === null ? 'unset' : 'set new'} upstream`);
	const current = refs.currentBranch();
	const name =
		names[0] === undefined || names[0] === 'HEAD' || names[0] === '@' ? current : namedBranch(repository, names[0]);
	if (name === null) {
		const what = upstream === null ? 'unset upstream of HEAD' : `set upstream of HEAD to ${upstream}`;
		throw fatal(`could not ${what} when it does not point to any branch.`);
	}
	const path = `${repository.commonDir}/config`;
	if (upstream === null) {
		if (config.get(`branch.${name}.merge`) === undefined) throw fatal(`Branch '${name}' has no upstream information`);
		config.set(path, `branch.${name}.remote`, null);
		config.set(path, `branch.${name}.merge`, null);
		return 0;
	}
	if (refs.resolve(`refs/heads/${name}`) === null)
		throw fatal(name === current ? `No commit on branch '${name}' yet.` : `branch '${name}' does not exist`);
	if (findRevision(repository, upstream) === null)
		throw fatal(`the requested upstream branch '${upstream}' does not exist${missingHint(repository)}`);
	const found = upstreamOf(git, upstream, 'direct');
	if (!found) throw fatal(`cannot set up tracking information; starting point '${upstream}' is not a branch`);
	if (found.remote === '.' && found.merge === `refs/heads/${name}`) {
		git.err(`warning: not setting branch '${name}' as its own upstream\n`);
		return 0;
	}
	track(git, name, found, quiet);
	return 0;
}

function missingHint({ config }: Repository): string {
	if (!config.flag('advice.setupstreamfailure', true)) return '';
	return [
		'',
		'If you are planning on basing your work on an upstream',
		'branch that already exists at the remote, you may need to',
		'run "git fetch" to retrieve it.',
		'',
		'If you are planning to push out a new local branch that',
		'will track its remote counterpart, you may want to use',
		'"git push -u" to set the upstream config as you push.',
		'Disable this message with "git config advice.setUpstreamFailure false"'
	]
		.map((line) => `\nhint: ${line}`)
		.join('');
}
