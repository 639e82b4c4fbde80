import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'get-tar-commit-id';
const HEADER_BYTES = 1024;
const BLOCK = 512;

/** `git get-tar-commit-id`: prints the commit that the tar archive on stdin was made from. */
export const getTarCommitId: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {});
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const bytes = git.input();
	if (bytes.length < HEADER_BYTES) throw fatal('git get-tar-commit-id: EOF before reading tar header');
	// Only a global pax header contains the id.
	if (String.fromCharCode(bytes[156] ?? 0) !== 'g') return 1;
	const id = /^52 comment=([0-9a-f]{40})\n/.exec(decode(bytes.subarray(BLOCK, BLOCK + 53)))?.[1];
	if (id === undefined) return 1;
	git.out(`${id}\n`);
	return 0;
};
