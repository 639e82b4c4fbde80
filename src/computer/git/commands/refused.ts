import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';

/** Commands of git that are missing in the sandbox, with alternatives. */
const REASONS: Record<string, string> = {
	lfs: 'Git LFS is not here: files that it keeps elsewhere are pointers of three lines, and stay such',
	'filter-repo': 'there is no such program here. Use git filter-branch',
	difftool: 'there is no such program here. Use git diff',
	mergetool: 'there is no such program here. Edit the files between the markers, then git add them',
	'send-email': 'nothing can be mailed from here. Push to a remote',
	svn: 'only git servers can be reached from here, over http:// and https://',
	daemon: 'no program here can be reached from outside'
};

export const refused: Record<string, Command> = Object.fromEntries(
	Object.entries(REASONS).map(([name, reason]): [string, Command] => [
		name,
		() => {
			throw new GitError(`git ${name}: ${reason}.`, 1);
		}
	])
);
