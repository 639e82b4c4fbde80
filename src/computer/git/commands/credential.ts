import { UsageAsked } from '../options.ts';
import { Credential } from '../credential/credential.ts';
import { fillCredential, tellHelpers } from '../credential/helpers.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';

const USAGE = 'usage: git credential (fill|approve|reject)\n';

/**
 * `git credential`: asks the helpers of the settings, and the program that asks the user, for a name and a password. The
 * tokens that the page keeps never come here.
 */
export const credential: Command = (git, args) => {
	const [action, ...more] = args;
	if (action === '-h') throw new UsageAsked(USAGE);
	if (action === undefined || more.length > 0) throw new GitError(USAGE, 129);
	const asked = Credential.read(git);
	if (!asked) throw fatal('unable to read credential from stdin');
	if (action === 'fill') {
		fillCredential(git, asked);
		git.out(asked.text());
	} else if (action === 'approve') tellHelpers(git, asked, 'store');
	else if (action === 'reject') tellHelpers(git, asked, 'erase');
	else throw new GitError(USAGE, 129);
	return 0;
};
