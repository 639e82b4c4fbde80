import { fatal } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { isAncestor } from '../history/walk.ts';
import { parseOptions } from '../options.ts';
import { defaultRemote, fetchRemote } from './fetch.ts';
import { mergeCommit } from './merge.ts';
import { rebase } from './rebase.ts';

export const pull: Command = async (git, args) => {
	const options = parseOptions('pull [<options>] [<repository> [<refspec>...]]', args, {
		onlyFastForward: '--ff-only',
		noFastForward: '--no-ff',
		fastForward: '--ff',
		noRebase: '--no-rebase',
		rebase: '-r --rebase ?',
		autostash: '--autostash',
		quiet: '-q --quiet',
		noEdit: '--no-edit',
		depth: '--depth =',
		prune: '-p --prune',
		progress: '--progress',
		verbose: '-v --verbose'
	});
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	const remote = options.operands[0] ?? defaultRemote(git);
	const upstream = branch === null ? null : repository.upstream(branch);
	const wanted = options.operands[1] ?? upstream?.replace(`refs/remotes/${remote}/`, '');
	const depth = options.get('depth');
	const { url } = await fetchRemote(git, remote, {
		branch: options.operands[1],
		depth: depth === undefined ? undefined : Number(depth),
		prune: options.has('prune'),
		quiet: options.has('quiet'),
		tags: true,
		progress: options.has('progress')
	});
	if (wanted === undefined) {
		throw fatal(
			'There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\n\n' +
				`    git pull <remote> <branch>\n\nor set it: git branch --set-upstream-to=${remote}/<branch> ${branch ?? ''}`
		);
	}
	const id = repository.refs.resolve(`refs/remotes/${remote}/${wanted}`);
	if (id === null) throw fatal(`couldn't find remote ref ${wanted}`);
	const setting = repository.config.get('pull.rebase');
	const rebases = options.has('rebase')
		? options.get('rebase') !== 'false'
		: setting !== undefined && setting !== 'false';
	if (rebases && !options.has('noRebase') && !options.has('onlyFastForward')) {
		const flags = [...(options.has('quiet') ? ['-q'] : []), ...(options.has('autostash') ? ['--autostash'] : [])];
		return rebase(git, [...flags, `${remote}/${wanted}`]);
	}
	const head = repository.head();
	const chosen =
		options.has('onlyFastForward') ||
		options.has('noRebase') ||
		options.has('noFastForward') ||
		options.has('fastForward') ||
		repository.config.get('pull.rebase') === 'false';
	const diverged = head !== null && !isAncestor(repository, head, id) && !isAncestor(repository, id, head);
	if (diverged && !chosen) {
		throw fatal(
			'Need to specify how to reconcile divergent branches.\nhint: To merge: git pull --no-rebase (or once and for all: git config pull.rebase false)\n' +
				'hint: To put your commits on top: git pull --rebase\n' +
				'hint: To take only what follows directly: git pull --ff-only'
		);
	}
	return mergeCommit(git, {
		id,
		name: `${remote}/${wanted}`,
		message: `Merge branch '${wanted}' of ${url}`,
		noFastForward: options.has('noFastForward'),
		onlyFastForward: options.has('onlyFastForward'),
		quiet: options.has('quiet')
	});
};
