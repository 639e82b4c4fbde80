import type { Checkpoint } from './contract.ts';

/** Path relative to the working directory → mode with type bits and git blob id (`''` for a directory). */
export type Tree = Map<string, { mode: number; blob: string }>;
export type ReadonlyTree = ReadonlyMap<string, { mode: number; blob: string }>;

/** Storage for a workspace's checkpoints; a stored session is one. */
export interface CheckpointStore {
	checkpoints(): Checkpoint[];
	addCheckpoint(checkpoint: Checkpoint, tree: Tree): Promise<void>;
	/** Rejects if it does not exist. */
	readTree(id: string): Promise<Tree>;
	/** Rejects if it does not exist. */
	readBlob(id: string): Promise<Uint8Array>;
}

/** The stored content of a file in a checkpoint is damaged or missing. */
export class ContentLost extends Error {
	override readonly name = 'ContentLost';
	constructor() {
		super('The content of a file in this checkpoint is damaged or not stored any more.');
	}
}

/** For a workspace without a stored session: contents are read from the environment that has them. */
export class MemoryCheckpointStore implements CheckpointStore {
	readonly #checkpoints: Checkpoint[] = [];
	readonly #trees = new Map<string, Tree>();
	readonly #readBlob: (id: string) => Promise<Uint8Array>;

	constructor(readBlob: (id: string) => Promise<Uint8Array>) {
		this.#readBlob = readBlob;
	}

	checkpoints(): Checkpoint[] {
		return [...this.#checkpoints];
	}

	async addCheckpoint(checkpoint: Checkpoint, tree: Tree): Promise<void> {
		this.#checkpoints.push(checkpoint);
		this.#trees.set(checkpoint.tree, tree);
	}

	async readTree(id: string): Promise<Tree> {
		const tree = this.#trees.get(id);
		if (!tree) throw new RangeError(`There is no tree ${id}.`);
		return tree;
	}

	readBlob(id: string): Promise<Uint8Array> {
		return this.#readBlob(id);
	}
}
