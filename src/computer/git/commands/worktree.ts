import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { withoutPlace } from '../discover.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { type Options, parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import { Repository } from '../repository.ts';
import { checkOutFirst } from '../worktree/first-checkout.ts';
import { type LinkedTree, linkedTrees, refuseTaken } from '../worktree/linked.ts';
import { computeStatus } from '../worktree/status.ts';
import { createBranch } from './branch.ts';

const USAGE = 'worktree add [<options>] <path> [<commit-ish>]';
const ADD_OPTIONS = {
	force: '-f --force',
	detach: '-d --detach',
	branch: '-b =',
	reset: '-B =',
	noCheckout: '--no-checkout',
	checkout: '--checkout',
	quiet: '-q --quiet',
	lock: '--lock',
	reason: '--reason =',
	track: '--track --no-track --guess-remote --no-guess-remote'
};

/** `git worktree`: further working trees of one repository. */
export const worktree: Command = (git, args) => {
	const [action, ...rest] = args;
	const run = action === undefined ? undefined : ACTIONS[action];
	if (!run)
		throw new GitError(`usage: git ${USAGE}\n   or: git worktree (list | lock | move | prune | remove | unlock)`, 129);
	return run(git, rest);
};

const ACTIONS: Record<string, Command> = { add, list, lock, move, prune, remove, unlock };

function add(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGE, args, ADD_OPTIONS);
	const { repository } = git;
	const { files } = repository;
	const [given, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (given === undefined || more.length > 1) throw new GitError(`usage: git ${USAGE}`, 129);
	const path = absolute(given, git.cwd);
	const there = files.statOrNull(path);
	if (there && (there.kind !== 'directory' || files.readdir(path).length > 0)) throw fatal(`'${given}' already exists`);
	const start = more[0] === '-' ? '@{-1}' : (more[0] ?? 'HEAD');
	const branch = branchOf(git, options, start, more.length > 0 ? null : basename(path));
	const id = resolveCommit(repository, branch === null ? start : `refs/heads/${branch}`);
	if (!options.has('quiet') && branch === null)
		git.err(`Preparing worktree (detached HEAD ${repository.objects.abbreviate(id)})\n`);
	const made = createTree(git, path, branch === null ? `${id}` : `ref: refs/heads/${branch}`);
	if (options.has('lock')) files.writeFile(`${made.gitDir}/locked`, encode(`${options.get('reason') ?? ''}`));
	made.refs.log('HEAD', '0'.repeat(40), id, '');
	if (options.has('noCheckout')) return 0;
	checkOutFirst(made, made.commit(id).tree);
	made.index.save();
	if (!options.has('quiet'))
		git.out(`HEAD is now at ${repository.objects.abbreviate(id)} ${subjectOf(made.commit(id).message)}\n`);
	return 0;
}

/**
 * Branch that the new tree is to have, made if there is none yet; null for a detached HEAD.
 *
 * @param usual name of the branch where no commit is named
 */
function branchOf(
	git: Invocation,
	options: Options<keyof typeof ADD_OPTIONS>,
	start: string,
	usual: string | null
): string | null {
	const { repository } = git;
	const say = (what: string) => {
		if (!options.has('quiet')) git.err(`Preparing worktree (${what})\n`);
	};
	const exists = (name: string) => repository.refs.resolve(`refs/heads/${name}`) !== null;
	const made = options.get('branch') ?? options.get('reset');
	if (made !== undefined || (usual !== null && !exists(usual) && !options.has('detach'))) {
		const name = made ?? usual ?? '';
		const isReset = options.has('reset') && exists(name);
		if (isReset && !options.has('force')) refuseAnyTaken(repository, name);
		say(isReset ? `resetting branch '${name}'` : `new branch '${name}'`);
		createBranch(git, name, start, { force: options.has('reset'), quiet: options.has('quiet') });
		return name;
	}
	const name = usual ?? start.replace(/^refs\/heads\//, '');
	if (options.has('detach') || !exists(name)) return null;
	if (!options.has('force')) refuseAnyTaken(repository, name);
	say(`checking out '${name}'`);
	return name;
}

/** @throws GitError if a working tree has the branch checked out, this one included */
function refuseAnyTaken(repository: Repository, name: string): void {
	if (!repository.isBare && repository.refs.currentBranch() === name)
		throw fatal(`'${name}' is already checked out at '${repository.root}'`);
	refuseTaken(repository, name);
}

/** Makes the two directories that know of each other. @param head content of HEAD */
function createTree(git: Invocation, path: string, head: string): Repository {
	const { repository } = git;
	const { files, commonDir } = repository;
	const taken = (name: string) => files.statOrNull(`${commonDir}/worktrees/${name}`) !== null;
	const wanted = basename(path).replace(/[^\w.-]/g, '-');
	let id = wanted;
	for (let count = 1; taken(id); count++) id = `${wanted}${count}`;
	const gitDir = `${commonDir}/worktrees/${id}`;
	files.mkdir(gitDir, { recursive: true });
	files.mkdir(path, { recursive: true });
	files.writeFile(`${gitDir}/gitdir`, encode(`${path}/.git\n`));
	files.writeFile(`${gitDir}/commondir`, encode('../..\n'));
	files.writeFile(`${gitDir}/HEAD`, encode(`${head}\n`));
	files.writeFile(`${path}/.git`, encode(`gitdir: ${gitDir}\n`));
	const surroundings = { ...git.surroundings, env: withoutPlace(git.env), cwd: path };
	return new Repository(surroundings, path, gitDir, { commonDir });
}

function list(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree list [-v | --porcelain [-z]]', args, {
		porcelain: '--porcelain',
		verbose: '-v --verbose',
		nul: '-z'
	});
	const { repository } = git;
	const trees = linkedTrees(repository);
	const end = options.has('nul') ? '\0' : '\n';
	const width = Math.max(...trees.map(({ path }) => path.length));
	for (const tree of trees) {
		if (options.has('porcelain')) git.out([...porcelain(tree), '', ''].join(end).slice(0, -1) + end);
		else {
			const id = repository.objects.abbreviate(tree.head ?? '0'.repeat(40));
			const state = tree.branch === null ? '(detached HEAD)' : `[${tree.branch.replace('refs/heads/', '')}]`;
			const notes = `${tree.locked === null ? '' : ' locked'}${tree.isGone ? ' prunable' : ''}`;
			git.out(`${tree.path.padEnd(width)}  ${tree.isBare ? '(bare)' : `${id} ${state}`}${notes}\n`);
		}
	}
	return 0;
}

const porcelain = (tree: LinkedTree): string[] => [
	`worktree ${tree.path}`,
	...(tree.isBare
		? ['bare']
		: [`HEAD ${tree.head ?? '0'.repeat(40)}`, tree.branch ? `branch ${tree.branch}` : 'detached']),
	...(tree.locked === null ? [] : [`locked${tree.locked === '' ? '' : ` ${tree.locked}`}`]),
	...(tree.isGone ? ['prunable gitdir file points to non-existent location'] : [])
];

/** @throws GitError where no working tree is there, or where it is the main one */
function named(git: Invocation, text: string | undefined, usage: string): LinkedTree {
	if (text === undefined) throw new GitError(`usage: git worktree ${usage}`, 129);
	const path = absolute(text, git.cwd);
	const [main, ...others] = linkedTrees(git.repository);
	if (main?.path === path) throw fatal(`'${text}' is a main working tree`);
	const found = others.find((tree) => tree.path === path) ?? others.find((tree) => tree.path.endsWith(`/${text}`));
	if (!found) throw fatal(`'${text}' is not a working tree`);
	return found;
}

function remove(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree remove [-f] <worktree>', args, { force: '-f --force' });
	const [given] = options.operands;
	const tree = named(git, given, 'remove [-f] <worktree>');
	const { files } = git.repository;
	if (tree.locked !== null && options.all('force').length < 2)
		throw fatal(
			`cannot remove a locked working tree${tree.locked === '' ? '' : `, lock reason: ${tree.locked}`}\n` +
				"use 'remove -f -f' to override or unlock first"
		);
	if (!tree.isGone && !options.has('force')) {
		const surroundings = { ...git.surroundings, env: withoutPlace(git.env), cwd: tree.path };
		const repository = new Repository(surroundings, tree.path, tree.gitDir, { commonDir: git.repository.commonDir });
		const status = computeStatus(repository);
		if (status.staged.length + status.unstaged.length + status.untracked.length > 0)
			throw fatal(`'${given}' contains modified or untracked files, use --force to delete it`);
	}
	files.remove(tree.path, { recursive: true, force: true });
	forget(git, tree);
	return 0;
}

/** Takes out what the repository keeps of a working tree. */
function forget({ repository: { files, commonDir } }: Invocation, tree: LinkedTree): void {
	files.remove(tree.gitDir, { recursive: true });
	if (files.readdir(`${commonDir}/worktrees`).length === 0) files.rmdir(`${commonDir}/worktrees`);
}

function prune(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree prune [-n] [-v] [--expire <expire>]', args, {
		dryRun: '-n --dry-run',
		verbose: '-v --verbose',
		expire: '--expire ='
	});
	for (const tree of linkedTrees(git.repository).slice(1)) {
		if (!tree.isGone || tree.locked !== null) continue;
		if (options.has('dryRun') || options.has('verbose'))
			git.err(`Removing worktrees/${basename(tree.gitDir)}: gitdir file points to non-existent location\n`);
		if (!options.has('dryRun')) forget(git, tree);
	}
	return 0;
}

function lock(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree lock [--reason <string>] <worktree>', args, { reason: '--reason =' });
	const [given] = options.operands;
	const tree = named(git, given, 'lock [--reason <string>] <worktree>');
	if (tree.locked !== null)
		throw fatal(`'${given}' is already locked${tree.locked === '' ? '' : `, reason: ${tree.locked}`}`);
	git.repository.files.writeFile(`${tree.gitDir}/locked`, encode(options.get('reason') ?? ''));
	return 0;
}

function unlock(git: Invocation, [given]: string[]): number {
	const tree = named(git, given, 'unlock <worktree>');
	if (tree.locked === null) throw fatal(`'${given}' is not locked`);
	git.repository.files.unlink(`${tree.gitDir}/locked`);
	return 0;
}

function move(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree move [-f] <worktree> <new-path>', args, { force: '-f --force' });
	const [given, target] = options.operands;
	const tree = named(git, given, 'move <worktree> <new-path>');
	if (target === undefined) throw new GitError('usage: git worktree move <worktree> <new-path>', 129);
	const { files } = git.repository;
	const to = absolute(target, git.cwd);
	const path = files.statOrNull(to)?.kind === 'directory' ? `${to}/${basename(tree.path)}` : to;
	if (files.statOrNull(path)) throw fatal(`target '${path}' already exists`);
	if (tree.locked !== null && options.all('force').length < 2) throw fatal('cannot move a locked working tree');
	if (!files.statOrNull(dirname(path)))
		throw fatal(`failed to move '${tree.path}' to '${path}': No such file or directory`);
	files.rename(tree.path, path);
	files.writeFile(`${tree.gitDir}/gitdir`, encode(`${path}/.git\n`));
	return 0;
}
