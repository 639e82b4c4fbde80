import { blobHash } from '#environment/sha1.ts';
import { StorageFullError, type AppendFile, type AppendFolder } from './append-file.ts';
import { BlobPack, type KeepEnd } from './blob-pack.ts';
import type { Damage, RawFile } from './damage.ts';
import type { FileState, JournalLine, Tree } from './file-journal.ts';
import { encodeLines, parseLines, readLines, type ReadLines } from './lines.ts';
import { replay } from './replay.ts';
import type { ForkStart, StoredChange } from './messages.ts';
import { Mode } from '#environment/mode.ts';

const LOG = 'log.jsonl';
const JOURNAL = 'files.jsonl';
const PACK = 'blobs.pack';
const FILES = [LOG, JOURNAL, PACK];
/** File for the bytes that opening cut off: usually torn by a crash, but possibly left by damage. */
const cutOff = (name: string): string => `${name}.cut`;

/** Source of a fork: a session's files and their contents. */
export type ForkedFiles = Pick<SessionFiles, 'state' | 'pack'>;

/**
 * One session on disk: its log, its file journal and its contents. Contents are flushed before the journal that
 * refers to them, the journal before the log: after a crash no reference is dangling.
 */
export class SessionFiles {
	readonly #log: AppendFile;
	readonly #journal: AppendFile;
	readonly pack: BlobPack;
	readonly state: FileState;
	readonly entries: unknown[];
	readonly warnings: string[];
	/** Losses found while opening. */
	readonly damage: Damage[];
	/** Trees whose last part has not arrived yet. */
	readonly #arriving = new Map<string, Tree>();
	/** Initially true: writes of a crashed tab may not have reached the disk. */
	#dirty = true;

	private constructor(parts: {
		log: AppendFile;
		journal: AppendFile;
		pack: BlobPack;
		state: FileState;
		entries: unknown[];
		warnings: string[];
		damage: Damage[];
	}) {
		this.#log = parts.log;
		this.#journal = parts.journal;
		this.pack = parts.pack;
		this.state = parts.state;
		this.entries = parts.entries;
		this.warnings = parts.warnings;
		this.damage = parts.damage;
	}

	/** Opens for writing, creating missing files and cutting off torn ends, which are saved in a separate file. */
	static async open(folder: AppendFolder): Promise<SessionFiles> {
		const opened: AppendFile[] = [];
		const open = async (name: string) => {
			const file = await folder.open(name);
			opened.push(file);
			return file;
		};
		try {
			const keepEnd =
				(name: string): KeepEnd =>
				(end) =>
					keep(folder, cutOff(name), end);
			const pack = await BlobPack.open(await open(PACK), keepEnd(PACK));
			const journal = await open(JOURNAL);
			const log = await open(LOG);
			const journalLines = await readLines(journal, 'file journal', keepEnd(JOURNAL));
			const logLines = await readLines(log, 'session log', keepEnd(LOG));
			const replayed = replay(journalLines.values, (id) => pack.has(id));
			const cut = journalLines.starts[replayed.applied];
			if (cut !== undefined) {
				await keepEnd(JOURNAL)(await journal.read(cut, journal.size() - cut));
				await journal.truncate(cut);
			}
			return new SessionFiles({
				log,
				journal,
				pack,
				state: replayed.state,
				entries: logLines.values,
				warnings: [...logLines.warnings, ...journalLines.warnings, ...replayed.warnings],
				damage: damageOf({ log: logLines, journal: journalLines, contents: pack.count, replayed: replayed.damage })
			});
		} catch (error) {
			await Promise.all(opened.map((file) => file.close()));
			throw error;
		}
	}

	/**
	 * Creates a session from another one's files and contents; its log is empty. Rejects if a tree is missing:
	 * the folder is then incomplete and must be removed.
	 */
	static async fork(folder: AppendFolder, from: ForkedFiles, start: ForkStart): Promise<SessionFiles> {
		const files = await SessionFiles.open(folder);
		try {
			await files.#begin(from, start);
			return files;
		} catch (error) {
			await files.close().catch(() => undefined);
			throw error;
		}
	}

	async #begin({ state, pack }: ForkedFiles, start: ForkStart): Promise<void> {
		const trees = start.trees.map((id) => [id, treeOf(state, id)] as const);
		const initial: Tree = new Map([...state.files].filter(([path]) => !isBelow(path, start.root)));
		for (const [path, entry] of treeOf(state, start.files)) initial.set(`${start.root}/${path}`, entry);
		const needed = [initial, ...trees.map(([, tree]) => tree)].flatMap((tree) => [...tree.values()]);
		await pack.copy(new Set(needed.map(({ blob }) => blob)), this.pack);
		await this.#appendLines(
			[...initial].map(([p, { mode, blob }]): JournalLine => ({ t: 'write', p, m: mode, b: blob }))
		);
		for (const [id, tree] of trees) await this.addTree(id, tree);
	}

	/** Reads only the log, for a tab that may not write. */
	static async readLog(folder: AppendFolder): Promise<{ entries: unknown[]; warnings: string[]; damage: Damage[] }> {
		const bytes = await folder.readWhole(LOG);
		const lines = parseLines(bytes ?? new Uint8Array(), 'session log');
		const damage: Damage[] = lines.damaged > 0 ? [{ kind: 'conversation_lines', count: lines.damaged }] : [];
		return { entries: lines.values, warnings: lines.warnings, damage };
	}

	/** The raw stored files, whatever their state; missing ones are omitted. */
	static async readRaw(folder: AppendFolder): Promise<RawFile[]> {
		const found: RawFile[] = [];
		for (const name of FILES.flatMap((each) => [each, cutOff(each)])) {
			const bytes = await folder.readWhole(name);
			if (bytes && bytes.length > 0) found.push({ name, bytes });
		}
		return found;
	}

	/** Reads files and contents without opening for writing. */
	static async readFiles(
		folder: AppendFolder
	): Promise<ForkedFiles & { readBlob: (id: string) => Promise<Uint8Array | null> }> {
		const { MemoryFile } = await import('./memory-file.ts');
		const packFile = new MemoryFile();
		await packFile.append((await folder.readWhole(PACK)) ?? new Uint8Array());
		const pack = await BlobPack.open(packFile);
		const journal = parseLines((await folder.readWhole(JOURNAL)) ?? new Uint8Array(), 'file journal');
		const { state } = replay(journal.values, (id) => pack.has(id));
		return { state, pack, readBlob: (id) => pack.read(id) };
	}

	async appendEntries(entries: readonly unknown[]): Promise<void> {
		await this.#log.append(encodeLines(entries));
		this.entries.push(...entries);
		this.#dirty = true;
	}

	/** Records file changes, in order. */
	async appendChanges(changes: readonly StoredChange[]): Promise<void> {
		const lines: JournalLine[] = [];
		const blobs: { id: string; bytes: Uint8Array }[] = [];
		changes.forEach((change) => {
			switch (change.kind) {
				case 'write': {
					const id = blobHash(change.bytes);
					blobs.push({ id, bytes: change.bytes });
					return void lines.push({ t: 'write', p: change.path, m: change.mode, b: id });
				}
				case 'mkdir':
					return void lines.push({ t: 'write', p: change.path, m: Mode.directory, b: '' });
				case 'mode':
					return void lines.push({ t: 'mode', p: change.path, m: change.mode });
				case 'remove':
					return void lines.push({ t: 'remove', p: change.path });
				case 'rename':
					return void lines.push({ t: 'rename', p: change.path, to: change.to });
			}
		});
		await this.pack.add(blobs);
		await this.#appendLines(lines);
	}

	/** Adds a part of a tree; {@link addTree} adds the last one. A repeated part is identical. */
	addTreePart(id: string, part: Tree): void {
		const tree = this.#arriving.get(id) ?? new Map();
		for (const each of part) tree.set(...each);
		this.#arriving.set(id, tree);
	}

	async addTree(id: string, last: Tree): Promise<void> {
		this.addTreePart(id, last);
		const tree = this.#arriving.get(id) ?? last;
		this.#arriving.delete(id);
		const line = this.state.treeLine(id, tree);
		if (line) await this.#appendLines([line]);
	}

	readBlob(id: string): Promise<Uint8Array | null> {
		return this.pack.read(id);
	}

	/** Adds contents that no current file has (a share's earlier checkpoints). */
	async addBlobs(contents: readonly Uint8Array[]): Promise<void> {
		await this.pack.add(contents.map((bytes) => ({ id: blobHash(bytes), bytes })));
		this.#dirty = true;
	}

	async flush(): Promise<void> {
		if (!this.#dirty) return;
		this.#dirty = false;
		try {
			await this.pack.flush();
			await this.#journal.flush();
			await this.#log.flush();
		} catch (error) {
			this.#dirty = true;
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.flush();
		await Promise.all([this.pack.close(), this.#journal.close(), this.#log.close()]);
	}

	async #appendLines(lines: JournalLine[]): Promise<void> {
		await this.#journal.append(encodeLines(lines));
		for (const line of lines) this.state.apply(line);
		this.#dirty = true;
	}
}

function treeOf(state: FileState, id: string): Tree {
	const tree = state.tree(id);
	if (!tree) throw new Error('The files of this checkpoint are not stored any more.');
	return tree;
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** Appends to the file of cut-off bytes. If there is no room for it, they are lost: opening has to continue. */
async function keep(folder: AppendFolder, name: string, end: Uint8Array): Promise<void> {
	const file = await folder.open(name);
	try {
		await file.append(end);
		await file.flush();
	} catch (error) {
		if (!(error instanceof StorageFullError)) throw error;
	} finally {
		await file.close();
	}
}

function damageOf(found: { log: ReadLines; journal: ReadLines; contents: number; replayed: Damage[] }): Damage[] {
	const { log, journal, contents, replayed } = found;
	const damage: Damage[] = [];
	if (log.damaged > 0) damage.push({ kind: 'conversation_lines', count: log.damaged });
	if (log.values.length === 0 && journal.values.length > 0) damage.push({ kind: 'conversation_missing' });
	if (journal.damaged > 0) damage.push({ kind: 'change_lines', count: journal.damaged });
	if (journal.values.length === 0 && (contents > 0 || log.values.length > 0))
		damage.push({ kind: 'changes_missing', contents });
	return [...damage, ...replayed];
}
