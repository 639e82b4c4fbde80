import { Mode } from '#environment/mode.ts';
import { serializeTree, type TreeEntry } from '../objects/tree.ts';
import type { CacheTree } from './cache-tree.ts';
import type { IndexEntry } from './index-file.ts';

/**
 * Builds trees from sorted entries.
 * @param keep stores a tree's content and returns its id
 */
export function buildTrees(entries: readonly IndexEntry[], keep: (content: Uint8Array) => string): CacheTree {
	let next = 0;
	const build = (name: string, prefix: string): CacheTree => {
		const children: CacheTree[] = [];
		const found: TreeEntry[] = [];
		let count = 0;
		while (next < entries.length && entries[next]!.path.startsWith(prefix)) {
			const entry = entries[next]!;
			const slash = entry.path.indexOf('/', prefix.length);
			if (slash < 0) {
				next++;
				if (entry.intentToAdd) continue;
				count++;
				found.push({ mode: entry.mode, name: entry.path.slice(prefix.length), id: entry.id });
				continue;
			}
			const part = entry.path.slice(prefix.length, slash);
			const child = build(part, entry.path.slice(0, slash + 1));
			count += child.count;
			if (child.count === 0) continue;
			children.push(child);
			found.push({ mode: Mode.directory, name: part, id: child.id });
		}
		return { name, count, id: keep(serializeTree(found)), children };
	};
	return build('', '');
}
