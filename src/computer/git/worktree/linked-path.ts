import { Mode } from '#environment/mode.ts';
import { decode } from '../bytes.ts';
import { isDirectory } from '../objects/tree.ts';
import { findTree } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** Maximum number of symbolic links to follow, as in git. */
const MOST_LINKS = 40;

/** Path that leads to no object: out of the tree, to a missing target, in a loop, or through a file. */
interface LostPath {
	kind: 'symlink' | 'dangling' | 'loop' | 'notdir';
	text: string;
}

/**
 * Finds the object of `<tree>:<path>`, following symbolic links within the tree, or why they lead to none; null for
 * any other name, or if the path itself does not exist.
 */
export function findLinked(repository: Repository, name: string): string | LostPath | null {
	const [, base, path] = /^([^:]+):(.*)$/s.exec(name) ?? [];
	const root = base === undefined ? null : findTree(repository, base);
	if (root === null || path === undefined) return null;
	const { objects } = repository;
	const left = path.split('/').filter((part) => part !== '' && part !== '.');
	const trees = [root];
	for (let links = 0, part = left.shift(); part !== undefined; part = left.shift()) {
		if (part === '..') {
			if (trees.length === 1) return { kind: 'symlink', text: ['..', ...left].join('/') };
			trees.pop();
			continue;
		}
		const entry = objects.tree(trees.at(-1)!).find((one) => one.name === part);
		if (!entry) return links > 0 ? { kind: 'dangling', text: name } : null;
		if (isDirectory(entry.mode)) trees.push(entry.id);
		else if (entry.mode === Mode.symlink) {
			if (++links > MOST_LINKS) return { kind: 'loop', text: name };
			const target = decode(objects.read(entry.id, 'blob'));
			if (target.startsWith('/')) return { kind: 'symlink', text: [target, ...left].join('/') };
			left.unshift(...target.split('/').filter((one) => one !== '' && one !== '.'));
		} else return left.length > 0 ? { kind: 'notdir', text: name } : entry.id;
	}
	return trees.at(-1)!;
}
