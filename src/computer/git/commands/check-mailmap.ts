import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { mailmapOf } from '../history/mailmap.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';

/** `git check-mailmap`: prints the canonical names and addresses of people. */
export const checkMailmap: Command = (git, args) => {
	const options = parseOptions('check-mailmap [<options>] <contact>...', args, { stdin: '--stdin' });
	if (options.operands.length === 0 && !options.has('stdin')) throw fatal('no contacts specified');
	const mailmap = mailmapOf(git.repository);
	const lines = options.has('stdin') ? decode(git.input()).replace(/\n$/, '').split('\n') : [];
	for (const contact of [...options.operands, ...lines]) {
		const [, given = '', address] = /^\s*([^<]*?)\s*<([^>]*)>/.exec(contact) ?? [];
		if (address === undefined) throw fatal(`unable to parse contact: ${contact}`);
		const { name, email } = mailmap.mapped({ name: given, email: address });
		git.out(`${name === '' ? '' : `${name} `}<${email}>\n`);
	}
	return 0;
};
