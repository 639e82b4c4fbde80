import { Mode } from '#environment/mode.ts';
import { walkHistory } from '../history/walk.ts';
import { isDirectory, parseTree } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { taggedId } from '../objects/tag.ts';

/**
 * Ids of the objects that are reachable from some references and not from others: new commits, and their contents
 * unless their parents contain these.
 *
 * @throws GitError if a commit or a tree is missing
 */
export function* sentObjects(
	repository: Repository,
	wanted: readonly string[],
	known: readonly string[]
): Generator<string> {
	const { objects } = repository;
	const seen = new Set<string>(known);
	const commits: string[] = [];
	const others: string[] = [];
	for (const id of wanted) {
		let at = id;
		for (let object = objects.find(at); object?.type === 'tag' && !seen.has(at); object = objects.find(at)) {
			seen.add(at);
			yield at;
			at = taggedId(object.content);
		}
		if (objects.find(at)?.type === 'commit') commits.push(at);
		else others.push(at);
	}
	const bases = known.map((id) => repository.peeled(id)).filter((id) => objects.find(id)?.type === 'commit');
	const revisions = [...walkHistory(repository, { include: commits, exclude: bases })];
	const own = new Set(revisions.map(({ id }) => id));
	const edges = new Set(revisions.flatMap(({ commit }) => commit.parents).filter((id) => !own.has(id)));
	for (const id of edges) hide(repository, repository.commit(id).tree, seen);
	for (const { id, commit } of revisions) {
		if (seen.has(id)) continue;
		seen.add(id);
		yield id;
		yield* contents(repository, commit.tree, seen);
	}
	for (const id of others) yield* contents(repository, id, seen);
}

/** Notes a tree and what is below it as known. A tree that a partial clone lacks is not fetched only for that. */
function hide({ objects }: Repository, root: string, seen: Set<string>): void {
	const left = [root];
	for (let id = left.pop(); id !== undefined; id = left.pop()) {
		if (seen.has(id)) continue;
		seen.add(id);
		const tree = objects.withoutFetching(() => objects.find(id));
		for (const { id: entry, mode } of tree?.type === 'tree' ? parseTree(tree.content) : [])
			if (isDirectory(mode)) left.push(entry);
			else if (mode !== Mode.commit) seen.add(entry);
	}
}

/** An object other than a commit, and all unseen objects below it. */
function* contents(repository: Repository, root: string, seen: Set<string>): Generator<string> {
	const left = [{ id: root, isTree: repository.objects.find(root)?.type === 'tree' }];
	for (let next = left.pop(); next; next = left.pop()) {
		const { id, isTree } = next;
		if (seen.has(id)) continue;
		seen.add(id);
		yield id;
		if (!isTree) continue;
		for (const { id: entry, mode } of parseTree(repository.objects.read(id, 'tree')))
			if (mode !== Mode.commit) left.push({ id: entry, isTree: isDirectory(mode) });
	}
}
