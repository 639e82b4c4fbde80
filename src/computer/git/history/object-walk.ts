import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import type { ObjectType } from '../objects/object.ts';
import { isDirectory } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';
import type { MetObject, ObjectFilter, Verdict } from './object-filter.ts';
import { taggedId } from '../objects/tag.ts';

/** An object found by a walk, with the first path to it. */
export interface WalkedObject {
	id: string;
	type: ObjectType;
	path: string;
}

/** Starting point of a walk. */
export interface NamedObject {
	id: string;
	/** Name shown for it. */
	name: string;
}

export interface WalkHow {
	filter?: ObjectFilter | null;
	/** Applies the filter to named objects, too. */
	filtersNamed?: boolean;
	pathspec?: Pathspec;
	/** Reads omitted trees to find the other objects omitted with them. */
	collectsOmitted?: boolean;
	/** A missing object ends the walk, is skipped, or is collected. */
	missing?: 'error' | 'allow' | 'collect';
	/** Objects that may be missing without ending the walk. */
	promised?: ReadonlySet<string>;
	/** Objects that are neither shown nor entered. */
	excluded?: ReadonlySet<string>;
}

/**
 * Maximum number of visits: with path-based filters an object can be visited repeatedly, and a crafted repository could
 * make the walk endless.
 */
const MOST_MEETINGS = 10_000_000;

const PASSES: Verdict = { isShown: true, descends: true, changes: 'never' };

/** Walks the trees, blobs and tags reachable from commits and names, each once. */
export class ObjectWalk {
	/** Objects omitted by the filter. */
	readonly omitted = new Set<string>();
	/** Objects that are missing from the repository. */
	readonly missing = new Set<string>();
	readonly #seen = new Set<string>();
	readonly #shown = new Set<string>();
	/** Lowest depth at which a tree was visited. */
	readonly #depths = new Map<string, number>();
	#meetings = 0;

	constructor(
		private readonly repository: Repository,
		private readonly how: WalkHow = {}
	) {
		for (const id of how.excluded ?? []) this.#seen.add(id);
	}

	/** Hides an object and everything reachable from it, except parent commits. */
	hide(start: string): void {
		const { objects } = this.repository;
		const left = [start];
		for (let id = left.pop(); id !== undefined; id = left.pop()) {
			if (this.#seen.has(id)) continue;
			this.#seen.add(id);
			const found = objects.find(id);
			if (found?.type === 'commit') left.push(objects.commit(id).tree);
			else if (found?.type === 'tag') left.push(taggedId(found.content));
			else if (found?.type === 'tree')
				for (const { id: part, mode } of objects.tree(id))
					if (isDirectory(mode)) left.push(part);
					else if (mode !== Mode.commit) this.#seen.add(part);
		}
	}

	/** Returns whether a commit passes the filter. @param isNamed it was named explicitly */
	showsCommit(id: string, isNamed: boolean): boolean {
		return this.#verdict({ id, type: 'commit', path: '', depth: 0 }, isNamed).isShown;
	}

	/** A named tag, tree or blob, and what is reachable from it. */
	*named({ id, name }: NamedObject): Generator<WalkedObject> {
		yield* this.#from(id, name, true);
	}

	/** Trees and blobs of a commit. */
	*ofCommit(id: string): Generator<WalkedObject> {
		yield* this.#from(this.repository.objects.commit(id).tree, '', false);
	}

	*#from(id: string, path: string, isNamed: boolean): Generator<WalkedObject> {
		if (this.#seen.has(id)) return;
		const found = this.repository.objects.find(id);
		if (!found) return this.#miss(id, 'tree', path);
		const { type } = found;
		if (type === 'commit') return;
		if (type === 'tag') {
			this.#seen.add(id);
			if (this.#verdict({ id, type, path, depth: 0 }, isNamed).isShown) yield { id, type, path };
			yield* this.#from(taggedId(found.content), '', false);
		} else yield* this.#meet({ id, type, path, depth: 0 }, isNamed);
	}

	/** A tree and its entries, or a blob. */
	*#meet(met: MetObject, isNamed: boolean): Generator<WalkedObject> {
		const { id, type, path, depth } = met;
		if (this.#seen.has(id) || (this.#depths.get(id) ?? Infinity) <= depth) return;
		if (++this.#meetings > MOST_MEETINGS) throw fatal('the trees of the repository hold one another too often');
		const { isShown, descends, changes } = this.#verdict(met, isNamed);
		if (changes === 'never') this.#seen.add(id);
		else if (changes === 'less deep') this.#depths.set(id, depth);
		if (isShown && !this.#shown.has(id)) {
			if (type === 'blob' && !this.#isThere(id)) return this.#miss(id, type, path);
			this.#shown.add(id);
			this.omitted.delete(id);
			yield { id, type, path };
		} else if (!isShown && !this.#shown.has(id)) this.omitted.add(id);
		if (type === 'tree' && (descends || this.how.collectsOmitted)) yield* this.#parts(met);
	}

	/** Checks whether a blob exists; one that a promisor remote has is fetched unless blobs may be missing. */
	#isThere(id: string): boolean {
		const { objects } = this.repository;
		return objects.has(id) || ((this.how.missing ?? 'error') === 'error' && objects.find(id) !== null);
	}

	*#parts({ id, path, depth }: MetObject): Generator<WalkedObject> {
		const { objects } = this.repository;
		for (const { id: part, mode, name } of objects.tree(id)) {
			if (mode === Mode.commit) continue;
			const full = path === '' ? name : `${path}/${name}`;
			if (!this.#isInPaths(full, isDirectory(mode))) continue;
			const type = isDirectory(mode) ? 'tree' : 'blob';
			if (type === 'tree' && !this.#seen.has(part) && !objects.find(part)) this.#miss(part, type, full);
			else yield* this.#meet({ id: part, type, path: full, depth: depth + 1 }, false);
		}
	}

	#verdict(met: MetObject, isNamed: boolean): Verdict {
		const { filter, filtersNamed } = this.how;
		if (!filter) return PASSES;
		const verdict = filter(met);
		return isNamed && filtersNamed !== true ? { ...verdict, isShown: true } : verdict;
	}

	#isInPaths(path: string, isTree: boolean): boolean {
		const { pathspec } = this.how;
		if (!pathspec || pathspec.isEmpty || pathspec.matches(path)) return true;
		return isTree && pathspec.items.some((item) => item.path.startsWith(`${path}/`) || /[*?[]/.test(item.path));
	}

	#miss(id: string, type: ObjectType, path: string): void {
		const { missing = 'error' } = this.how;
		this.#seen.add(id);
		if (this.how.promised?.has(id)) return;
		if (missing === 'collect') this.missing.add(id);
		else if (missing === 'error')
			throw type === 'tree'
				? fatal(`bad tree object ${id}`)
				: new GitError(`fatal: missing ${type} object '${id}'`, 128, path);
	}
}
