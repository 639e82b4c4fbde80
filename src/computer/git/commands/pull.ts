import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { isAncestor } from '../history/walk.ts';
import { type Options, parseOptions } from '../options.ts';
import { fetchLocal, shortName } from '../remote/fetch-local.ts';
import type { Repository } from '../repository.ts';
import { defaultRemote, fetchRemote, repositoryNamed, summaryOf } from './fetch.ts';
import { intoBranch } from '../merge/merge-message.ts';
import { mergeCommit } from './merge.ts';
import { rebase } from './rebase.ts';

const OPTIONS = {
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
};

export const pull: Command = async (git, args) => {
	const options = parseOptions('pull [<options>] [<repository> [<refspec>...]]', args, OPTIONS);
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	const [named, ...specs] = options.operands;
	const other = named === undefined ? null : repositoryNamed(git, named);
	if (other !== null && named !== undefined) return pullLocal(git, { url: named, specs, other }, options);
	const remote = named ?? defaultRemote(git);
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
	return bringIn(git, options, { id, name: `${remote}/${wanted}`, subject: `Merge branch '${wanted}' of ${url}` });
};

type PullOptions = Options<keyof typeof OPTIONS>;

/** Tells whether own commits go on top of what is pulled. */
function rebases({ repository }: Invocation, options: PullOptions): boolean {
	const setting = repository.config.get('pull.rebase');
	const isWanted = options.has('rebase')
		? options.get('rebase') !== 'false'
		: setting !== undefined && setting !== 'false';
	return isWanted && !options.has('noRebase') && !options.has('onlyFastForward');
}

const rebaseFlags = (options: PullOptions): string[] => [
	...(options.has('quiet') ? ['-q'] : []),
	...(options.has('autostash') ? ['--autostash'] : [])
];

/** Pulls from a repository of this volume by its path. */
async function pullLocal(
	git: Invocation,
	{ url, specs, other }: { url: string; specs: readonly string[]; other: Repository },
	options: PullOptions
): Promise<number> {
	const { repository } = git;
	const fetched = fetchLocal(repository, other, url, specs);
	if (!options.has('quiet')) git.err(summaryOf(url, fetched));
	const [first, ...more] = fetched;
	if (!first) throw fatal(`couldn't find remote ref ${specs[0] ?? 'HEAD'}`);
	if (more.length > 0) throw fatal('merging more than one branch at once is not done here');
	const id = repository.peeled(first.id);
	const place = url === '.' ? '' : ` of ${url}`;
	const kind = first.source.startsWith('refs/tags/') ? 'tag' : 'branch';
	const what = first.source === 'HEAD' ? url : `${kind} '${shortName(first.source)}'${place}`;
	return bringIn(git, options, { id, name: id, subject: `Merge ${what}` });
}

/**
 * Brings what was fetched into the current branch: by a rebase or a merge, as options and settings say.
 *
 * @param name what rebase and merge call it
 * @throws GitError while nothing says how two histories are to be brought together
 */
function bringIn(
	git: Invocation,
	options: PullOptions,
	{ id, name, subject }: { id: string; name: string; subject: string }
): ReturnType<Command> {
	const { repository } = git;
	if (rebases(git, options)) return rebase(git, [...rebaseFlags(options), name]);
	const head = repository.head();
	const isDiverged = head !== null && !isAncestor(repository, head, id) && !isAncestor(repository, id, head);
	if (isDiverged) requireChoice(git, options);
	return mergeCommit(git, {
		id,
		name,
		message: `${subject}${intoBranch(repository)}`,
		noFastForward: options.has('noFastForward'),
		onlyFastForward: options.has('onlyFastForward'),
		quiet: options.has('quiet')
	});
}

/** @throws GitError while nothing says how two histories are to be brought together */
function requireChoice({ repository }: Invocation, options: PullOptions): void {
	const isChosen =
		options.has('onlyFastForward') ||
		options.has('noRebase') ||
		options.has('noFastForward') ||
		options.has('fastForward') ||
		repository.config.get('pull.rebase') === 'false';
	if (isChosen) return;
	throw fatal(
		'Need to specify how to reconcile divergent branches.\nhint: To merge: git pull --no-rebase (or once and for all: git config pull.rebase false)\n' +
			'hint: To put your commits on top: git pull --rebase\n' +
			'hint: To take only what follows directly: git pull --ff-only'
	);
}
