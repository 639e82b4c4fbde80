import { compareTrees } from '../diff/change.ts';
import { printChanges, NO_DIFF } from '../diff/print.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { ancestors, mergeBases, walkHistory } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { makeAutostash } from '../sequence/autostash.ts';
import { abortRebase, continueRebase, skipRebase, startRebase } from '../sequence/rebase.ts';
import { endRebase, loadRebase, rebaseInProgress, saveRebase } from '../sequence/rebase-state.ts';
import { autosquashed, editSteps, pickStep, withCommands, type RebaseStep } from '../sequence/rebase-steps.ts';
import { switchBranch } from './switch.ts';

export const rebase: Command = async (git, args) => {
	const options = parseOptions('rebase [-i] [options] [--onto <newbase>] [<upstream> [<branch>]]', args, {
		onto: '--onto =',
		proceed: '--continue',
		abort: '--abort',
		skip: '--skip',
		quit: '--quit',
		edit: '--edit-todo',
		interactive: '-i --interactive',
		exec: '-x --exec =',
		rebaseMerges: '-r --rebase-merges ?',
		root: '--root',
		quiet: '-q --quiet',
		autostash: '--autostash',
		noAutostash: '--no-autostash',
		force: '-f --force-rebase --no-ff',
		verbose: '-v --verbose --stat --no-stat -n',
		autosquash: '--autosquash',
		noEdit: '--no-edit --no-verify --no-gpg-sign --no-autosquash --keep-empty --empty --no-keep-empty'
	});
	const { repository } = git;
	if (options.has('rebaseMerges'))
		throw fatal('cannot recreate merges here: rebase a branch without merges, or merge instead');
	const running = rebaseInProgress(repository);
	const action = options.has('proceed')
		? continueRebase
		: options.has('skip')
			? skipRebase
			: options.has('abort')
				? abortRebase
				: null;
	if (action) {
		if (!running) throw fatal('No rebase in progress?');
		return action(git);
	}
	if (options.has('edit')) {
		if (!running) throw fatal('No rebase in progress?');
		const state = loadRebase(repository);
		saveRebase(repository, { ...state, todo: editSteps(git, state.todo, 'The rest of the rebase') });
		return 0;
	}
	if (options.has('quit')) {
		if (!running) throw fatal('No rebase in progress?');
		endRebase(repository);
		return 0;
	}
	if (running) {
		loadRebase(repository);
		throw fatal(
			'It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)\n' +
				'If that is not the case, please\n\trm -fr ".git/rebase-merge"\nand run me again.  I am stopping in case you still have something\nvaluable there.\n'
		);
	}
	const [given, branch] = options.has('root') ? [undefined, options.operands[0]] : options.operands;
	const upstream = given ?? (options.has('root') ? null : ownUpstream(git));
	if (upstream === '') return 1;
	const find = (name: string): string => {
		if (findRevision(repository, name) === null) throw fatal(`invalid upstream '${name}'`);
		return resolveCommit(repository, name);
	};
	const base = upstream === null ? null : find(upstream);
	const ontoName = options.get('onto') ?? upstream;
	if (ontoName === null)
		throw fatal('rebasing the first commit too needs --onto here: git rebase --root --onto <newbase>');
	const onto = ontoName.includes('...') ? mergeBaseOf(repository, ontoName) : find(ontoName);
	const autostash =
		(options.has('autostash') || repository.config.flag('rebase.autostash', false)) && !options.has('noAutostash')
			? await makeAutostash(git)
			: null;
	refuseChanges(repository);
	if (branch !== undefined && branch !== repository.refs.currentBranch()) {
		const code = await switchBranch(git, [
			'-q',
			...(repository.refs.resolve(`refs/heads/${branch}`) === null ? ['--detach'] : []),
			branch
		]);
		if (code !== 0) return code;
	}
	const head = repository.head();
	if (head === null) throw fatal('your current branch does not have any commits yet');
	const own = [...walkHistory(repository, { include: [head], exclude: base === null ? [onto] : [base] })];
	const isLinear = own.every(({ commit }) => commit.parents.length < 2);
	const name = repository.refs.symbolic('HEAD');
	const upToDate =
		isLinear &&
		(own.at(-1)?.commit.parents[0] ?? head) === onto &&
		mergeBases(repository, base ?? onto, head)[0] === onto;
	const interactive = options.has('interactive') || options.has('exec');
	if (upToDate && !options.has('force') && !interactive) {
		if (!options.has('quiet'))
			git.out(
				name === null ? 'HEAD is up to date.\n' : `Current branch ${name.replace('refs/heads/', '')} is up to date.\n`
			);
		return 0;
	}
	const upstreamPatches = base === null ? new Set<string>() : patchesOf(repository, base, head);
	const todo: string[] = [];
	for (const { id, commit } of own.reverse()) {
		if (commit.parents.length > 1) continue;
		if (upstreamPatches.size > 0 && upstreamPatches.has(patchOf(repository, id))) {
			git.err(
				`warning: skipped previously applied commit ${repository.objects.abbreviate(id)}\n` +
					'hint: use --reapply-cherry-picks to include skipped commits\n'
			);
			continue;
		}
		todo.push(id);
	}
	let steps = todo.map(pickStep);
	if (options.has('autosquash') || repository.config.flag('rebase.autosquash', false)) {
		if (options.has('interactive')) steps = autosquashed(repository, steps);
	}
	steps = withCommands(steps, options.all('exec'));
	if (options.has('interactive')) {
		const short = (id: string) => repository.objects.abbreviate(id);
		const about = `Rebase ${short(base ?? onto)}..${short(head)} onto ${short(onto)} (${steps.length} commands)`;
		const edited = editOrLeave(git, steps, about);
		if (edited.length === 0 && steps.length > 0) {
			endRebase(repository);
			throw new GitError('error: nothing to do', 1);
		}
		steps = edited;
	}
	return startRebase(
		git,
		{ branch: name, original: head, onto, done: [], todo: steps, quiet: options.has('quiet'), autostash },
		ontoName
	);
};

/** Returns the list as edited. If the editor fails, no rebase has been started. */
function editOrLeave(git: Invocation, steps: readonly RebaseStep[], about: string): RebaseStep[] {
	try {
		return editSteps(git, steps, about);
	} catch (error) {
		endRebase(git.repository);
		throw error;
	}
}

/** Upstream of the branch; '' after reporting that there is none. */
function ownUpstream(git: Invocation): string {
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	const found = branch === null ? null : repository.upstream(branch);
	if (found !== null) return found.replace(/^refs\/(remotes|heads)\//, '');
	git.out(
		branch === null
			? "You are not currently on a branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\n"
			: `There is no tracking information for the current branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=<remote>/<branch> ${branch}\n\n`
	);
	return '';
}

function mergeBaseOf(repository: Repository, text: string): string {
	const [left = '', right = ''] = text.split('...');
	const [found] = mergeBases(
		repository,
		resolveCommit(repository, left || 'HEAD'),
		resolveCommit(repository, right || 'HEAD')
	);
	if (found === undefined) throw fatal(`'${text}': need exactly one merge base`);
	return found;
}

function refuseChanges(repository: Repository): void {
	const unstaged = indexToWorktree(repository).length > 0;
	const staged = treeToIndex(repository, headTree(repository)).length > 0;
	if (!unstaged && !staged) return;
	const second = unstaged && staged ? 'error: additionally, your index contains uncommitted changes.\n' : '';
	throw new GitError(
		`error: cannot rebase: ${unstaged ? 'You have unstaged changes.' : 'Your index contains uncommitted changes.'}\n${second}error: Please commit or stash them.`,
		1
	);
}

/** The changes upstream has that `head` has not: what is among them need not be done again. */
function patchesOf(repository: Repository, upstream: string, head: string): Set<string> {
	const own = ancestors(repository, [head]);
	const found = new Set<string>();
	for (const { id, commit } of walkHistory(repository, { include: [upstream], exclude: [...own].slice(0, 1) })) {
		if (!own.has(id) && commit.parents.length === 1) found.add(patchOf(repository, id));
	}
	return found;
}

/** Change of a commit without line positions. */
function patchOf(repository: Repository, id: string): string {
	const { tree, parents } = repository.commit(id);
	const before = parents[0] === undefined ? null : repository.commit(parents[0]).tree;
	const text = printChanges(repository, compareTrees(repository.objects, before, tree), { ...NO_DIFF, patch: true });
	return text.replace(/^(index .*|@@ .*)$/gm, '');
}
