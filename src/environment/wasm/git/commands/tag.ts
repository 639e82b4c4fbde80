import { encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { serializeSignature } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { resolveRevision } from '../refs/revision.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

export const tag: Command = (git, args) => {
	const options = parseOptions('tag [-a | -f] [-m <msg>] <tagname> [<commit>]', args, {
		annotate: '-a --annotate',
		message: '-m --message =',
		delete: '-d --delete',
		force: '-f --force',
		list: '-l --list'
	});
	const { repository } = git;
	const { refs } = repository;
	const { operands } = options;
	if (options.has('delete')) {
		let code = 0;
		for (const name of operands) {
			const id = refs.resolve(`refs/tags/${name}`);
			if (id === null) {
				git.err(`error: tag '${name}' not found.\n`);
				code = 1;
				continue;
			}
			refs.delete(`refs/tags/${name}`);
			git.out(`Deleted tag '${name}' (was ${repository.objects.abbreviate(id)})\n`);
		}
		return code;
	}
	const [name, target = 'HEAD'] = operands;
	if (options.has('list') || name === undefined) {
		const patterns = operands.map((pattern) => wildmatch(pattern, true));
		for (const ref of refs.list('refs/tags/')) {
			const short = ref.name.slice(10);
			if (patterns.length === 0 || patterns.some((pattern) => pattern.test(short))) git.out(`${short}\n`);
		}
		return 0;
	}
	if (/(^|\/)\.|\.\.|[\x00-\x20~^:?*[\\\x7f]|@\{|^-|\/$|\.lock$/.test(name))
		throw fatal(`'${name}' is not a valid tag name.`);
	const before = refs.resolve(`refs/tags/${name}`);
	if (before !== null && !options.has('force')) throw fatal(`tag '${name}' already exists`);
	let id = resolveRevision(repository, target);
	const messages = options.all('message');
	if (options.has('annotate') && messages.length === 0)
		throw fatal('there is no editor here; give the message with -m "..."');
	if (messages.length > 0) {
		const type = repository.objects.find(id)?.type ?? 'commit';
		const who = serializeSignature(repository.committer());
		const text = `object ${id}\ntype ${type}\ntag ${name}\ntagger ${who}\n\n${cleanMessage(messages.join('\n\n'))}`;
		id = repository.objects.write('tag', encode(text));
	}
	refs.note(`refs/tags/${name}`, id);
	if (before !== null && before !== id)
		git.out(`Updated tag '${name}' (was ${repository.objects.abbreviate(before)})\n`);
	return 0;
};
