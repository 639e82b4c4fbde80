import { decode } from '../bytes.ts';
import { cleanMessage } from '../history/commit-message.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';

/** `git stripspace`: cleans up a text like a commit message. */
export const stripspace: Command = (git, args) => {
	const options = parseOptions(
		'stripspace [-s | --strip-comments]\n   or: git stripspace [-c | --comment-lines]',
		args,
		{
			comments: '-s --strip-comments',
			commentOut: '-c --comment-lines'
		}
	);
	const text = decode(git.input());
	if (!options.has('commentOut')) {
		git.out(cleanMessage(text, options.has('comments')));
		return 0;
	}
	const lines = text.replace(/\n$/, '').split('\n');
	if (text !== '')
		git.out(lines.map((line) => `#${line === '' || line.startsWith('\t') ? '' : ' '}${line}\n`).join(''));
	return 0;
};
