import { SyscallError } from '#computer/abi/client.ts';
import type { Program } from '#computer/process/program.ts';
import { baseline } from './baseline/baseline.ts';
import { commands } from './commands/table.ts';
import { commonCommands, listCommands, showHelp } from './commands/help.ts';
import { readGlobalOptions } from './global-options.ts';
import { absolute } from '#computer/abi/paths.ts';
import { runChild } from './child.ts';
import { isExecutable } from './hooks.ts';
import { openConfig } from './commands/config.ts';
import { fatal, GitError } from './errors.ts';
import { UsageAsked } from './options.ts';
import { shellWords } from './shell-words.ts';
import { Invocation } from './invocation.ts';
import { escapeLetters } from './quote-path.ts';
import { VERSION } from './version.ts';

/** `git`, `git-baseline` and commands under their own names: parses the global options and runs one command. */
export const runGit: Program = async (context) => {
	const args = context.argv.slice(1);
	const name = context.argv[0]?.split('/').at(-1);
	escapeLetters(true);
	let git = new Invocation(context, context.cwd, []);
	try {
		if (name === 'git-baseline') return finish(git, baseline(git, args));
		if (name?.startsWith('git-')) args.unshift(name.slice('git-'.length));
		const isDirectory = (path: string) => context.sync.statOrNull(path)?.kind === 'directory';
		const options = readGlobalOptions(args, context, isDirectory);
		git = new Invocation(context, options.cwd, options.overrides, options.env, options.bare);
		if (options.answer !== null) {
			git.out(options.answer);
			return finish(git, 0);
		}
		if (options.listed !== null) {
			git.out(listCommands(git, options.listed));
			return finish(git, 0);
		}
		if (options.command !== null) args.unshift(options.command);
		const word = args.shift();
		if (word === undefined) {
			git.out(commonCommands());
			return finish(git, 1);
		}
		if (word === 'version') return finish(git, version(git, args));
		return finish(git, await runCommand(git, word, args));
	} catch (error) {
		return report(git, error);
	}
};

/** Runs a git command or a configured `alias.`. @throws GitError if there is none with that name */
async function runCommand(
	git: Invocation,
	word: string,
	args: string[],
	seen: readonly string[] = []
): Promise<number> {
	if (word === 'help') return showHelp(git, args);
	const command = commands[word];
	if (command) {
		if (READS_AS_STORED.has(word)) git.ignoreReplacements();
		if (NEEDS_WORKTREE.has(word) && !args.includes('-h')) requireWorktree(git);
		return command(git, args);
	}
	const external = externalCommand(git, word);
	if (external !== null) return runExternal(git, external, args);
	const alias = aliasOf(git, word);
	if (alias === undefined) {
		throw new GitError(`git: '${word}' is not a git command. See 'git --help'.${similarTo(word)}`, 1);
	}
	if (alias.startsWith('!')) {
		const root = repositoryRoot(git) ?? git.cwd;
		return runChild(git, `${alias.slice(1)} "$@"`, args, { cwd: root });
	}
	if (seen.includes(word)) throw fatal(`alias loop detected: expansion of '${word}' does not terminate`);
	const words = shellWords(alias);
	if (words[0]?.startsWith('-')) return runAliasWithOptions(git, words, args, [...seen, word]);
	const [first = '', ...more] = words;
	return runCommand(git, first, [...more, ...args], [...seen, word]);
}

/** Runs an alias that starts with global options: `-c key=value log`. */
async function runAliasWithOptions(
	git: Invocation,
	words: string[],
	args: string[],
	seen: readonly string[]
): Promise<number> {
	const { files, overrides } = git.surroundings;
	const options = readGlobalOptions(words, git, (path) => files.statOrNull(path)?.kind === 'directory');
	const settings = [...overrides, ...options.overrides];
	const inner = new Invocation(git.context, options.cwd, settings, options.env, options.bare);
	const code = await runCommand(inner, words.shift() ?? '', [...words, ...args], seen);
	return finish(inner, code);
}

/** Finds the program `git-<word>` in PATH; null if there is none. */
function externalCommand({ env, context, cwd }: Invocation, word: string): string | null {
	if (word.includes('/') || word === '') return null;
	for (const directory of (env['PATH'] ?? '').split(':')) {
		const path = absolute(`${directory === '' ? '.' : directory}/git-${word}`, cwd);
		const stat = context.sync.statOrNull(path);
		if (stat?.kind === 'file' && isExecutable(stat)) return path;
	}
	return null;
}

function runExternal(git: Invocation, path: string, args: readonly string[]): number {
	git.flush();
	const { sync } = git.context;
	return sync.waitPid(sync.spawn({ argv: [path, ...args], cwd: git.cwd, env: git.env })).code;
}

function aliasOf(git: Invocation, word: string): string | undefined {
	return openConfig(git, false).get(`alias.${word}`);
}

function repositoryRoot(git: Invocation): string | null {
	try {
		return git.repository.root;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		return null;
	}
}

/** Suggests commands with similar names. */
function similarTo(word: string): string {
	const near = Object.keys(commands).filter((name) => name.startsWith(word) || distance(word, name) <= 2);
	const best = Math.min(...near.map((name) => distance(word, name)));
	const names = near.filter((name) => distance(word, name) === best).sort();
	if (names.length === 0 || word.length < 3) return '';
	return `\n\nThe most similar command${names.length === 1 ? ' is' : 's are'}\n${names.map((name) => `\t${name}`).join('\n')}`;
}

/** Edit distance: number of characters to insert, delete, replace or swap. */
function distance(from: string, to: string): number {
	const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
	for (let i = 1; i <= from.length; i++) {
		const row = [i];
		for (let j = 1; j <= to.length; j++) {
			const same = from[i - 1] === to[j - 1];
			let least = Math.min(
				(rows[i - 1]?.[j] ?? 0) + 1,
				(row[j - 1] ?? 0) + 1,
				(rows[i - 1]?.[j - 1] ?? 0) + (same ? 0 : 1)
			);
			if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
				least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
			}
			row.push(least);
		}
		rows.push(row);
	}
	return rows.at(-1)?.at(-1) ?? 0;
}

function finish(git: Invocation, code: number): number {
	git.flush();
	return code;
}

/** Reports why a run failed and returns its exit code. Rethrows unexpected errors. */
function report(git: Invocation, error: unknown): number {
	if (error instanceof SyscallError && error.code === 'EPIPE') return 141;
	if (error instanceof UsageAsked) {
		git.out(error.message);
		return finish(git, 129);
	}
	if (error instanceof GitError) {
		git.err(error.message === '' ? '' : `${error.message}\n`);
		return error.code;
	}
	if (error instanceof SyscallError) {
		git.err(`fatal: ${error.path === undefined ? '' : `${error.path}: `}${error.message}\n`);
		return 128;
	}
	if (error instanceof RangeError) {
		git.err(`fatal: the repository is damaged: ${error.message}\n`);
		return 128;
	}
	throw error;
}

function version(git: Invocation, args: readonly string[]): number {
	git.out(`git version ${VERSION}.sandglass\n`);
	if (args.includes('--build-options'))
		git.out(
			'cpu: wasm32\nno commit associated with this build\nsizeof-long: 8\nsizeof-size_t: 8\nshell-path: /bin/sh\n'
		);
	return 0;
}

/** Commands that copy or check objects, and so must not read a replaced object as another one. */
const READS_AS_STORED = new Set(
	`bundle commit-graph fetch-pack fsck gc index-pack maintenance pack-objects prune prune-packed receive-pack repack
	replace unpack-objects upload-pack verify-pack`.split(/\s+/)
);

/** Commands that change or compare files of the working tree. */
const NEEDS_WORKTREE = new Set(
	`add am checkout cherry-pick clean commit mv merge pull rebase restore revert rm stash status switch submodule
	diff-files checkout-index check-ignore`.split(/\s+/)
);

function requireWorktree({ repository }: Invocation): void {
	if (!repository.isBare) return;
	if (repository.config.flag('core.bare', false) && repository.config.get('core.worktree') !== undefined)
		throw fatal('unable to set up work tree using invalid config');
	throw fatal('this operation must be run in a work tree');
}
