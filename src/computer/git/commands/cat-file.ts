import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { modeText, parseTree, typeOfMode } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision, peel } from '../refs/revision.ts';

export const catFile: Command = (git, args) => {
	const options = parseOptions('cat-file (-t | -s | -e | -p | <type>) <object>', args, {
		type: '-t',
		size: '-s',
		exists: '-e',
		print: '-p'
	});
	const { repository } = git;
	const { operands } = options;
	const asked = options.has('type') || options.has('size') || options.has('exists') || options.has('print');
	const text = operands[asked ? 0 : 1];
	if (text === undefined) throw new GitError('usage: git cat-file (-t | -s | -e | -p | <type>) <object>', 129);
	let id = findRevision(repository, text);
	if (id !== null && !asked) {
		const type = operands[0];
		if (type !== 'commit' && type !== 'tree' && type !== 'blob' && type !== 'tag')
			throw fatal(`invalid object type "${type}"`);
		if (type !== 'tag') id = peel(repository, id, type);
		if (id === null) throw fatal(`git cat-file ${text}: bad file`);
	}
	const object = id === null ? null : repository.objects.find(id);
	if (!object) {
		if (options.has('exists') && id !== null) return 1;
		throw fatal(`Not a valid object name ${text}`);
	}
	if (options.has('exists')) return 0;
	if (options.has('type')) git.out(`${object.type}\n`);
	else if (options.has('size')) git.out(`${object.content.length}\n`);
	else if (options.has('print') && object.type === 'tree') {
		for (const { mode, name, id: entry } of parseTree(object.content)) {
			git.out(`${modeText(mode)} ${typeOfMode(mode)} ${entry}\t${quotePath(name)}\n`);
		}
	} else git.out(object.content);
	return 0;
};
