import { diffLines } from 'diff';
import type { ExecutionEnvironment, FileChange, Snapshot } from '../environment/contract.ts';
import type { EventBody } from './events.ts';
import { FileHistory, type FileVersion } from './file-history.ts';

type FileChangeBody = Extract<EventBody, { type: 'file_change' }>;
type Author = FileChangeBody['by'];

/** More changed files than this at once (an install, a checkout) are said in one warning. */
const MOST_EVENTS_AT_ONCE = 200;
/** Larger files are not compared line by line. */
const LARGEST_COMPARED = 1_000_000;
/** Changes of the person's own come together before they are said. */
const USER_BATCH_MS = 100;

/** A file that a call changed, with its blobs; `null` where there is none. */
export interface ChangedFile {
	/** Relative to the working directory. */
	path: string;
	before: string | null;
	after: string | null;
}

interface UndoStep {
	before: Snapshot;
	paths: string[];
}

/**
 * Watches the environment's write journal, so that a shell's writes are seen too: tells what each
 * tool call changed, and can put it back. Paths in events are relative to the working directory.
 */
export class FileChanges {
	readonly #unsubscribe: () => void;
	readonly #undo: UndoStep[] = [];
	readonly history: FileHistory;
	#touched = new Set<string>();
	#author: Author = 'user';
	/** Calls at work now; subagents share the files, so there may be several. */
	#active = 0;
	#known: Snapshot | null = null;
	#timer: ReturnType<typeof setTimeout> | null = null;

	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly emit: (body: EventBody) => void
	) {
		this.history = new FileHistory(environment);
		this.#unsubscribe = environment.onChange((change) => this.#onChange(change));
	}

	dispose(): void {
		this.#unsubscribe();
		if (this.#timer) clearTimeout(this.#timer);
	}

	/** The files are other ones from here on: no way back leads over that, and no difference is a change. */
	forget(): void {
		this.#undo.length = 0;
		this.#known = null;
		this.#touched = new Set();
	}

	/**
	 * Runs a call that may write, then says what it changed and keeps the way back.
	 *
	 * @param then makes the value what it is for good, knowing what changed
	 */
	async during<T>(
		by: Author,
		work: () => Promise<T>,
		then: (value: T, changed: readonly ChangedFile[]) => T | Promise<T> = (value) => value
	): Promise<T> {
		let changed: ChangedFile[] = [];
		let value: T;
		if (this.#active === 0) await this.#reportUser();
		const before = await this.#snapshot();
		this.#active += 1;
		this.#author = by;
		try {
			value = await work();
		} finally {
			changed = await this.#report(before);
			this.#active -= 1;
			if (this.#active === 0) this.#author = 'user';
			if (before && changed.length > 0) {
				this.#undo.push({ before, paths: changed.map(({ path }) => path) });
				if (this.#undo.length > 50) this.#undo.shift();
			}
		}
		return then(value, changed);
	}

	/** Puts the files back as they were before the last call that changed any. The paths, or `null`. */
	async undo(): Promise<string[] | null> {
		const step = this.#undo.pop();
		if (!step) return null;
		await this.environment.restore(step.before);
		await this.#reportUser();
		return step.paths;
	}

	/** Puts one file back as it was at a version of its history; that is a version too. */
	async restoreVersion(path: string, version: FileVersion['before']): Promise<void> {
		await this.during('user', () => this.history.restore(path, version));
	}

	/** Asked each time: the environment may stand for a copy that lies elsewhere. */
	get #root(): string {
		return this.environment.workingDirectory().replace(/\/$/, '');
	}

	#onChange(change: FileChange): void {
		const root = this.#root;
		for (const path of change.to === undefined ? [change.path] : [change.path, change.to]) {
			const relative = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
			const ofGit = relative === '.git' || relative?.startsWith('.git/');
			if (relative !== null && !ofGit && change.kind !== 'mkdir') this.#touched.add(relative);
		}
		if (this.#author === 'user' && this.#touched.size > 0)
			this.#timer ??= setTimeout(() => void this.#reportUser(), USER_BATCH_MS);
	}

	async #reportUser(): Promise<void> {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		if (this.#touched.size > 0) await this.#report(this.#known);
	}

	async #report(before: Snapshot | null): Promise<ChangedFile[]> {
		const paths = [...this.#touched].sort();
		this.#touched = new Set();
		const changed: ChangedFile[] = [];
		const by = this.#author;
		const after = paths.length > 0 ? await this.#snapshot() : null;
		for (const path of paths) {
			const was = before?.entries.get(path);
			const is = after?.entries.get(path);
			if (before && after && was?.blob === is?.blob && was?.mode === is?.mode) continue;
			if ((is ?? was)?.mode === 0o40000) continue;
			const file = { path, before: was?.blob ?? null, after: is?.blob ?? null };
			changed.push(file);
			this.history.add({ ...file, timestamp: Date.now(), by });
			if (changed.length > MOST_EVENTS_AT_ONCE) continue;
			const kind = !is ? 'removed' : was ? 'modified' : 'added';
			this.emit({ type: 'file_change', path, kind, by, ...(await this.#countLines(was?.blob, is?.blob)) });
		}
		if (changed.length > MOST_EVENTS_AT_ONCE)
			this.emit({
				type: 'warning',
				code: 'many_files_changed',
				message: `${changed.length} files changed at once; the first ${MOST_EVENTS_AT_ONCE} are listed.`
			});
		return changed;
	}

	async #countLines(was: string | undefined, is: string | undefined): Promise<{ added: number; removed: number }> {
		const [before, after] = await Promise.all([this.#text(was), this.#text(is)]);
		if (before === null || after === null) return { added: 0, removed: 0 };
		let added = 0;
		let removed = 0;
		for (const part of diffLines(before, after, { timeout: 200 }) ?? []) {
			if (part.added) added += part.count;
			else if (part.removed) removed += part.count;
		}
		return { added, removed };
	}

	/** `null` for what has no lines to count: binary or very large. */
	async #text(blob: string | undefined): Promise<string | null> {
		if (!blob) return '';
		try {
			const bytes = await this.history.read(blob);
			if (bytes.length > LARGEST_COMPARED || bytes.includes(0)) return null;
			return new TextDecoder().decode(bytes);
		} catch {
			// A blob the environment no longer has: the change itself is still worth telling.
			return null;
		}
	}

	async #snapshot(): Promise<Snapshot | null> {
		try {
			return (this.#known = await this.environment.snapshot());
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			this.emit({ type: 'warning', code: 'snapshot_failed', message: `This step cannot be undone: ${reason}` });
			return null;
		}
	}
}
