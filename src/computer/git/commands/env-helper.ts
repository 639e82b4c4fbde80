import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { booleanOf } from '../config/values.ts';

/** `git env--helper`: parses an environment variable by git's rules, for scripts. */
export const envHelper: Command = (git, args) => {
	const options = parseOptions('env--helper --type=[bool|ulong] <options> <env-var>', args, {
		type: '--type =',
		default: '--default =',
		exitCode: '--exit-code'
	});
	const [name] = options.operands;
	if (name === undefined || !options.has('type'))
		throw new GitError('usage: git env--helper --type=[bool|ulong] <options> <env-var>', 129);
	const fallback = options.get('default');
	const text = git.env[name] ?? fallback ?? '';
	const value = booleanOf(text);
	if (value === null) throw new GitError(`fatal: bad boolean environment value '${text}' for '${name}'`, 128);
	if (!options.has('exitCode')) git.out(`${value}\n`);
	return value ? 0 : 1;
};
