import { decode } from '../bytes.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { formatDate, relativeDate } from '../history/dates.ts';
import { isAncestor } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { bodyOf, parseCommit, parseSignature, subjectOf, type Signature } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import { aheadBehind } from '../refs/tracking.ts';
import { NULL_ID } from '../objects/object.ts';
import { isRefName } from '../refs/ref-format.ts';
import type { Ref } from '../refs/refs.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

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
	// They lead round in a circle.
	if (!isDirect && refs.symbolic(full) !== null) throw fatal(`No such ref: ${name}`);
	git.out(`${options.has('short') ? full.replace(/^refs\/(heads|tags|remotes)\//, '') : full}\n`);
	return 0;
};

export const forEachRef: Command = (git, args) => {
	const options = parseOptions('for-each-ref [<options>] [<pattern>]', args, {
		format: '--format =',
		sort: '--sort =',
		count: '--count =',
		contains: '--contains =',
		merged: '--merged ?',
		pointsAt: '--points-at ='
	});
	const { repository } = git;
	const { refs } = repository;
	const patterns = options.operands;
	const within = (name: string) =>
		patterns.length === 0 ||
		patterns.some(
			(text) =>
				name === text ||
				name.startsWith(`${text.replace(/\/$/, '')}/`) ||
				(/[*?[]/.test(text) && wildmatch(text).test(name))
		);
	const target = (text: string | undefined) => resolveCommit(repository, text || 'HEAD');
	let rows = refs.list('refs/').filter(({ name }) => within(name));
	if (options.has('contains'))
		rows = rows.filter(({ id }) => isAncestor(repository, target(options.get('contains')), repository.peeled(id)));
	if (options.has('merged'))
		rows = rows.filter(({ id }) => isAncestor(repository, repository.peeled(id), target(options.get('merged'))));
	if (options.has('pointsAt'))
		rows = rows.filter(({ id }) => repository.peeled(id) === target(options.get('pointsAt')));
	rows = sortRefs(git, rows, options.all('sort'));
	const format = options.get('format') ?? '%(objectname) %(objecttype)\t%(refname)';
	for (const ref of rows.slice(0, Number(options.get('count') ?? Infinity)))
		git.out(`${formatRef(git, ref, format)}\n`);
	return 0;
};

/** Sorts refs by fields, `-` in front for the other way round; the last one given counts most. */
export function sortRefs(git: Invocation, rows: readonly Ref[], keys: readonly string[]): Ref[] {
	let sorted = [...rows];
	for (const key of keys) {
		const backwards = key.startsWith('-');
		const field = key.replace(/^-/, '');
		const version = /^(v|version):/.test(field);
		const name = field.replace(/^(v|version):/, '');
		const values = new Map(
			sorted.map((ref) => [ref, /date$/.test(name) ? dateOf(git, ref, name) : refField(git, ref, name)])
		);
		const compare = (a: Ref, b: Ref): number => {
			const [left, right] = [values.get(a)!, values.get(b)!];
			if (typeof left === 'number' && typeof right === 'number') return left - right;
			return version
				? String(left).localeCompare(String(right), 'en', { numeric: true })
				: left < right
					? -1
					: left > right
						? 1
						: 0;
		};
		sorted = sorted.sort((a, b) => (backwards ? -compare(a, b) : compare(a, b)) || (a.name < b.name ? -1 : 1));
	}
	return sorted;
}

/** A line of `for-each-ref`, `branch --format`, `tag --format`. */
export function formatRef(git: Invocation, ref: Ref, format: string): string {
	return format.replace(/%(?:\(([^)]*)\)|([0-9a-fA-F]{2})|(%))/g, (_, field?: string, hex?: string) =>
		field !== undefined
			? refField(git, ref, field)
			: hex === undefined
				? '%'
				: String.fromCharCode(Number.parseInt(hex, 16))
	);
}

function refField(git: Invocation, { name, id }: Ref, field: string): string {
	const { repository } = git;
	const { refs, objects } = repository;
	const shortName = (full: string) => full.replace(/^refs\/(heads|tags|remotes)\//, '');
	const [, peeled = '', base = field, option = ''] = /^(\*?)([^:]*)(?::(.*))?$/.exec(field) ?? [];
	const target = peeled === '' ? id : repository.peeled(id);
	if (peeled !== '' && target === id) return '';
	const object = objects.find(target);
	const branch = name.replace('refs/heads/', '');
	switch (base) {
		case 'refname':
			return option === 'short' ? shortName(name) : option === '' ? name : lastParts(name, option);
		case 'objectname':
			return option.startsWith('short') ? objects.abbreviate(target, Number(option.slice(6)) || undefined) : target;
		case 'objecttype':
			return object?.type ?? '';
		case 'HEAD':
			return refs.symbolic('HEAD') === name ? '*' : ' ';
		case 'upstream': {
			const upstream = name.startsWith('refs/heads/') ? repository.upstream(branch) : null;
			if (upstream === null) return '';
			if (option === 'short') return shortName(upstream);
			if (!option.startsWith('track')) return upstream;
			const counts = aheadBehind(repository, branch)?.counts;
			if (counts === null) return '[gone]';
			const parts = [
				...(counts?.ahead ? [`ahead ${counts.ahead}`] : []),
				...(counts?.behind ? [`behind ${counts.behind}`] : [])
			];
			return parts.length === 0 ? '' : `[${parts.join(', ')}]`;
		}
		case 'symref':
			return refs.symbolic(name) ?? '';
		case 'color':
			return '';
		default:
			return objectField(git, target, base, option, field);
	}
}

function lastParts(name: string, option: string): string {
	const strip = /^(?:l?strip)=(-?\d+)$/.exec(option)?.[1];
	if (strip === undefined) throw fatal(`unrecognized %(refname) argument: ${option}`);
	return name.split('/').slice(Number(strip)).join('/');
}

function objectField(git: Invocation, id: string, base: string, option: string, field: string): string {
	const object = git.repository.objects.find(id);
	if (!object) throw fatal(`missing object ${id}`);
	const text = decode(object.content);
	const commit = object.type === 'commit' ? parseCommit(object.content) : null;
	const tagger = /^tagger (.*)$/m.exec(text.split('\n\n', 1)[0] ?? '')?.[1];
	const message = commit?.message ?? (object.type === 'tag' ? text.slice(text.indexOf('\n\n') + 2) : '');
	const who: Record<string, Signature | undefined> = {
		author: commit?.author,
		committer: commit?.committer,
		tagger: tagger === undefined ? undefined : parseSignature(tagger),
		creator: commit?.committer ?? (tagger === undefined ? undefined : parseSignature(tagger))
	};
	const person = /^(author|committer|tagger|creator)(name|email|date)?$/.exec(base);
	if (person) {
		const found = who[person[1]!];
		if (!found) return '';
		if (person[2] === 'name') return found.name;
		if (person[2] === 'email') return option === 'trim' ? found.email : `<${found.email}>`;
		const now = git.repository.files.now();
		if (person[2] === 'date') {
			const shown =
				option === 'relative' ? relativeDate(found.seconds, Math.floor(now / 1000)) : formatDate(found, option, now);
			if (shown === null) throw fatal(`unknown date format ${option}`);
			return shown;
		}
		return `${found.name} <${found.email}> ${formatDate(found, 'raw', 0)}`;
	}
	if (base === 'subject' || (base === 'contents' && option === 'subject')) return subjectOf(message);
	if (base === 'body' || (base === 'contents' && option === 'body')) return bodyOf(message);
	if (base === 'contents') return message;
	if (base === 'tree') return commit?.tree ?? '';
	if (base === 'parent') return commit?.parents.join(' ') ?? '';
	throw failure(`unknown field name: ${field}`, 128);
}

function dateOf(git: Invocation, ref: Ref, field: string): number {
	return Number(refField(git, ref, `${field}:unix`) || 0);
}
