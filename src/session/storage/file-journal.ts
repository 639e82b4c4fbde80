import { z } from 'zod';
import { PathIndex } from './path-index.ts';

export interface TreeEntry {
	mode: number;
	/** git blob id; `''` for a directory. */
	blob: string;
}
export type Tree = Map<string, TreeEntry>;

const entry = z.tuple([z.number(), z.string()]);

/**
 * One line of `files.jsonl`. Keys are short, since there is one line per write. Paths are absolute, except in
 * trees.
 */
export const journalLine = z.discriminatedUnion('t', [
	z.object({ t: z.literal('write'), p: z.string(), m: z.number(), b: z.string() }),
	z.object({ t: z.literal('mode'), p: z.string(), m: z.number() }),
	z.object({ t: z.literal('remove'), p: z.string() }),
	z.object({ t: z.literal('rename'), p: z.string(), to: z.string() }),
	/** A checkpoint's tree, as the difference from an earlier one (`base` `null`: from nothing). */
	z.object({
		t: z.literal('tree'),
		id: z.string(),
		base: z.string().nullable(),
		set: z.record(z.string(), entry),
		del: z.array(z.string())
	})
]);
export type JournalLine = z.infer<typeof journalLine>;

/** Current files according to the journal, and the trees of checkpoints. */
export class FileState {
	readonly #files: Tree = new Map();
	readonly #index = new PathIndex(this.#files);
	readonly #trees = new Map<string, Tree>();
	#lastTree: { id: string; tree: Tree } | null = null;

	get files(): ReadonlyMap<string, TreeEntry> {
		return this.#files;
	}

	/** Applies one line. Returns a sentence if it is inconsistent. */
	apply(line: JournalLine): string | null {
		switch (line.t) {
			case 'write':
				this.#set(line.p, { mode: line.m, blob: line.b });
				return null;
			case 'mode': {
				const file = this.#files.get(line.p);
				if (file) this.#files.set(line.p, { ...file, mode: line.m });
				return null;
			}
			case 'remove':
				for (const path of this.#below(line.p)) this.#delete(path);
				return null;
			case 'rename':
				this.#rename(line.p, line.to);
				return null;
			case 'tree': {
				const base = line.base === null ? new Map<string, TreeEntry>() : this.#trees.get(line.base);
				if (!base) return `A checkpoint builds on one that is missing (${line.base}).`;
				const tree = new Map(base);
				for (const path of line.del) tree.delete(path);
				for (const [path, [mode, blob]] of Object.entries(line.set)) tree.set(path, { mode, blob });
				this.#trees.set(line.id, tree);
				this.#lastTree = { id: line.id, tree };
				return null;
			}
		}
	}

	tree(id: string): Tree | undefined {
		return this.#trees.get(id);
	}

	treeIds(): string[] {
		return [...this.#trees.keys()];
	}

	/** The line that stores a tree as the difference from the last one. `null` if it is stored already. */
	treeLine(id: string, tree: Tree): JournalLine | null {
		if (this.#trees.has(id)) return null;
		const base: Tree = this.#lastTree?.tree ?? new Map();
		const set: Record<string, [number, string]> = {};
		for (const [path, entry] of tree) {
			const before = base.get(path);
			if (before?.blob !== entry.blob || before.mode !== entry.mode) set[path] = [entry.mode, entry.blob];
		}
		const del = [...base.keys()].filter((path) => !tree.has(path));
		return { t: 'tree', id, base: this.#lastTree?.id ?? null, set, del };
	}

	#rename(from: string, to: string): void {
		const moved = this.#below(from).map((path) => [path, this.#files.get(path)] as const);
		for (const path of this.#below(to)) this.#delete(path);
		for (const [path, file] of moved) {
			this.#delete(path);
			if (file) this.#set(to + path.slice(from.length), file);
		}
	}

	#set(path: string, entry: TreeEntry): void {
		const isNew = !this.#files.has(path);
		this.#files.set(path, entry);
		if (isNew) this.#index.add(path);
	}

	#delete(path: string): void {
		if (this.#files.delete(path)) this.#index.remove(path);
	}

	#below(path: string): string[] {
		const own = this.#files.get(path);
		// A file cannot have anything below it, whatever a damaged journal says.
		return own && own.blob !== '' ? [path] : this.#index.below(path);
	}
}
