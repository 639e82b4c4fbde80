import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { NULL_ID } from '../objects/object.ts';
import { isRefName } from '../refs/ref-format.ts';

export const showRef: Command = (git, args) => {
	const options = parseOptions('show-ref [--head] [-d] [-s] [--tags] [--heads] [<pattern>...]', args, {
		head: '--head',
		dereference: '-d --dereference',
		hash: '-s --hash ?',
		tags: '--tags',
		heads: '--heads',
		verify: '--verify',
		quiet: '-q --quiet'
	});
	const { repository } = git;
	const { refs } = repository;
	const { operands } = options;
	const print = (id: string, name: string) => {
		if (!options.has('quiet')) git.out(options.has('hash') ? `${id}\n` : `${id} ${name}\n`);
	};
	if (options.has('verify')) {
		for (const name of operands) {
			const id = name === 'HEAD' || name.startsWith('refs/') ? refs.resolve(name) : null;
			if (id === null) {
				if (options.has('quiet')) return 1;
				throw fatal(`'${name}' - not a valid ref`);
			}
			print(id, name);
		}
		return 0;
	}
	const head = repository.head();
	let found = false;
	if (options.has('head') && head !== null) {
		print(head, 'HEAD');
		found = true;
	}
	for (const { name, id } of refs.list('refs/')) {
		if (options.has('tags') || options.has('heads')) {
			const wanted =
				(options.has('tags') && name.startsWith('refs/tags/')) ||
				(options.has('heads') && name.startsWith('refs/heads/'));
			if (!wanted) continue;
		}
		if (operands.length > 0 && !operands.some((text) => name === text || name.endsWith(`/${text}`))) continue;
		found = true;
		print(id, name);
		const target = options.has('dereference') ? repository.peeled(id) : id;
		if (target !== id) print(target, `${name}^{}`);
	}
	return found ? 0 : 1;
};

export const symbolicRef: Command = (git, args) => {
	const options = parseOptions('symbolic-ref [-q] [--short] <name> [<ref>]', args, {
		short: '--short',
		quiet: '-q --quiet',
		message: '-m =',
		delete: '-d --delete',
		recurse: '--recurse',
		noRecurse: '--no-recurse'
	});
	const { refs } = git.repository;
	const [name, target] = options.operands;
	if (name === undefined) throw new GitError('usage: git symbolic-ref [-q] [--short] <name> [<ref>]', 129);
	if (options.has('delete')) {
		if (refs.symbolic(name) === null) throw fatal(`Cannot delete ${name}, not a symbolic ref`);
		if (name === 'HEAD') throw fatal('deleting HEAD is not allowed');
		refs.delete(name);
		return 0;
	}
	if (target !== undefined) {
		if (name === 'HEAD' && !target.startsWith('refs/')) throw fatal('Refusing to point HEAD outside of refs/');
		if (!isRefName(target, { oneLevel: true })) throw fatal(`Refusing to set '${name}' to invalid ref '${target}'`);
		const before = refs.resolve(name);
		refs.setSymbolic(name, target);
		const after = refs.resolve(name);
		if (options.has('message')) refs.log(name, before ?? NULL_ID, after ?? NULL_ID, options.get('message') ?? '');
		return 0;
	}
	const direct = refs.symbolic(name);
	if (direct === null) {
		if (options.has('quiet')) return 1;
		throw fatal(`ref ${name} is not a symbolic ref`);
	}
	const isDirect = options.has('noRecurse');
	const full = isDirect ? direct : refs.target(name);
	// The symbolic refs form a cycle.
	if (!isDirect && refs.symbolic(full) !== null) throw fatal(`No such ref: ${name}`);
	git.out(`${options.has('short') ? full.replace(/^refs\/(heads|tags|remotes)\//, '') : full}\n`);
	return 0;
};
