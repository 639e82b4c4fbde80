import { Mode } from '#environment/mode.ts';
import { parseCommit } from '../objects/commit.ts';
import type { GitObject } from '../objects/object.ts';
import { taggedId } from '../objects/tag.ts';
import { parseTree } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { promisorRemotes } from '../remote/promisor-remotes.ts';

/**
 * Ids of promisor objects (gitglossary(7)): those in packs from promisor remotes, and those that they refer to, whether
 * they are here or not. None in a complete repository.
 */
export function promisedIds({ objects, config }: Repository): ReadonlySet<string> {
	const promised = new Set<string>();
	if (promisorRemotes(config).length === 0) return promised;
	for (const pack of objects.packs) {
		if (!pack.isPromisor) continue;
		for (const id of pack.index.idsWithPrefix('')) {
			promised.add(id);
			const object = objects.findPresent(id);
			for (const linked of object ? linksOf(object) : []) promised.add(linked);
		}
	}
	return promised;
}

/** Ids of the objects in packs from promisor remotes. */
export function receivedFromPromisors({ objects, config }: Repository): ReadonlySet<string> {
	if (promisorRemotes(config).length === 0) return new Set();
	const packs = objects.packs.filter((pack) => pack.isPromisor);
	return new Set(packs.flatMap(({ index }) => index.idsWithPrefix('')));
}

function linksOf({ type, content }: GitObject): string[] {
	if (type === 'tag') return [taggedId(content)];
	if (type === 'tree') return parseTree(content).flatMap(({ id, mode }) => (mode === Mode.commit ? [] : [id]));
	if (type === 'blob') return [];
	const { tree, parents } = parseCommit(content);
	return [tree, ...parents];
}
