import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { isAncestor } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { serializeSignature } from '../objects/commit.ts';
import { parseOptions, type Options } from '../options.ts';
import { resolveCommit, resolveRevision } from '../refs/revision.ts';
import { formatRef, sortRefs } from './refs.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

export const tag: Command = (git, args) => {
	const options = parseOptions('tag [-a | -f] [-m <msg>] <tagname> [<commit>]', args, {
		annotate: '-a --annotate',
		message: '-m --message =',
		delete: '-d --delete',
		force: '-f --force',
		list: '-l --list',
		lines: '-n ?',
		sort: '--sort =',
		format: '--format =',
		contains: '--contains =',
		pointsAt: '--points-at =',
		merged: '--merged ?',
		file: '-F --file =',
		noSign: '--no-sign',
		column: '--column --no-column ?'
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
	const asksForList = (['list', 'lines', 'contains', 'pointsAt', 'merged'] as const).some((one) => options.has(one));
	if (asksForList || name === undefined) return list(git, options);
	if (/(^|\/)\.|\.\.|[\x00-\x20~^:?*[\\\x7f]|@\{|^-|\/$|\.lock$/.test(name))
		throw fatal(`'${name}' is not a valid tag name.`);
	const before = refs.resolve(`refs/tags/${name}`);
	if (before !== null && !options.has('force')) throw fatal(`tag '${name}' already exists`);
	let id = resolveRevision(repository, target);
	const messages = options.all('message');
	const file = options.get('file');
	if (file !== undefined)
		messages.push(decode(file === '-' ? git.input() : git.context.sync.readFile(absolute(file, git.cwd))));
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

type ListOptions = Options<'lines' | 'sort' | 'format' | 'contains' | 'pointsAt' | 'merged'>;

function list(git: Invocation, options: ListOptions): number {
	const { repository } = git;
	const patterns = options.operands.map((pattern) => wildmatch(pattern, true));
	const commit = (text: string | undefined) => resolveCommit(repository, text || 'HEAD');
	const rows = repository.refs.list('refs/tags/').filter(({ name, id }) => {
		const target = repository.peeled(id);
		return (
			(patterns.length === 0 || patterns.some((pattern) => pattern.test(name.slice(10)))) &&
			(!options.has('pointsAt') || target === commit(options.get('pointsAt'))) &&
			(!options.has('contains') || isAncestor(repository, commit(options.get('contains')), target)) &&
			(!options.has('merged') || isAncestor(repository, target, commit(options.get('merged'))))
		);
	});
	const format = options.get('format');
	for (const ref of sortRefs(git, rows, options.all('sort'))) {
		const short = ref.name.slice(10);
		if (format !== undefined) git.out(`${formatRef(git, ref, format)}\n`);
		else if (options.has('lines')) {
			const text = formatRef(git, ref, '%(contents)').trimEnd().split('\n');
			const shown = text.slice(0, Number(options.get('lines')) || 1).join('\n    ');
			git.out(`${short.padEnd(15)} ${shown}\n`);
		} else git.out(`${short}\n`);
	}
	return 0;
}
