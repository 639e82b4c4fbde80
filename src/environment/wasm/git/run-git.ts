import { absolute } from '../paths.ts';
import { SyscallError } from '../process/client.ts';
import type { Program } from '../process/program.ts';
import { baseline } from './baseline/baseline.ts';
import { commands } from './commands/table.ts';
import { normalizeKey, type Setting } from './config/config-file.ts';
import { GitError } from './errors.ts';
import { Invocation } from './invocation.ts';
import { escapeLetters } from './quote-path.ts';
import { VERSION } from './version.ts';

const USAGE =
	'usage: git [-v | --version] [-h | --help] [-C <path>] [-c <name>=<value>]\n' +
	'           [-p | --paginate | -P | --no-pager] <command> [<args>]';

/** `git` and `git-baseline`: reads the global options, runs one command. */
export const runGit: Program = async (context) => {
	const args = context.argv.slice(1);
	const name = context.argv[0]?.split('/').at(-1);
	const overrides: Setting[] = [];
	escapeLetters(true);
	let cwd = context.cwd;
	let git = new Invocation(context, cwd, overrides);
	try {
		if (name === 'git-baseline') return finish(git, baseline(git, args));
		while (args[0]?.startsWith('-')) {
			const option = args.shift()!;
			if (option === '--version' || option === '-v') return finish(git, version(git));
			if (option === '--help' || option === '-h') return finish(git, help(git));
			if (option === '-C') {
				cwd = absolute(needed(args, '-C'), cwd);
				if (context.sync.statOrNull(cwd)?.kind !== 'directory') {
					throw new GitError(`fatal: cannot change to '${cwd}': No such file or directory`, 128);
				}
			} else if (option === '-c') {
				const [, key = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(needed(args, '-c')) ?? [];
				overrides.push({ key: normalizeKey(key), value: value ?? 'true' });
			} else if (
				![
					'--no-pager',
					'-P',
					'-p',
					'--paginate',
					'--no-optional-locks',
					'--literal-pathspecs',
					'--no-replace-objects'
				].includes(option)
			) {
				throw new GitError(`unknown option: ${option}\n${USAGE}`, 129);
			}
		}
		git = new Invocation(context, cwd, overrides);
		const word = args.shift();
		if (word === undefined) {
			help(git);
			return finish(git, 1);
		}
		if (word === 'help') return finish(git, help(git));
		if (word === 'version') return finish(git, version(git));
		const command = commands[word];
		if (!command) throw new GitError(`git: '${word}' is not a git command. See 'git --help'.`, 1);
		return finish(git, await command(git, args));
	} catch (error) {
		return report(git, error);
	}
};

function finish(git: Invocation, code: number): number {
	git.flush();
	return code;
}

/** The exit code of a run that failed, after saying why. Anything unexpected goes on up. */
function report(git: Invocation, error: unknown): number {
	if (error instanceof SyscallError && error.code === 'EPIPE') return 141;
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

function needed(args: string[], option: string): string {
	const value = args.shift();
	if (value === undefined)
		throw new GitError(`No ${option === '-C' ? 'directory' : 'config key=value'} given for ${option}.`, 129);
	return value;
}

function version(git: Invocation): number {
	git.out(`git version ${VERSION}.sandglass\n`);
	return 0;
}

function help(git: Invocation): number {
	git.out(`${USAGE}\n\nCommands of the sandbox's git:\n   ${Object.keys(commands).sort().join(' ')}\n`);
	return 0;
}
