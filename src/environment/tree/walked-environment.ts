import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { sliceLines } from '../lines.ts';
import { inBatches } from './batches.ts';
import { tellAll, type ChangeListener, type Journal, type JournalTree } from './journal.ts';
import { planRestore, type RestorePlan } from './restore.ts';
import type { TreeSnapshots } from './snapshots.ts';

const NOTHING = new Uint8Array();

/** File methods of the contract on a tree elsewhere. Paths are as callers give them. */
export interface WalkedFiles {
	/** Runs mutations and scans one after another, so that a scan never sees half of a write. */
	inTurn<T>(work: () => Promise<T>): Promise<T>;
	readBytes(path: string): Promise<Uint8Array>;
	exists(path: string): Promise<boolean>;
	stat(path: string): Promise<contract.FileStat>;
	list(path: string, depth: number): Promise<contract.DirEntry[]>;
	write(path: string, bytes: Uint8Array): Promise<void>;
	remove(path: string, recursive: boolean): Promise<void>;
	rename(from: string, to: string): Promise<void>;
	makeDirectory(path: string): Promise<void>;
	readLink(path: string): Promise<string>;
	symlink(target: string, path: string): Promise<void>;
	setMode(path: string, mode: number): Promise<void>;
	load(entries: AsyncIterable<contract.LoadEntry>, options?: contract.LoadOptions): Promise<void>;
	/** Writes without queueing or journaling, for callers that do both themselves. */
	place(entries: readonly contract.LoadEntry[]): Promise<unknown>;
}

/** Parts of such an environment once it is open. */
export interface WalkedPlace {
	/** Working directory on the other side, absolute. */
	root: string;
	files: WalkedFiles;
	tree: JournalTree;
	journal: Journal;
	snapshots: TreeSnapshots;
	search: Pick<contract.ExecutionEnvironment, 'grep' | 'glob'>;
}

/**
 * An environment that reaches its files and commands indirectly, and detects the changes of commands by walking the
 * tree when they end. It opens on the first call; after `cleanup` every call rejects.
 */
export abstract class WalkedEnvironment<Place extends WalkedPlace> implements contract.ExecutionEnvironment {
	readonly #listeners = new Set<ChangeListener>();
	#opened: Promise<Place> | undefined;
	#closed: Promise<void> | undefined;

	abstract workingDirectory(): string;
	abstract platform(): ReturnType<contract.ExecutionEnvironment['platform']>;
	abstract osVersion(): string;
	abstract exec(command: string, options?: contract.ExecOptions): Promise<contract.ExecResult>;
	abstract start(command: string, options?: contract.ExecOptions): Promise<contract.Process>;
	abstract openTerminal(size: contract.TerminalSize): Promise<contract.Terminal>;
	abstract overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment>;

	/** Connects and starts the journal. If it rejects, the next call tries again. */
	protected abstract prepare(): Promise<Place>;
	/** Ends running programs. @param place absent if nothing was ever opened */
	protected abstract end(place: Place | undefined): Promise<void>;
	/** Removes paths, then creates directories, all relative to the root. */
	protected abstract reshape(place: Place, plan: Pick<RestorePlan, 'remove' | 'directories'>): Promise<void>;

	protected get isClosed(): boolean {
		return this.#closed !== undefined;
	}

	async initialize(): Promise<void> {
		await this.open();
	}

	cleanup(): Promise<void> {
		this.#closed ??= Promise.resolve(this.#opened)
			.catch(() => undefined)
			.then((place) => this.end(place));
		return this.#closed;
	}

	async readFile(path: string, range?: contract.LineRange): Promise<string> {
		return sliceLines(new TextDecoder().decode(await this.readBytes(path)), range);
	}

	async readBytes(path: string): Promise<Uint8Array> {
		return (await this.open()).files.readBytes(path);
	}

	async writeFile(path: string, content: string | Uint8Array): Promise<void> {
		const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
		await (await this.open()).files.write(path, bytes);
	}

	async fileExists(path: string): Promise<boolean> {
		return (await this.open()).files.exists(path);
	}

	async stat(path: string): Promise<contract.FileStat> {
		return (await this.open()).files.stat(path);
	}

	async listDirectory(path: string, depth: number): Promise<contract.DirEntry[]> {
		return (await this.open()).files.list(path, depth);
	}

	async remove(path: string, options: { recursive?: boolean } = {}): Promise<void> {
		await (await this.open()).files.remove(path, options.recursive ?? false);
	}

	async rename(from: string, to: string): Promise<void> {
		await (await this.open()).files.rename(from, to);
	}

	async makeDirectory(path: string): Promise<void> {
		await (await this.open()).files.makeDirectory(path);
	}

	async readLink(path: string): Promise<string> {
		return (await this.open()).files.readLink(path);
	}

	async symlink(target: string, path: string): Promise<void> {
		await (await this.open()).files.symlink(target, path);
	}

	async setMode(path: string, mode: number): Promise<void> {
		await (await this.open()).files.setMode(path, mode);
	}

	async load(entries: AsyncIterable<contract.LoadEntry>, options?: contract.LoadOptions): Promise<void> {
		await (await this.open()).files.load(entries, options);
	}

	onChange(listener: (change: contract.FileChange) => void): () => void {
		// Each subscription is separate, even for the same function.
		const own: ChangeListener = (change) => listener(change);
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	async grep(pattern: string, path: string, options: contract.GrepOptions = {}): Promise<string> {
		return (await this.open()).search.grep(pattern, path, options);
	}

	async glob(pattern: string, path: string): Promise<string[]> {
		return (await this.open()).search.glob(pattern, path);
	}

	async snapshot(): Promise<contract.Snapshot> {
		const { files, snapshots } = await this.open();
		return files.inTurn(() => snapshots.take());
	}

	async restore(snapshot: contract.Snapshot): Promise<void> {
		const place = await this.open();
		const { root, files, journal, snapshots, tree } = place;
		await files.inTurn(async () => {
			const plan = planRestore(snapshot, await snapshots.take(), await tree.walk(root));
			// All blobs are read first: a missing one must not leave half a restore.
			const contents = await Promise.all(plan.write.map(({ blob }) => snapshots.read(blob)));
			const entries = plan.write.map(({ path, mode }, index) => ({ path, mode, bytes: contents[index] ?? NOTHING }));
			await this.reshape(place, plan);
			for await (const batch of inBatches(entries)) await files.place(batch);
			await journal.scan();
		});
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		return (await this.open()).snapshots.read(blob);
	}

	protected open(): Promise<Place> {
		if (this.#closed) return Promise.reject(new EnvironmentError('ECLOSED', 'This environment has been closed.'));
		this.#opened ??= this.#openOnce();
		return this.#opened;
	}

	/** Reports changes in the tree since the last walk. */
	protected async scanned(): Promise<void> {
		const opened = await this.#opened;
		if (opened && !this.#closed) await opened.files.inTurn(() => opened.journal.scan());
	}

	async #openOnce(): Promise<Place> {
		try {
			const place = await this.prepare();
			place.journal.subscribe((change) => tellAll(this.#listeners, change));
			return place;
		} catch (error) {
			this.#opened = undefined;
			throw error;
		}
	}
}
