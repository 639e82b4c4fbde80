import { openConfig } from './config.ts';
import { GitError, fatal } from '../errors.ts';
import { USAGE as GIT_USAGE } from '../global-options.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { refused } from './refused.ts';
import { commands } from './table.ts';

const USAGE = 'help [-a | --all] [<command>]';

/** Common commands, grouped by purpose. */
const COMMON: Record<string, Record<string, string>> = {
	'start a working area': {
		clone: 'Copy a repository into a new directory',
		init: 'Make an empty repository, or set one up once more'
	},
	'work on the current change': {
		add: 'Put contents of files into the index',
		mv: 'Move or rename a file, a directory or a symbolic link',
		restore: 'Bring files of the working tree back',
		rm: 'Take files out of the working tree and the index'
	},
	'examine the history and state': {
		bisect: 'Find the commit that brought a fault, by halving',
		diff: 'Show what differs between commits, the index and the working tree',
		grep: 'Print lines that match a pattern',
		log: 'Show commits, the newest first',
		show: 'Show objects of several kinds',
		status: 'Show how the working tree stands'
	},
	'grow, mark and tweak your common history': {
		branch: 'List, make or delete branches',
		commit: 'Record what the index holds',
		merge: 'Join two or more lines of history',
		rebase: 'Put commits on top of another base',
		reset: 'Move HEAD to another state',
		switch: 'Change to another branch',
		tag: 'List, make, check or delete tags'
	},
	collaborate: {
		fetch: 'Get objects and references of another repository',
		pull: 'Fetch from another repository and integrate it',
		push: 'Send references and their objects to another repository'
	}
};

/** Sorted names of the available commands. */
const builtIn = (): string[] =>
	Object.keys(commands)
		.filter((name) => refused[name] === undefined)
		.sort();

/** Usage of git with its common commands. */
export function commonCommands(): string {
	const width =
		2 + Math.max(...Object.values(COMMON).flatMap((group) => Object.keys(group).map((name) => name.length)));
	const groups = Object.entries(COMMON).map(([title, group]) => {
		const lines = Object.entries(group).map(([name, text]) => `   ${name.padEnd(width)}${text}\n`);
		return `${title}\n${lines.join('')}\n`;
	});
	return (
		`${GIT_USAGE}\n\nThese are common Git commands used in various situations:\n\n${groups.join('')}` +
		"'git help -a' lists all commands. See 'git help <command>' for the usage of one.\n"
	);
}

/** Command names requested by `--list-cmds`, one per line. @throws GitError for an unknown kind */
export function listCommands(git: Invocation, kinds: readonly string[]): string {
	let names: string[] = [];
	for (const kind of kinds) {
		if (kind === 'builtins' || kind === 'main' || kind === 'parseopt') names.push(...builtIn());
		// Programs in `PATH` are not git commands here.
		else if (kind === 'others') continue;
		else if (kind === 'alias') names.push(...aliases(git));
		else if (kind === 'nohelpers') names = names.filter((name) => !name.includes('--'));
		else if (kind === 'list-mainporcelain') names.push(...Object.values(COMMON).flatMap((group) => Object.keys(group)));
		else throw fatal(`unsupported command listing type '${kind}'`);
	}
	return names.map((name) => `${name}\n`).join('');
}

const aliases = (git: Invocation): string[] =>
	openConfig(git, false)
		.all()
		.flatMap(({ key }) => (key.startsWith('alias.') ? [key.slice('alias.'.length)] : []))
		.sort();

/** `git help`: lists the commands, or prints the usage of one. */
export const showHelp: Command = async (git, args) => {
	const options = parseOptions(USAGE, args, { all: '-a --all' });
	const [name, ...more] = options.operands;
	if (more.length > 0 || (options.has('all') && name !== undefined))
		throw new GitError(`fatal: this option doesn't take any other arguments\nusage: git ${USAGE}`, 129);
	if (options.has('all')) {
		git.out(`See 'git help <command>' to read about a specific subcommand\n\nCommands\n`);
		git.out(
			builtIn()
				.map((one) => `   ${one}\n`)
				.join('')
		);
		return 0;
	}
	if (name === undefined) {
		git.out(commonCommands());
		return 0;
	}
	const command = commands[name];
	if (!command) throw new GitError(`No manual entry for git${/^git/.test(name) ? '' : '-'}${name}`, 16);
	return command(git, ['-h']);
};
