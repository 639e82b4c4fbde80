import { shellWord } from '#environment/shell-word.ts';
import { fatal } from '../errors.ts';
import { runChild } from '../child.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { openConfig } from './config.ts';

const USAGE = 'for-each-repo --config=<config> [--] <arguments>';

/** `git for-each-repo`: runs a git command in each repository listed in a setting. */
export const forEachRepo: Command = (git, args) => {
	const first = args.findIndex((arg, i) => !arg.startsWith('-') && args[i - 1] !== '--config');
	const options = parseOptions(USAGE, first < 0 ? args : args.slice(0, first), { config: '--config =' });
	const key = options.get('config');
	if (key === undefined) throw fatal('missing --config=<config>');
	const home = git.env['HOME'] ?? '/home/user';
	const command = first < 0 ? [] : args.slice(first);
	let code = 0;
	for (const path of openConfig(git, false).values(key)) {
		const place = path.replace(/^~(?=\/|$)/, home);
		const result = runChild(git, `git -C ${shellWord(place)} "$@"`, command, { cwd: git.cwd });
		if (result !== 0) code = result;
	}
	return code;
};
