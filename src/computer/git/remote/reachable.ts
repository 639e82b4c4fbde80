import { isDirectory, parseTree } from '../objects/tree.ts';
import { Mode } from '#environment/mode.ts';
import type { ObjectFilter } from '../history/object-filter.ts';
import { ObjectWalk } from '../history/object-walk.ts';
import type { ObjectType } from '../objects/object.ts';
import type { Repository } from '../repository.ts';
import { taggedId } from '../objects/tag.ts';

/** Object ids with their types. */
export type Reached = Map<string, ObjectType>;

/**
 * Adds all objects reachable from some objects, without following those that were added before.
 *
 * @param cut commits whose parents are not followed
 * @param missing gets the objects that are not here
 */
export function reach(
	repository: Repository,
	from: Iterable<string>,
	reached: Reached,
	cut: ReadonlySet<string> = new Set(),
	missing = new Set<string>()
): Reached {
	const left = [...from];
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		if (reached.has(id)) continue;
		const object = repository.objects.find(id);
		if (!object) {
			missing.add(id);
			continue;
		}
		reached.set(id, object.type);
		if (object.type === 'commit') {
			left.push(repository.objects.commit(id).tree);
			if (!cut.has(id)) left.push(...repository.parents(id));
		} else if (object.type === 'tag') left.push(taggedId(object.content));
		else if (object.type === 'tree')
			for (const entry of parseTree(object.content)) {
				if (entry.mode === Mode.commit) continue;
				if (isDirectory(entry.mode)) left.push(entry.id);
				else if (repository.objects.has(entry.id)) reached.set(entry.id, 'blob');
				else missing.add(entry.id);
			}
	}
	return reached;
}

/**
 * Ids of the objects reachable from wanted ones that pass a filter, except known ones. A wanted object always passes.
 *
 * @throws GitError if an object is missing that passes
 */
export function reachFiltered(
	repository: Repository,
	wants: readonly string[],
	known: ReadonlyMap<string, ObjectType>,
	cut: ReadonlySet<string>,
	filter: ObjectFilter
): string[] {
	const { objects } = repository;
	const walk = new ObjectWalk(repository, { filter });
	const found = new Set<string>();
	const typeOf = (id: string) => objects.find(id)?.type ?? 'commit';
	// A tree may contain wanted objects: they are met first as wanted ones.
	const rank = (id: string) => ['commit', 'tag', 'tree', 'blob'].indexOf(typeOf(id));
	const left = [...new Set(wants)].sort((a, b) => rank(a) - rank(b)).map((id) => ({ id, isWanted: true }));
	const seen = new Set<string>(known.keys());
	for (let next = left.pop(); next; next = left.pop()) {
		const { id, isWanted } = next;
		if (seen.has(id)) continue;
		seen.add(id);
		if (typeOf(id) !== 'commit') {
			for (const object of walk.named({ id, name: '' })) found.add(object.id);
			const target = repository.peeled(id);
			if (target !== id && typeOf(target) === 'commit') left.push({ id: target, isWanted: false });
			continue;
		}
		if (walk.showsCommit(id, isWanted)) found.add(id);
		for (const object of walk.ofCommit(id)) found.add(object.id);
		if (!cut.has(id)) for (const parent of repository.parents(id)) left.push({ id: parent, isWanted: false });
	}
	return [...found].filter((id) => !known.has(id));
}

/** Commits `depth` steps away from some commits, where a shallow history is cut off. */
export function boundary(repository: Repository, from: readonly string[], depth: number): Set<string> {
	const starts = from.map((id) => repository.peeled(id));
	let layer = new Set(starts.filter((id) => repository.objects.find(id)?.type === 'commit'));
	const seen = new Set(layer);
	for (let step = 1; step < depth; step++) {
		const next = new Set<string>();
		for (const id of layer) for (const parent of repository.parents(id)) if (!seen.has(parent)) next.add(parent);
		for (const id of next) seen.add(id);
		if (next.size === 0) return new Set();
		layer = next;
	}
	return layer;
}

/**
 * Commits at which a history without some others is cut off; null if nothing of it is left.
 *
 * @param isLeftOut tells the commits to leave out, with everything before them
 */
export function boundaryOf(
	repository: Repository,
	from: readonly string[],
	isLeftOut: (id: string) => boolean
): Set<string> | null {
	const cut = new Set<string>();
	const seen = new Set<string>();
	const left = from.map((id) => repository.peeled(id)).filter((id) => repository.objects.find(id)?.type === 'commit');
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		if (seen.has(id) || isLeftOut(id)) continue;
		seen.add(id);
		const parents = repository.parents(id);
		if (parents.some(isLeftOut)) cut.add(id);
		else left.push(...parents);
	}
	return seen.size === 0 ? null : cut;
}
