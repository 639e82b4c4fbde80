import type { ExecutionEnvironment, MergeOptions, MergeResult, OverlayEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { snapshotDifferences } from '#environment/snapshot-diff.ts';
import type { SwitchingEnvironment } from '#environment/wrappers/switching.ts';
import type { FileForkApi, ForkStore, ForkContents } from './api.ts';
import type { EventBody } from './events.ts';
import type { Message } from '#llm/types.ts';
import type { ContextMeter } from './context-window.ts';
import type { Conversation } from './conversation.ts';
import type { FileChanges } from './file-changes.ts';
import type { SessionEmitter } from './session-emitter.ts';

/** Parts of a session needed by its copy of the files. */
interface ForkingSession {
	readonly options: { readonly forkStore?: ForkStore | undefined };
	readonly files: FileChanges;
	readonly emitter: SessionEmitter;
	readonly conversation: Conversation;
	readonly meter: ContextMeter;
	/** @throws SessionBusyError while a run is in progress */
	assertFree(): void;
}

type ForkEvent = Extract<EventBody, { type: 'file_fork' }>;

/** Maximum number of paths listed in an event; the others are only counted. */
const MAX_LISTED_PATHS = 200;
const GIT = /^\.git\//;
/** Git rewrites its index even for read-only commands. */
const GIT_INDEX = '.git/index';

/**
 * Copy of the files that the agent works on in the mode *on a fork*, with the operations for the user's decisions. The
 * agent works on an open copy in any mode, until everything is approved or the copy is discarded.
 */
export class FileFork implements FileForkApi {
	#overlay: OverlayEnvironment | null = null;
	#kept = '';

	/** @param place environment of the session's tools; refers to the copy while it is open */
	constructor(
		private readonly session: ForkingSession,
		private readonly place: SwitchingEnvironment
	) {}

	/** The project's own files, with or without a fork. */
	get base(): ExecutionEnvironment {
		return this.place.base;
	}

	get isOpen(): boolean {
		return this.#overlay !== null;
	}

	get environment(): OverlayEnvironment | null {
		return this.#overlay;
	}

	/** Prepares a run: opens a fork if the mode needs one, and recreates it if its machine has stopped. */
	async prepare(wanted: boolean): Promise<void> {
		if (this.#overlay && !(await isAlive(this.#overlay))) {
			await this.close();
			if (!(await this.restore())) this.#emit('lost', [], []);
		}
		if (!wanted || this.#overlay) return;
		this.#enter(await this.place.base.overlay());
		this.#emit('begin', [], []);
	}

	async restore(): Promise<boolean> {
		const kept = await this.#store?.load();
		if (!kept) return false;
		const overlay = await this.place.base.overlay(kept.common);
		await bring(overlay, kept);
		this.#enter(overlay);
		this.#kept = `${kept.common.id} ${kept.now.id}`;
		this.#emit('restore', await this.#changed(), []);
		return true;
	}

	/** Stores the fork with the host if it changed. A host that fails to store it causes a warning. */
	async keep(): Promise<void> {
		const overlay = this.#overlay;
		if (!overlay || !this.#store) return;
		try {
			const { common } = overlay;
			const now = await overlay.snapshot();
			const key = `${common.id} ${now.id}`;
			if (key === this.#kept) return;
			await this.#store.keep({ common, now, readBlob: (blob) => overlay.readBlob(blob) });
			this.#kept = key;
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			const message = `The fork could not be saved and would be lost in a reload: ${reason}`;
			this.session.emitter.emit({ type: 'warning', code: 'not_saved', message });
		}
	}

	async conflicts(): Promise<string[]> {
		if (!this.#overlay) return [];
		return asShown((await this.#overlay.conflicts()).map(({ path }) => path));
	}

	async changes(): Promise<string[]> {
		return this.#overlay ? this.#changed() : [];
	}

	async approve(options: MergeOptions = {}): Promise<MergeResult> {
		this.session.assertFree();
		const overlay = this.#open();
		const result = options.paths ? await overlay.merge(options) : await this.#mergeAll(overlay, options);
		const left = await this.#changed();
		if (left.length === 0) await this.#leave();
		else await this.keep();
		const merged = asShown(result.merged.map(({ path }) => path));
		const conflicts = asShown(result.conflicts.map(({ path }) => path));
		this.#emit('approve', merged, conflicts);
		this.#tell(approvedNote(merged, conflicts, left));
		return result;
	}

	async drop(paths: readonly string[]): Promise<void> {
		this.session.assertFree();
		const overlay = this.#open();
		await overlay.drop(paths);
		await this.keep();
		this.#emit('drop', [...paths], []);
		this.#tell(`The user refused what you did to these paths; they are as in the project again: ${paths.join(', ')}.`);
	}

	async discard(): Promise<void> {
		this.session.assertFree();
		this.#open();
		const paths = await this.#changed();
		await this.#leave();
		this.#emit('discard', paths, []);
		this.#tell(
			'The user threw your work on the fork away: the files are as they were before it. ' +
				'Read a file again before you rely on what it holds.'
		);
	}

	/** Closes the copy at the end of the session; the fork stored by the host remains. */
	async close(): Promise<void> {
		const overlay = this.#overlay;
		this.#overlay = null;
		this.place.use(this.place.base);
		await overlay?.cleanup();
	}

	/** @throws RangeError */
	#open(): OverlayEnvironment {
		if (!this.#overlay) throw new RangeError('No fork is open.');
		return this.#overlay;
	}

	#enter(overlay: OverlayEnvironment): void {
		this.#overlay = overlay;
		this.#kept = '';
		const before = this.place.workingDirectory();
		this.place.use(overlay);
		this.session.files.forget();
		const now = overlay.workingDirectory();
		if (now !== before) this.#tell(`You work on a copy of the files now, in ${now}. Use no path below ${before}.`);
	}

	async #leave(): Promise<void> {
		await this.#store?.keep(null);
		await this.close();
		this.session.files.forget();
	}

	/** Git's own files are merged together or not at all: half of a commit is a broken repository. */
	async #mergeAll(overlay: OverlayEnvironment, { overwrite = false }: MergeOptions): Promise<MergeResult> {
		const paths = (await overlay.changes()).map(({ path }) => path);
		const git = paths.filter((path) => GIT.test(path));
		const clash = (await overlay.conflicts()).filter(({ path }) => GIT.test(path) && path !== GIT_INDEX);
		if (clash.length > 0 && !overwrite) {
			const rest = await overlay.merge({ paths: paths.filter((path) => !GIT.test(path)) });
			return { ...rest, conflicts: [...rest.conflicts, ...clash] };
		}
		const ofGit = isRefresh(git) ? null : await overlay.merge({ paths: git, overwrite: true });
		if (isRefresh(git)) await overlay.drop(git);
		const rest = await overlay.merge({ overwrite });
		return { merged: [...(ofGit?.merged ?? []), ...rest.merged], conflicts: rest.conflicts };
	}

	async #changed(): Promise<string[]> {
		const paths = ((await this.#overlay?.changes()) ?? []).map(({ path }) => path);
		return asShown(isRefresh(paths.filter((path) => GIT.test(path))) ? paths.filter((path) => !GIT.test(path)) : paths);
	}

	get #store(): ForkStore | undefined {
		return this.session.options.forkStore;
	}

	/** Notifies the model of what happened between its runs. */
	#tell(note: string): void {
		const { conversation, meter } = this.session;
		if (conversation.length === 0) return;
		const message: Message = { role: 'user', content: [{ type: 'text', text: `[${note}]` }] };
		conversation.append(message);
		meter.add(message);
	}

	#emit(action: ForkEvent['action'], paths: readonly string[], conflicts: string[]): void {
		const listed = paths.slice(0, MAX_LISTED_PATHS);
		const count = paths.length;
		this.session.emitter.emit({ type: 'file_fork', action, isOpen: this.isOpen, paths: listed, count, conflicts });
	}
}

/** Replaces git's own files by a single path. */
function asShown(paths: readonly string[]): string[] {
	return [...new Set(paths.map((path) => (GIT.test(path) ? '.git' : path)))];
}

const isRefresh = (git: readonly string[]): boolean => git.length === 0 || (git.length === 1 && git[0] === GIT_INDEX);

async function isAlive(environment: ExecutionEnvironment): Promise<boolean> {
	try {
		await environment.fileExists('.');
		return true;
	} catch (error) {
		if (isEnvironmentError(error) && error.code === 'ECLOSED') return false;
		throw error;
	}
}

/** Creates a copy from the stored fork; newer changes of the project are preserved. */
async function bring(overlay: OverlayEnvironment, { common, now, readBlob }: ForkContents): Promise<void> {
	const changes = snapshotDifferences(common, now);
	for (const { path } of changes) {
		if (await overlay.fileExists(path)) await overlay.remove(path, { recursive: true });
	}
	await overlay.load(contents(), { restored: true });

	async function* contents(): AsyncGenerator<{ path: string; mode: number; bytes: Uint8Array }> {
		for (const { path } of changes) {
			const entry = now.entries.get(path);
			if (entry && entry.blob !== '') yield { path, mode: entry.mode, bytes: await readBlob(entry.blob) };
		}
	}
}

function approvedNote(merged: readonly string[], conflicts: readonly string[], left: readonly string[]): string {
	const list = (paths: readonly string[]): string =>
		paths.slice(0, 20).join(', ') + (paths.length > 20 ? ` and ${paths.length - 20} more` : '');
	return [
		`The user approved work of yours on the fork; it is in the project now: ${list(merged) || 'nothing'}.`,
		conflicts.length > 0 ? `Not taken over, because the project changed there too: ${list(conflicts)}.` : '',
		left.length > 0
			? `Still on the fork, not decided: ${list(left)}.`
			: 'The fork is closed; you work in the project’s own files again.'
	]
		.filter(Boolean)
		.join(' ');
}
