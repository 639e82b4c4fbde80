import { Mode } from '#environment/mode.ts';
import { compareTrees } from '../diff/change.ts';
import { fatal } from '../errors.ts';
import { ancestors, walkHistory, type Range } from '../history/walk.ts';
import type { Repository } from '../repository.ts';
import { modulesIn, type Module } from './modules.ts';

/** Submodule that commits of its superproject move to other commits. */
export interface MovedModule {
	/** As configured in the newest of these commits; named like its path if that configures none. */
	module: Module;
	/** Newest of the commits of the superproject. */
	by: string;
	/** Commits of the submodule. */
	commits: Set<string>;
}

/** Submodules that a range of commits moves or adds, sorted by name. */
export function movedModules(repository: Repository, range: Range): MovedModule[] {
	const moved = new Map<string, MovedModule>();
	for (const { id, commit } of walkHistory(repository, range)) {
		const sides = commit.parents.length === 0 ? [null] : commit.parents.map((parent) => repository.commit(parent).tree);
		const changes = sides.map((side) => movesBetween(repository, side, commit.tree));
		const [first = new Map<string, string>(), ...others] = changes;
		// A merge moves a submodule if it differs from all parents.
		const own = [...first].filter(([path]) => others.every((one) => one.has(path)));
		if (own.length === 0) continue;
		const modules = modulesIn(repository, commit.tree);
		for (const [path, target] of own) {
			const module = modules.get(path) ?? unnamed(repository, path);
			if (!module) continue;
			const found = moved.get(module.name) ?? { module, by: id, commits: new Set<string>() };
			moved.set(module.name, found);
			found.commits.add(target);
		}
	}
	return [...moved.values()].sort((a, b) => (a.module.name < b.module.name ? -1 : 1));
}

/** Commits of submodules that differ between two trees, by path. */
function movesBetween({ objects }: Repository, before: string | null, after: string): Map<string, string> {
	const moves = new Map<string, string>();
	for (const { after: side } of compareTrees(objects, before, after))
		if (side?.mode === Mode.commit) moves.set(side.path, side.id);
	return moves;
}

/** A repository in place counts as a submodule without an entry in `.gitmodules`; null if there is none. */
const unnamed = (repository: Repository, path: string): Module | null =>
	repository.nested(path) ? { name: path, path } : null;

/**
 * Returns whether a submodule has commits, also in its history, so that no fetch is needed for them.
 *
 * @param nested repository of the submodule
 * @throws GitError if one of them is another kind of object
 */
export function hasCommits(nested: Repository, path: string, commits: ReadonlySet<string>): boolean {
	let isComplete = true;
	for (const id of commits) {
		const type = nested.objects.find(id)?.type;
		if (type === undefined) isComplete = false;
		else if (type !== 'commit') throw fatal(`submodule entry '${path}' (${id}) is a ${type}, not a commit`);
	}
	return isComplete && unreferenced(nested, commits, 'refs/').length === 0;
}

/** Commits that no reference with a prefix leads to. */
export function unreferenced(nested: Repository, commits: ReadonlySet<string>, prefix: string): string[] {
	const { refs, objects } = nested;
	const tips = refs
		.list(prefix)
		.map(({ id }) => nested.peeled(id))
		.filter((id) => objects.find(id)?.type === 'commit');
	// HEAD counts as a reference.
	const head = prefix === 'refs/' ? nested.head() : null;
	const known = ancestors(nested, head === null ? tips : [...tips, head]);
	return [...commits].filter((id) => !known.has(id));
}
