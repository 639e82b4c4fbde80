import { diffLines } from 'diff';
import type { ExecutionEnvironment, FileChange, Snapshot } from '#environment/contract.ts';
import { TreeIgnoreRules, ignoreRules, type IsIgnored } from '#environment/ignore-rules.ts';
import { TimeSlice } from '#environment/time-slice.ts';
import type { SnapshotEntry } from '#environment/snapshot-diff.ts';
import type { EventBody } from './events.ts';
import { FileHistory, type FileVersion } from './file-history.ts';
import { isOfGit, TouchedPaths, UndoSteps, withoutStep } from './undo-steps.ts';
import { Mode } from '#environment/mode.ts';

type FileChangeBody = Extract<EventBody, { type: 'file_change' }>;
type Author = FileChangeBody['by'];

/** Maximum events per report: if more files change at once (a checkout), a warning replaces the remaining events. */
const MAX_EVENTS_AT_ONCE = 200;
/** Maximum size of files compared line by line, in bytes. */
const LARGEST_COMPARED = 1_000_000;
/** Delay that batches the user's own changes, in milliseconds. */
const USER_BATCH_MS = 100;

/** Collects the paths that change while it is active. */
interface Watch {
	touched: TouchedPaths;
}

/** A file that a call changed, with its blobs; `null` if the file did not exist. */
export interface ChangedFile {
	/** Relative to the working directory. */
	path: string;
	before: string | null;
	after: string | null;
}

/**
 * Watches the environment's write journal, including a shell's writes: reports what each tool call changed, and can
 * undo it. Paths in events are relative to the working directory. Ignored files (an install, a build) are also undone
 * but not reported, since they are not reviewed.
 */
export class FileChanges {
	readonly #unsubscribe: () => void;
	readonly #undo = new UndoSteps();
	readonly history: FileHistory;
	readonly #ignoreRules: TreeIgnoreRules;
	/** The user's changes: those outside of calls. */
	readonly #userChanges: Watch = { touched: new TouchedPaths() };
	/** Running calls; subagents share the files, so several may run. */
	readonly #calls = new Set<Watch>();
	/** Set once the user's changes made before the running calls have been reported. */
	#isCallsTurn = false;
	#known: Snapshot | null = null;
	#timer: ReturnType<typeof setTimeout> | null = null;
	/** Last report of the user's own changes; `#reportedMs` is its duration. */
	#reporting: Promise<unknown> = Promise.resolve();
	#reportedMs = 0;

	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly emit: (body: EventBody) => void
	) {
		this.history = new FileHistory(environment);
		this.#ignoreRules = new TreeIgnoreRules((blob) => this.history.read(blob), ['.gitignore', '.ignore']);
		this.#unsubscribe = environment.onChange((change) => this.#onChange(change));
	}

	dispose(): void {
		this.#unsubscribe();
		if (this.#timer) clearTimeout(this.#timer);
	}

	/**
	 * Resets the state after the files were replaced: earlier steps cannot be undone, and the differences are not
	 * reported.
	 */
	forget(): void {
		this.#undo.clear();
		this.#known = null;
		for (const watch of [this.#userChanges, ...this.#calls]) watch.touched = new TouchedPaths();
	}

	/**
	 * Runs a call that may write, then reports its changes and makes them undoable.
	 *
	 * @param then computes the final value, given the changed files
	 */
	async during<T>(
		by: Author,
		work: () => Promise<T>,
		then: (value: T, changed: readonly ChangedFile[]) => T | Promise<T> = (value) => value
	): Promise<T> {
		let changed: ChangedFile[] = [];
		let value: T;
		const isFirst = this.#calls.size === 0;
		const call: Watch = { touched: new TouchedPaths() };
		this.#calls.add(call);
		try {
			// A second call waits until the user's changes have been reported.
			if (!isFirst) await this.#reporting;
			const before = isFirst ? await this.#reportUser(true) : await this.#snapshot();
			this.#isCallsTurn = true;
			try {
				value = await work();
			} finally {
				({ changed } = await this.#report(by, call, before, { undoable: true }));
			}
		} finally {
			this.#calls.delete(call);
			if (this.#calls.size === 0) this.#isCallsTurn = false;
		}
		return then(value, changed);
	}

	/**
	 * Restores the files that the last call changed; changes made elsewhere since are kept. Returns the paths, or
	 * `null`.
	 */
	async undo(): Promise<string[] | null> {
		const step = this.#undo.pop();
		if (!step) return null;
		await this.environment.restore(await withoutStep(await this.environment.snapshot(), step));
		await this.#reportUser();
		return step.paths;
	}

	/** Restores one file to a version of its history; the restored content is a new version. */
	async restoreVersion(path: string, version: FileVersion['before']): Promise<void> {
		await this.during('user', () => this.history.restore(path, version));
	}

	/** Read each time: the environment may refer to a copy in another directory. */
	get #root(): string {
		return this.environment.workingDirectory().replace(/\/$/, '');
	}

	#onChange(change: FileChange): void {
		const root = this.#root;
		for (const path of change.to === undefined ? [change.path] : [change.path, change.to]) {
			const relative = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
			if (relative === null) continue;
			const isFile = change.kind !== 'mkdir' && !isOfGit(relative);
			const isIgnored = this.#ignoreRules.covers(relative);
			for (const { touched } of this.#calls) touched.add(relative, isFile);
			// Ignored files are not reported, so that a running installation does not trigger snapshots again and
			// again.
			if (!this.#isCallsTurn) this.#userChanges.touched.add(relative, isFile && !isIgnored);
		}
		if (!this.#isCallsTurn && this.#userChanges.touched.hasFiles)
			this.#timer ??= setTimeout(() => void this.#reportUser(), Math.max(USER_BATCH_MS, this.#reportedMs));
	}

	/**
	 * Reports the user's changes after the previous report has ended.
	 *
	 * @param looks takes a snapshot even if no change is known
	 * @returns the snapshot that was reported; `null` if there was nothing to report
	 */
	async #reportUser(looks = false): Promise<Snapshot | null> {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		const report = this.#reporting.then(async () => {
			// While a call runs, changes are reported as its own.
			if (!looks && (this.#isCallsTurn || !this.#userChanges.touched.hasFiles)) return null;
			const fromMs = performance.now();
			const { after } = await this.#report('user', this.#userChanges, this.#known, { looks });
			this.#reportedMs = performance.now() - fromMs;
			return after;
		});
		// Callers waiting for the report receive its failure.
		this.#reporting = report.catch(() => undefined);
		return report;
	}

	/**
	 * @param options.undoable makes these changes undoable
	 * @param options.looks takes a snapshot even if no change is known
	 */
	async #report(
		by: Author,
		watch: Watch,
		before: Snapshot | null,
		{ undoable = false, looks = false }: { undoable?: boolean; looks?: boolean }
	): Promise<{ changed: ChangedFile[]; after: Snapshot | null }> {
		const { touched } = watch;
		watch.touched = new TouchedPaths();
		const changed: ChangedFile[] = [];
		const after = looks || !touched.isEmpty ? await this.#snapshot() : null;
		// A change that arrived meanwhile may or may not be in the snapshot: compare it now, and again with the next
		// report.
		const looked = after && !watch.touched.isEmpty ? touched.with(watch.touched) : touched;
		if (looked.isEmpty) return { changed, after };
		const differing = before && after ? await looked.differences(before, after) : filesOf(touched, looked, after);
		// A change is reported by one of the calls that run at the same time.
		for (const other of this.#calls) if (other !== watch) other.touched.leave(looked, differing);
		const isReported = await this.#reportable(before, after, by === 'tool' && differing.length <= MAX_EVENTS_AT_ONCE);
		const slice = new TimeSlice();
		for (const path of differing) {
			if (slice.isExpired()) await slice.yieldThread();
			if (!isReported(path)) continue;
			const was = fileAt(before, path);
			const is = fileAt(after, path);
			if (before && after && !was && !is) continue;
			const file = { path, before: was?.blob ?? null, after: is?.blob ?? null };
			changed.push(file);
			this.history.add({ ...file, timestamp: Date.now(), by });
			if (changed.length > MAX_EVENTS_AT_ONCE) continue;
			const kind = !is ? 'removed' : was ? 'modified' : 'added';
			this.emit({ type: 'file_change', path, kind, by, ...(await this.#countLines(was?.blob, is?.blob)) });
		}
		if (changed.length > MAX_EVENTS_AT_ONCE)
			this.emit({
				type: 'warning',
				code: 'many_files_changed',
				message: `${changed.length} files changed at once; the first ${MAX_EVENTS_AT_ONCE} are listed.`
			});
		if (undoable && before && after && differing.length > 0) {
			const paths = changed.length > 0 ? changed.map(({ path }) => path) : differing;
			await this.#undo.push(before, after, differing, paths);
		}
		return { changed, after };
	}

	/**
	 * Returns a predicate for changes worth reporting.
	 *
	 * @param isByName a tool wrote these files by path: ignored ones count too
	 */
	async #reportable(
		before: Snapshot | null,
		after: Snapshot | null,
		isByName: boolean
	): Promise<(path: string) => boolean> {
		if (isByName) return (path) => !isOfGit(path);
		const isIgnored = await this.#ignoredIn(after ?? before);
		return (path) => !isIgnored(path);
	}

	async #ignoredIn(tree: Snapshot | null): Promise<IsIgnored> {
		try {
			return tree ? await this.#ignoreRules.of(tree.entries) : ignoreRules(new Map());
		} catch {
			// The ignore file was replaced meanwhile: the next report reads the new one.
			return ignoreRules(new Map());
		}
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

	/** `null` for content without countable lines: binary or very large. */
	async #text(blob: string | undefined): Promise<string | null> {
		if (!blob) return '';
		try {
			const bytes = await this.history.read(blob);
			if (bytes.length > LARGEST_COMPARED || bytes.includes(0)) return null;
			return new TextDecoder().decode(bytes);
		} catch {
			// The environment no longer has the blob: the change itself is still worth reporting.
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

/**
 * Returns the files to report if there is no tree to compare with.
 *
 * @param touched changes before the tree was read
 * @param looked changes while it was read: counted only if the tree contains the file
 */
function filesOf(touched: TouchedPaths, looked: TouchedPaths, tree: Snapshot | null): string[] {
	if (touched === looked) return touched.files;
	const known = new Set(touched.files);
	return looked.files.filter((path) => known.has(path) || fileAt(tree, path) !== undefined);
}

/** Entry of a file; `undefined` for an empty directory. */
function fileAt(snapshot: Snapshot | null, path: string): SnapshotEntry {
	const entry = snapshot?.entries.get(path);
	return entry?.mode === Mode.directory ? undefined : entry;
}
