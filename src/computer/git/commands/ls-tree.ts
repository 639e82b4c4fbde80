import { fatal } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { isDirectory, modeText, typeOfMode, type TreeEntry } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision, peel } from '../refs/revision.ts';

export const lsTree: Command = (git, args) => {
	const options = parseOptions('ls-tree [<options>] <tree-ish> [<path>...]', args, {
		recursive: '-r',
		trees: '-t',
		onlyTrees: '-d',
		long: '-l --long',
		zero: '-z',
		names: '--name-only --name-status',
		objects: '--object-only',
		fullName: '--full-name',
		fullTree: '--full-tree',
		abbreviate: '--abbrev ?'
	});
	const { repository } = git;
	const { objects } = repository;
	const [revision, ...operands] = options.operands;
	if (revision === undefined) throw fatal('give the tree to list: git ls-tree <tree-ish> [<path>...]');
	const id = findRevision(repository, revision);
	if (id === null) throw fatal(`Not a valid object name ${revision}`);
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal('not a tree object');
	const top = options.has('fullTree');
	const prefix = top ? '' : repository.prefix;
	const given = [...operands, ...(options.paths ?? [])];
	const paths = given.map((path) => {
		const full = top ? path.replace(/\/$/, '') : repository.fromCwd(path);
		return { full, inside: path.endsWith('/') || full === '' };
	});
	if (paths.length === 0 && prefix !== '') paths.push({ full: prefix.slice(0, -1), inside: true });
	const shown = (path: string, entry: TreeEntry): void => {
		const type = typeOfMode(entry.mode);
		if (options.has('onlyTrees') && type !== 'tree') return;
		const name = top || options.has('fullName') ? path : repository.toCwd(path);
		const end = options.has('zero') ? '\0' : '\n';
		const quoted = options.has('zero') ? name : quotePath(name);
		const short = options.has('abbreviate')
			? objects.abbreviate(entry.id, Number(options.get('abbreviate')) || undefined)
			: entry.id;
		const size = (): string => (type === 'blob' ? String(objects.read(entry.id, 'blob').length) : '-');
		if (options.has('names')) git.out(quoted + end);
		else if (options.has('objects')) git.out(short + end);
		else {
			git.out(
				`${modeText(entry.mode)} ${type} ${short}${options.has('long') ? ` ${size().padStart(7)}` : ''}\t${quoted}${end}`
			);
		}
	};
	const visit = (tree: string, directory: string): void => {
		for (const entry of objects.tree(tree)) {
			const path = directory + entry.name;
			const below = paths.some(({ full, inside }) => full.startsWith(`${path}/`) || (inside && full === path));
			const within =
				paths.length === 0 ||
				paths.some(({ full, inside }) => full === '' || path.startsWith(`${full}/`) || (full === path && !inside));
			if (!isDirectory(entry.mode)) {
				if (within || paths.some(({ full }) => full === path)) shown(path, entry);
				continue;
			}
			const enter = below || (within && options.has('recursive'));
			if ((within && (!enter || options.has('trees') || options.has('onlyTrees'))) || (below && options.has('trees')))
				shown(path, entry);
			if (enter) visit(entry.id, `${path}/`);
		}
	};
	visit(tree, '');
	return 0;
};
