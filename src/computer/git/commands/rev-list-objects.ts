import { fatal, GitError } from '../errors.ts';
import {
	hideEdges,
	listedObjects,
	OBJECT_OPTIONS,
	splitNames,
	walkHow,
	type NamedStart,
	type SplitNames
} from '../history/listed-objects.ts';
import { ObjectWalk, type WalkedObject } from '../history/object-walk.ts';
import { parseRange, type Revision } from '../history/walk.ts';
import { humanBytes } from '../human-size.ts';
import type { Invocation } from '../invocation.ts';
import { objectId } from '../objects/object.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from '../worktree/pathspec.ts';

/** Options of `rev-list` for listing trees, blobs and tags in addition to commits. */
export const OBJECT_LIST_OPTIONS = {
	...OBJECT_OPTIONS,
	objects: '--objects',
	verifies: '--verify-objects',
	edges: '--objects-edge --objects-edge-aggressive',
	inCommitOrder: '--in-commit-order',
	noNames: '--no-object-names',
	names: '--object-names',
	quiet: '--quiet'
};

type ObjectListOptions = Options<keyof typeof OBJECT_LIST_OPTIONS>;

/**
 * Object list for `--objects` and its variants; null without them.
 *
 * @throws GitError if a filter is given without them
 */
export function objectList(
	repository: Repository,
	options: ObjectListOptions,
	from: { revisions: readonly string[]; pathspec: Pathspec; others: readonly NamedStart[] }
): ObjectList | null {
	if (options.has('objects') || options.has('edges') || options.has('verifies')) {
		const names = splitNames(repository, from.revisions);
		names.others.push(...from.others);
		return new ObjectList(repository, options, names, from.pathspec);
	}
	if (options.has('filter')) throw fatal('object filtering requires --objects');
	return null;
}

class ObjectList {
	readonly #walk: ObjectWalk;
	#revisions: readonly Revision[] = [];
	#edges: readonly string[] = [];

	constructor(
		private readonly repository: Repository,
		private readonly options: ObjectListOptions,
		private readonly names: SplitNames,
		pathspec: Pathspec
	) {
		this.#walk = new ObjectWalk(repository, { ...walkHow(repository, options), pathspec });
	}

	/** Returns the names of commits and ranges. */
	get commits(): readonly string[] {
		return this.names.commits;
	}

	/** Sets the commits of the list. Returns those that the filter includes. */
	begin<One extends Revision>(revisions: readonly One[]): One[] {
		this.#revisions = revisions;
		const { exclude, include } = parseRange(this.repository, this.names.commits);
		this.#edges = hideEdges(this.#walk, revisions, exclude, this.names.others);
		if (this.options.has('verifies')) for (const { id } of revisions) this.verify(id);
		return revisions.filter(({ id }) => this.#walk.showsCommit(id, include.includes(id)));
	}

	all(): Iterable<WalkedObject> {
		return listedObjects(this.#walk, this.#revisions, this.names.others);
	}

	/** Returns lines for the boundary commits, which the other side of a transfer has. */
	edgeLines(): string {
		return this.#edges.map((id) => `-${id}\n`).join('');
	}

	/** Prints the objects, then the omitted and the missing ones. */
	print(git: Invocation, objects = this.all()): void {
		for (const object of objects) this.#printOne(git, object);
		if (this.options.has('printOmitted')) for (const id of this.#walk.omitted) git.out(`~${id}\n`);
		for (const id of this.#walk.missing) git.out(`?${id}\n`);
	}

	/** Prints each commit before the trees and files that it introduced. */
	printBetween<One extends Revision>(git: Invocation, found: readonly One[], shown: (one: One) => Uint8Array): void {
		for (const revision of found) {
			if (!this.options.has('quiet')) git.out(shown(revision));
			for (const object of this.#walk.ofCommit(revision.id)) this.#printOne(git, object);
		}
		this.print(git, listedObjects(this.#walk, [], this.names.others));
	}

	/** @throws GitError if the object's content does not match its id */
	verify(id: string): void {
		const found = this.repository.objects.find(id);
		if (found && objectId(found.type, found.content) !== id)
			throw new GitError(`error: hash mismatch ${id}\nfatal: unable to parse object: ${id}`, 128);
	}

	#printOne(git: Invocation, { id, path }: WalkedObject): void {
		if (this.options.has('verifies')) this.verify(id);
		if (this.options.has('quiet')) return;
		git.out(this.options.has('noNames') ? `${id}\n` : `${id} ${path.split('\n', 1)[0] ?? ''}\n`);
	}
}

/** Disk usage of objects in bytes, or in a human-readable form. */
export function diskUsage(repository: Repository, objects: readonly { id: string }[], form: string): string {
	if (form !== '' && form !== 'human')
		throw fatal(`invalid value for '--disk-usage=<format>': '${form}', the only allowed format is 'human'`);
	const bytes = objects.reduce((sum, { id }) => sum + repository.objects.storedSize(id), 0);
	return `${form === 'human' ? humanBytes(bytes) : bytes}\n`;
}
