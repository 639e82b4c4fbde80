import { absolute, basename, dirname } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { withoutPlace } from '../discover.ts';
import { fatal, GitError } from '../errors.ts';
import { runHook } from '../hooks.ts';
import { Invocation, type Command } from '../invocation.ts';
import { expiryMs } from '../history/filter.ts';
import { subjectOf } from '../objects/commit.ts';
import { type Options, parseOptions } from '../options.ts';
import { NULL_ID } from '../objects/object.ts';
import { missingAsNull } from '../objects/store.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';
import { remoteBranch } from '../refs/remote-branch.ts';
import { tracksBy } from '../refs/track-branch.ts';
import { Repository } from '../repository.ts';
import { checkOutFirst } from '../worktree/first-checkout.ts';
import { type LinkedTree, linkedTrees, refuseTaken } from '../worktree/linked.ts';
import { staleTrees } from '../worktree/prune-linked.ts';
import { repairGitfiles, repairRegistration } from '../worktree/repair-linked.ts';
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
	track: '--track ?',
	noTrack: '--no-track',
	guess: '--guess-remote',
	noGuess: '--no-guess-remote'
};

/** `git worktree`: manages linked worktrees of a repository. */
export const worktree: Command = (git, args) => {
	const [action, ...rest] = args;
	const run = action === undefined ? undefined : ACTIONS[action];
	if (!run)
		throw new GitError(
			`usage: git ${USAGE}\n   or: git worktree (list | lock | move | prune | remove | repair | unlock)`,
			129
		);
	return run(git, rest);
};

const ACTIONS: Record<string, Command> = { add, list, lock, move, prune, remove, repair, unlock };

function add(git: Invocation, args: string[]): number {
	const options = parseOptions(USAGE, args, ADD_OPTIONS);
	const { repository } = git;
	const { files } = repository;
	const [given, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (given === undefined || more.length > 1) throw new GitError(`usage: git ${USAGE}`, 129);
	checkOptions(options);
	const path = absolute(given, git.cwd);
	freePath(git, given, path, options.all('force').length);
	const there = files.statOrNull(path);
	if (there && (there.kind !== 'directory' || files.readdir(path).length > 0)) throw fatal(`'${given}' already exists`);
	const start = more[0] === '-' ? (repository.previousBranch(1) ?? '-') : (more[0] ?? 'HEAD');
	const branch = branchOf(git, options, start, more.length > 0 ? null : basename(path));
	const id = resolveCommit(repository, branch === null ? start : `refs/heads/${branch}`);
	if (!options.has('quiet') && branch === null)
		git.err(`Preparing worktree (detached HEAD ${repository.objects.abbreviate(id)})\n`);
	const made = createTree(git, path, branch === null ? `${id}` : `ref: refs/heads/${branch}`);
	const reason = options.get('reason') ?? 'added with --lock';
	if (options.has('lock')) files.writeFile(`${made.gitDir}/locked`, encode(`${reason}\n`));
	made.refs.log('HEAD', NULL_ID, id, '');
	if (options.has('noCheckout')) return 0;
	checkOutFirst(made, made.commit(id).tree);
	made.index.save();
	const { overrides } = git.surroundings;
	const inside = new Invocation(git.context, path, overrides, withoutPlace(git.env));
	if (!options.has('quiet'))
		git.out(`HEAD is now at ${repository.objects.abbreviate(id)} ${subjectOf(made.commit(id).message)}\n`);
	runHook(inside, 'post-checkout', [NULL_ID, id, '1']);
	return 0;
}

/** @throws GitError for options that exclude each other */
function checkOptions(options: Options<keyof typeof ADD_OPTIONS>): void {
	if ((['branch', 'reset', 'detach'] as const).filter((name) => options.has(name)).length > 1)
		throw fatal("options '-b', '-B', and '--detach' cannot be used together");
	if (options.has('reason') && !options.has('lock')) throw fatal("the option '--reason' requires '--lock'");
}

/** Removes the registration of a missing worktree at the path. @throws GitError if there is one, unless forced */
function freePath(git: Invocation, given: string, path: string, forces: number): void {
	const old = linkedTrees(git.repository)
		.slice(1)
		.find((tree) => tree.path === path && tree.isGone);
	if (!old) return;
	if (old.locked !== null && forces < 2)
		throw fatal(
			`'${given}' is a missing but locked worktree;\nuse 'add -f -f' to override, or 'unlock' and 'prune' or 'remove' to clear`
		);
	if (forces < 1)
		throw fatal(
			`'${given}' is a missing but already registered worktree;\nuse 'add -f' to override, or 'prune' or 'remove' to clear`
		);
	forget(git, old);
}

/**
 * Returns the branch for the new worktree, created if necessary; null for a detached HEAD.
 *
 * @param usual name of the branch if no commit is named
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
	const tracks = tracksBy(options);
	if (options.has('track') && made === undefined) throw fatal("the option '--track' requires '-b' or '-B'");
	const guessed = guessedStart(git, options, start, { made, usual });
	if (guessed !== null) {
		say(`new branch '${guessed.name}'`);
		createBranch(git, guessed.name, guessed.start, { quiet: options.has('quiet'), tracks });
		return guessed.name;
	}
	if (made !== undefined || (usual !== null && !exists(usual) && !options.has('detach'))) {
		const name = made ?? usual ?? '';
		const isReset = options.has('reset') && exists(name);
		if (isReset && !options.has('force')) refuseAnyTaken(repository, name);
		say(isReset ? `resetting branch '${name}'` : `new branch '${name}'`);
		createBranch(git, name, start, { force: options.has('reset'), quiet: options.has('quiet'), tracks });
		return name;
	}
	const name = usual ?? start.replace(/^refs\/heads\//, '');
	if (options.has('detach') || !exists(name)) return null;
	if (!options.has('force')) refuseAnyTaken(repository, name);
	say(`checking out '${name}'`);
	return name;
}

/** Branch of the only remote that has one of this name; null if none is found or guessing is disabled. */
function guessedStart(
	git: Invocation,
	options: Options<keyof typeof ADD_OPTIONS>,
	start: string,
	{ made, usual }: { made: string | undefined; usual: string | null }
): { name: string; start: string } | null {
	const { repository } = git;
	if (made !== undefined || options.has('detach')) return null;
	const guesses =
		!options.has('noGuess') && (options.has('guess') || repository.config.flag('worktree.guessremote', false));
	const name = usual ?? start;
	if (repository.refs.resolve(`refs/heads/${name}`) !== null) return null;
	if (usual === null ? findRevision(repository, name) !== null : !guesses) return null;
	const found = remoteBranch(repository, name);
	return found === null ? null : { name, start: found };
}

/** @throws GitError if any worktree, including this one, has the branch checked out */
function refuseAnyTaken(repository: Repository, name: string): void {
	if (!repository.isBare && repository.refs.currentBranch() === name)
		throw fatal(`'${name}' is already checked out at '${repository.root}'`);
	refuseTaken(repository, name);
}

/** Name of a worktree's git directory: the last part of its path, sanitized to be valid as a ref name. */
const treeName = (name: string): string =>
	name
		.replace(/[\u0000- \u007f~^:?*[\\]/g, '-')
		.replace(/^\./, '-')
		.replace(/\.\.+/g, '.')
		.replace(/@\{/g, '@-')
		.replace(/(?:\.lock)+$/, '') || 'worktree';

/** Creates the worktree's directory and its git directory, which refer to each other. @param head content of HEAD */
function createTree(git: Invocation, path: string, head: string): Repository {
	const { repository } = git;
	const { files, commonDir } = repository;
	const taken = (name: string) => files.statOrNull(`${commonDir}/worktrees/${name}`) !== null;
	const wanted = treeName(basename(path));
	let id = wanted;
	for (let count = 1; taken(id); count++) id = `${wanted}${count}`;
	const gitDir = `${commonDir}/worktrees/${id}`;
	files.mkdir(gitDir, { recursive: true });
	files.mkdir(path, { recursive: true });
	files.writeFile(`${gitDir}/gitdir`, encode(`${path}/.git\n`));
	files.writeFile(`${gitDir}/commondir`, encode('../..\n'));
	files.writeFile(`${gitDir}/HEAD`, encode(`${head}\n`));
	files.writeFile(`${path}/.git`, encode(`gitdir: ${gitDir}\n`));
	copyTreeSettings(repository, gitDir);
	const surroundings = { ...git.surroundings, env: withoutPlace(git.env), cwd: path };
	return new Repository(surroundings, path, gitDir, { commonDir });
}

/** Copies the settings of this worktree to a new one: its sparse checkout, but not its place. */
function copyTreeSettings({ files, config, sparse, gitDir: from }: Repository, to: string): void {
	const patterns = sparse.text();
	if (patterns !== null) {
		files.mkdir(`${to}/info`, { recursive: true });
		files.writeFile(`${to}/info/sparse-checkout`, encode(patterns));
	}
	const own = config.flag('extensions.worktreeconfig', false)
		? missingAsNull(() => files.readFile(`${from}/config.worktree`))
		: null;
	if (!own) return;
	files.writeFile(`${to}/config.worktree`, own);
	for (const key of ['core.bare', 'core.worktree']) config.set(`${to}/config.worktree`, key, null);
}

function list(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree list [-v | --porcelain [-z]]', args, {
		porcelain: '--porcelain',
		verbose: '-v --verbose',
		nul: '-z'
	});
	const { repository } = git;
	if (options.has('verbose') && options.has('porcelain'))
		throw fatal("options '--verbose' and '--porcelain' cannot be used together");
	if (options.has('nul') && !options.has('porcelain')) throw fatal("the option '-z' requires '--porcelain'");
	const trees = linkedTrees(repository);
	const end = options.has('nul') ? '\0' : '\n';
	const width = Math.max(...trees.map(({ path }) => path.length));
	for (const tree of trees) {
		if (options.has('porcelain'))
			git.out([...porcelain(tree, options.has('nul')), '', ''].join(end).slice(0, -1) + end);
		else {
			const id = repository.objects.abbreviate(tree.head ?? '0'.repeat(40));
			const state = tree.branch === null ? '(detached HEAD)' : `[${tree.branch.replace('refs/heads/', '')}]`;
			git.out(`${tree.path.padEnd(width)}  ${tree.isBare ? '(bare)' : `${id} ${state}`}`);
			git.out(`${notesOf(tree, options.has('verbose'))}\n`);
		}
	}
	return 0;
}

const GONE = 'gitdir file points to non-existent location';

/** Annotations of a worktree in a list. @param verbose whether reasons are included, on separate lines */
function notesOf({ locked, isGone }: LinkedTree, verbose: boolean): string {
	const lock = locked === null ? '' : verbose && locked !== '' ? `\n\tlocked: ${locked}` : ' locked';
	return lock + (!isGone || locked !== null ? '' : verbose ? `\n\tprunable: ${GONE}` : ' prunable');
}

const porcelain = (tree: LinkedTree, isPlain: boolean): string[] => [
	`worktree ${tree.path}`,
	...(tree.isBare
		? ['bare']
		: [`HEAD ${tree.head ?? '0'.repeat(40)}`, tree.branch ? `branch ${tree.branch}` : 'detached']),
	...(tree.locked === null
		? []
		: [`locked${tree.locked === '' ? '' : ` ${isPlain ? tree.locked : quotePath(tree.locked)}`}`]),
	...(tree.isGone && tree.locked === null ? [`prunable ${GONE}`] : [])
];

/** @throws GitError if the path is not a worktree, or is the main worktree */
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

/** Removes a worktree's git directory from the repository. */
function forget(git: Invocation, tree: LinkedTree): void {
	git.repository.files.remove(tree.gitDir, { recursive: true });
	dropEmptyFolder(git);
}

/** Removes the folder of the worktrees' git directories if there is none left. */
function dropEmptyFolder({ repository: { files, commonDir } }: Invocation): void {
	const folder = `${commonDir}/worktrees`;
	if (files.statOrNull(folder)?.kind === 'directory' && files.readdir(folder).length === 0) files.rmdir(folder);
}

const PRUNE_USAGE = 'worktree prune [-n] [-v] [--expire <expire>]';

function prune(git: Invocation, args: string[]): number {
	const options = parseOptions(PRUNE_USAGE, args, {
		dryRun: '-n --dry-run',
		verbose: '-v --verbose',
		expire: '--expire ='
	});
	if (options.operands.length > 0 || options.paths?.length) throw new GitError(`usage: git ${PRUNE_USAGE}`, 129);
	const { repository } = git;
	const { files, commonDir } = repository;
	const expire = options.get('expire');
	const before = expire === undefined ? Infinity : expiryMs(expire, files.now());
	for (const { id, why } of staleTrees(repository, before)) {
		if (options.has('dryRun') || options.has('verbose')) git.err(`Removing worktrees/${id}: ${why}\n`);
		if (!options.has('dryRun')) files.remove(`${commonDir}/worktrees/${id}`, { recursive: true });
	}
	if (!options.has('dryRun')) dropEmptyFolder(git);
	return 0;
}

function repair(git: Invocation, args: string[]): number {
	const options = parseOptions('worktree repair [<path>...]', args, {});
	const given = [...options.operands, ...(options.paths ?? [])];
	const { repository } = git;
	const paths = given.length > 0 ? given : ['.'];
	const repairs = [
		...paths.flatMap((path) => repairRegistration(repository, path, git.cwd) ?? []),
		...repairGitfiles(repository)
	];
	for (const { isDone, problem, path } of repairs) git.err(`${isDone ? 'repair' : 'error'}: ${problem}: ${path}\n`);
	return repairs.every(({ isDone }) => isDone) ? 0 : 1;
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
