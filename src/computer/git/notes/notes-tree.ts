import { Mode } from '#environment/mode.ts';
import { fatal } from '../errors.ts';
import { buildTrees } from '../index/write-tree.ts';
import { newEncoding, serializeCommit } from '../objects/commit.ts';
import { isDirectory } from '../objects/tree.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { entriesOf, treeFiles, type TreeFile } from '../worktree/tree-files.ts';
import { concatenate, type Combine } from './combine.ts';

const ID_DIGITS = 40;

/** Notes of a ref: files named by the ids of the annotated objects, in subdirectories if there are many. */
export class NotesTree {
	/** Id of the note on each object. */
	readonly #notes = new Map<string, string>();
	/** Files that are not notes, kept unchanged. */
	readonly #others = new Map<string, TreeFile>();
	#isChanged = false;

	constructor(
		private readonly repository: Repository,
		/** Ref that changes are written to. */
		readonly ref: string,
		private readonly combine: Combine = concatenate
	) {}

	/** Loads the notes of a tree. @throws GitError if the tree is missing */
	load(tree: string): this {
		this.#load(tree, '', '');
		this.#isChanged = false;
		return this;
	}

	/** Ids of objects and their notes, sorted. */
	entries(): [object: string, note: string][] {
		return [...this.#notes].sort(([a], [b]) => (a < b ? -1 : 1));
	}

	get(object: string): string | undefined {
		return this.#notes.get(object);
	}

	/** Adds a note to an object, combined with an existing one. */
	add(object: string, note: string, combine: Combine = this.combine): void {
		const old = this.#notes.get(object);
		this.#notes.set(object, old === undefined ? note : combine(this.repository.objects, old, note));
		this.#isChanged = true;
	}

	/** Removes a note. Returns false if there is none. */
	remove(object: string): boolean {
		const isThere = this.#notes.delete(object);
		this.#isChanged ||= isThere;
		return isThere;
	}

	/** Stores the tree and returns its id. Adds a directory level if every digit at that position has several notes. */
	writeTree(): string {
		const { objects } = this.repository;
		const files = new Map(this.#others);
		const place = (ids: readonly string[], depth: number, levels: number): void => {
			const groups = new Map<string, string[]>();
			for (const id of ids) {
				const group = groups.get(id[depth]!);
				if (group) group.push(id);
				else groups.set(id[depth]!, [id]);
			}
			const isFull = groups.size === 16 && [...groups.values()].every((group) => group.length > 1);
			const deeper = depth === 2 * levels && isFull ? levels + 1 : levels;
			for (const group of groups.values()) {
				if (group.length > 1) place(group, depth + 1, deeper);
				else files.set(notePath(group[0]!, deeper), { mode: Mode.file, id: this.#notes.get(group[0]!)! });
			}
		};
		place([...this.#notes.keys()], 0, 0);
		return buildTrees(entriesOf(files), (content) => objects.write('tree', content)).id;
	}

	/** Creates a commit of the notes, by default on top of the ref's commit. */
	writeCommit(message: string, parents?: readonly string[]): string {
		const { repository } = this;
		const parent = repository.refs.resolve(this.ref);
		return repository.objects.write(
			'commit',
			serializeCommit({
				...newEncoding(repository.config),
				tree: this.writeTree(),
				parents: parents ? [...parents] : parent === null ? [] : [parent],
				author: repository.author(),
				committer: repository.committer(),
				message
			})
		);
	}

	/** Commits the changes to the ref, if any. */
	commit(message: string): void {
		if (!this.#isChanged) return;
		this.repository.refs.update(this.ref, this.writeCommit(`${message}\n`), `notes: ${message}`);
	}

	#load(tree: string, digits: string, path: string): void {
		for (const { mode, name, id } of this.repository.objects.tree(tree)) {
			const isHex = /^[0-9a-f]+$/.test(name);
			if (isHex && !isDirectory(mode) && digits.length + name.length === ID_DIGITS) this.add(digits + name, id);
			else if (isHex && isDirectory(mode) && name.length === 2 && digits.length < ID_DIGITS - 2)
				this.#load(id, digits + name, `${path}${name}/`);
			else if (isDirectory(mode)) {
				for (const [inner, file] of treeFiles(this.repository.objects, id))
					this.#others.set(`${path}${name}/${inner}`, file);
			} else this.#others.set(path + name, { mode, id });
		}
	}
}

/** Path of a note with a number of directory levels. */
function notePath(id: string, levels: number): string {
	let path = '';
	for (let level = 0; level < levels; level++) path += `${id.slice(level * 2, level * 2 + 2)}/`;
	return path + id.slice(levels * 2);
}

/** Notes of a ref, or of any named commit or tree. @throws GitError if the object is not a tree */
export function readNotes(repository: Repository, name: string, combine?: Combine): NotesTree {
	const notes = new NotesTree(repository, name, combine);
	const id = findRevision(repository, name);
	const tree = id === null ? null : peel(repository, id, 'tree');
	if (id !== null && tree === null) throw fatal(`Failed to read notes tree referenced by ${name} (${id})`);
	return tree === null ? notes : notes.load(tree);
}

/** Same, to be changed. @throws GitError if the name is not a ref */
export function openNotes(repository: Repository, ref: string, combine?: Combine): NotesTree {
	if (findRevision(repository, ref) !== null && repository.refs.resolve(ref) === null)
		throw fatal(`Cannot use notes ref ${ref}`);
	return readNotes(repository, ref, combine);
}
