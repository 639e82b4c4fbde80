import { failure, GitError } from '../errors.ts';
import { hookCode } from '../hooks.ts';
import type { Command } from '../invocation.ts';
import { parseOptions, UsageAsked } from '../options.ts';

const USAGE = 'hook run [--ignore-missing] <hook-name> [-- <hook-args>]';

/** `git hook run`: runs a hook of the repository. */
export const hook: Command = (git, args) => {
	const [action, ...rest] = args;
	if (action === '-h') throw new UsageAsked(`usage: git ${USAGE}\n`);
	if (action !== 'run') {
		const fault = action === undefined ? 'need a subcommand' : `unknown subcommand: \`${action}'`;
		throw new GitError(`error: ${fault}\nusage: git ${USAGE}`, 129);
	}
	const options = parseOptions(USAGE, rest, { ignoresMissing: '--ignore-missing' });
	const [name, ...more] = options.operands;
	// Arguments of the hook follow `--`.
	if (name === undefined || more.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const code = hookCode(git, name, options.paths ?? []);
	if (code !== null) return code;
	if (options.has('ignoresMissing')) return 0;
	throw failure(`cannot find a hook named ${name}`);
};
