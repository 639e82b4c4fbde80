import { Mode } from '#environment/mode.ts';
import { decode } from '../bytes.ts';
import { GitIndex } from '../index/index.ts';
import { EMPTY_TREE, NULL_ID, type ObjectType } from '../objects/object.ts';
import { isDirectory } from '../objects/tree.ts';
import { missingAsNull } from '../objects/store.ts';
import { fatal } from '../errors.ts';
import { promisedIds } from './promised-objects.ts';
import type { Repository } from '../repository.ts';
import { linkedTrees } from '../worktree/linked.ts';
import { taggedId } from '../objects/tag.ts';

/** Ids of existing objects in the reflogs of all references and of all working trees' HEADs. */
export function reflogIds(repository: Repository): string[] {
	const { refs, objects } = repository;
	const own = refs.reflogNames().flatMap((name) => refs.reflog(name).flatMap(({ from, to }) => [from, to]));
	const others = linkedTrees(repository).flatMap(({ gitDir }) => {
		const bytes = missingAsNull(() => repository.files.readFile(`${gitDir}/logs/HEAD`));
		return bytes ? (decode(bytes).match(/^[0-9a-f]{40} [0-9a-f]{40}/gm) ?? []).flatMap((pair) => pair.split(' ')) : [];
	});
	return [...new Set([...own, ...others])].filter((id) => id !== NULL_ID && objects.has(id));
}

/** Blobs and trees in the indexes of all working trees, with their paths. */
export function indexedIds(repository: Repository): { id: string; path: string }[] {
	const places = linkedTrees(repository).map(({ gitDir }) => `${gitDir}/index`);
	return [...new Set([repository.indexPath, ...places])].flatMap((place) => idsOfIndex(repository, place));
}

function idsOfIndex(repository: Repository, place: string): { id: string; path: string }[] {
	if (!repository.files.statOrNull(place)) return [];
	const index = place === repository.indexPath ? repository.index : new GitIndex(repository.files, place);
	const entries = index.entries().filter(({ mode, intentToAdd }) => mode !== Mode.commit && !intentToAdd);
	const tree = index.knownTree;
	const known = tree !== null && tree !== EMPTY_TREE && repository.objects.has(tree) ? [{ id: tree, path: '' }] : [];
	return [...entries.map(({ id, path }) => ({ id, path })), ...known];
}

/** Ids that references and the HEADs of all working trees point to. */
function referencedIds(repository: Repository): string[] {
	const { refs } = repository;
	const heads = linkedTrees(repository).flatMap(({ head }) => (head === null ? [] : [head]));
	const own = repository.head();
	return [...new Set([...refs.list('refs/').map(({ id }) => id), ...heads, ...(own === null ? [] : [own])])];
}

/** All objects reachable from some objects. @throws GitError if one is missing that must not be */
export function reachedFrom(
	repository: Repository,
	starts: Iterable<string>,
	mayMiss: boolean | ReadonlySet<string> = false
): Map<string, ObjectType> {
	const { objects } = repository;
	const reached = new Map<string, ObjectType>();
	const left: { id: string; expected: ObjectType | null }[] = [...starts].map((id) => ({ id, expected: null }));
	const isAllowed = (id: string) => (typeof mayMiss === 'boolean' ? mayMiss : mayMiss.has(id));
	const push = (id: string, expected: ObjectType | null) => void (reached.has(id) || left.push({ id, expected }));
	for (let next = left.pop(); next; next = left.pop()) {
		const { id, expected } = next;
		if (reached.has(id)) continue;
		if (expected === 'blob') {
			// Existence is checked without reading large contents.
			if (!objects.has(id) && !isAllowed(id)) throw fatal(`unable to read ${id}`);
			reached.set(id, 'blob');
			continue;
		}
		const found = objects.find(id);
		if (!found) {
			if (isAllowed(id)) continue;
			throw fatal(expected === 'tree' ? `bad tree object ${id}` : `unable to read ${id}`);
		}
		reached.set(id, found.type);
		if (found.type === 'commit') {
			push(objects.commit(id).tree, 'tree');
			for (const parent of repository.parents(id)) push(parent, 'commit');
		} else if (found.type === 'tag') push(taggedId(found.content), null);
		else if (found.type === 'tree')
			for (const entry of objects.tree(id))
				if (entry.mode !== Mode.commit) push(entry.id, isDirectory(entry.mode) ? 'tree' : 'blob');
	}
	return reached;
}

/** All objects reachable in the repository: from references, reflogs and indexes. Promisor objects may be missing. */
export const reachableObjects = (repository: Repository, more: readonly string[] = []): Map<string, ObjectType> =>
	reachedFrom(
		repository,
		[...referencedIds(repository), ...reflogIds(repository), ...indexedIds(repository).map(({ id }) => id), ...more],
		promisedIds(repository)
	);
