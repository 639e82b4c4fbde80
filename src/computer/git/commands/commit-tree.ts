import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { serializeCommit } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { findTreeish, resolveCommit, withObjectsMeant } from '../refs/revision.ts';

/** `git commit-tree`: creates a commit from a tree; the message comes from `-m`, `-F` or stdin. */
export const commitTree: Command = (git, args) => {
	const options = parseOptions('commit-tree [(-p <parent>)...] [-m <message>] [-F <file>] <tree>', args, {
		parent: '-p =',
		message: '-m =',
		file: '-F =',
		noSign: '--no-gpg-sign'
	});
	const { repository } = git;
	const [name, ...more] = options.operands;
	if (name === undefined || more.length > 0) throw fatal('must give exactly one tree');
	const tree = findTreeish(repository, name);
	if (tree === null) throw withObjectsMeant(repository, name, fatal(`not a valid object name ${name}`));
	const found = repository.objects.find(tree);
	if (found?.type !== 'tree') throw fatal(`${tree} is not a valid 'tree' object`);
	const parents: string[] = [];
	for (const text of options.all('parent')) {
		const id = resolveCommit(repository, text);
		if (parents.includes(id)) git.err(`error: duplicate parent ${id} ignored\n`);
		else parents.push(id);
	}
	const content = serializeCommit({
		tree,
		parents,
		author: repository.author(),
		committer: repository.committer(),
		message: messageOf(git, options.all('message'), options.all('file'))
	});
	git.out(`${repository.objects.write('commit', content)}\n`);
	return 0;
};

function messageOf(git: Invocation, messages: readonly string[], files: readonly string[]): string {
	const read = (file: string) =>
		decode(file === '-' ? git.input() : git.context.sync.readFile(absolute(file, git.cwd)));
	if (messages.length === 0 && files.length === 0) return decode(git.input());
	const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
	return [...messages, ...files.map(read)].map(ended).join('\n');
}
