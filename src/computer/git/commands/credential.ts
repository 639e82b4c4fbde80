import { UsageAsked } from '../options.ts';
import { Credential } from '../credential/credential.ts';
import { fillCredential, tellHelpers } from '../credential/helpers.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';

const USAGE = 'usage: git credential (fill|approve|reject)\n';

/**
 * `git credential`: requests a user name and password from the configured helpers and the askpass program. The
 * tokens that the page stores are never passed to this command.
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
