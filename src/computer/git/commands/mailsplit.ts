import { absolute } from '#computer/abi/paths.ts';
import { binaryBytes } from '../diff/lines.ts';
import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { readMailbox } from '../mail/patch-files.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'mailsplit [-d<prec>] [-f<n>] [-b] [--keep-cr] -o<directory> [(<mbox>|<Maildir>)...]';
const misused = (): GitError => new GitError(`usage: git ${USAGE}`, 129);

/** `git mailsplit`: writes each mail of mailboxes to a numbered file. */
export const mailsplit: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		digits: '-d =',
		first: '-f =',
		bare: '-b',
		keepCr: '--keep-cr',
		directory: '-o =',
		mboxrd: '--mboxrd'
	});
	const digits = Number.parseInt(options.get('digits') ?? '4', 10);
	if (!(digits >= 3 && digits < 10)) throw misused();
	const { sync } = git.context;
	let names = [...options.operands, ...(options.paths ?? [])];
	let directory = options.get('directory');
	if (directory === undefined) {
		// The old form has the directory last, after at most one mailbox.
		if (names.length < 1 || names.length > 2) throw misused();
		directory = names.pop()!;
	}
	if (names.length === 0) names = ['-'];
	const start = Number.parseInt(options.get('first') ?? '0', 10) || 0;
	const form = { keepsCr: options.has('keepCr'), isEscaped: options.has('mboxrd') };
	let count = 0;
	for (const name of names)
		for (const mail of readMailbox(git, name, form, options.has('bare'))) {
			const number = String(start + ++count).padStart(digits, '0');
			sync.writeFile(absolute(`${directory}/${number}`, git.cwd), binaryBytes(mail));
		}
	git.out(`${count}\n`);
	return 0;
};
