import type { Tree } from '#workspace/checkpoint-store.ts';
import { ignoreRulesOf } from '#environment/ignore-rules.ts';
import { blobId } from '#environment/blob-id.ts';
import { toBase64 } from './base64.ts';
import type { Redaction } from './redaction.ts';
import { Mode } from '#environment/mode.ts';

/** Shared content of a file, and its blob id. */
interface Carried {
	blob: string;
	file: { mode: number; base64: string };
}

/** Selects the files of a session's trees that a share contains, and removes their secrets. */
export class CarriedFiles {
	readonly #start: Tree;
	readonly #isBased: boolean;
	readonly #readBlob: (blob: string) => Promise<Uint8Array>;
	readonly #redaction: Redaction;
	readonly #known = new Map<string, Promise<Carried>>();

	/**
	 * Creates the selection.
	 * @param start the files as they were imported
	 * @param isBased whether they come from a repository that the visitor's page can fetch
	 */
	constructor(start: Tree, isBased: boolean, readBlob: (blob: string) => Promise<Uint8Array>, redaction: Redaction) {
		this.#start = start;
		this.#isBased = isBased;
		this.#readBlob = readBlob;
		this.#redaction = redaction;
	}

	/** The shared part of a tree: everything git tracks or would add, without git's own files. */
	async of(tree: Tree): Promise<Tree> {
		const isIgnored = await ignoreRulesOf(tree, this.#readBlob);
		const isTracked = (path: string): boolean =>
			this.#isBased && this.#start.has(path) && path !== '.git' && !path.startsWith('.git/');
		return new Map(
			[...tree].filter(([path, { mode }]) => mode !== Mode.directory && (isTracked(path) || !isIgnored(path)))
		);
	}

	/** Empty directories of a tree that git does not ignore. */
	async emptyDirectories(tree: Tree): Promise<string[]> {
		const isIgnored = await ignoreRulesOf(tree, this.#readBlob);
		return [...tree].flatMap(([path, { mode }]) => (mode === Mode.directory && !isIgnored(`${path}/`) ? [path] : []));
	}

	/** Shared content of a file in such a tree. */
	async file(path: string, entry: { mode: number; blob: string }): Promise<Carried['file']> {
		return (await this.#read(path, entry)).file;
	}

	/** Converts such a tree to the form that the visitor gets. */
	async asCarried(tree: Tree): Promise<Tree> {
		const carried: Tree = new Map();
		for (const [path, entry] of tree) {
			const isFetched = this.#isBased && this.#start.get(path)?.blob === entry.blob;
			carried.set(path, isFetched ? entry : { mode: entry.mode, blob: (await this.#read(path, entry)).blob });
		}
		return carried;
	}

	#read(path: string, { mode, blob }: { mode: number; blob: string }): Promise<Carried> {
		const key = `${mode} ${blob} ${path}`;
		let carried = this.#known.get(key);
		if (!carried) {
			carried = this.#readBlob(blob).then(async (bytes) => {
				const clean = this.#redaction.file(path, bytes);
				const id = clean === bytes ? blob : await blobId(clean);
				const known = mode === Mode.executable || mode === Mode.symlink ? mode : Mode.file;
				return { blob: id, file: { mode: known, base64: toBase64(clean) } };
			});
			this.#known.set(key, carried);
		}
		return carried;
	}
}
