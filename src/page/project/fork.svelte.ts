import type { FileForkApi, SessionApi } from '#agent/api.ts';
import type { StoredSession } from '#session/contract.ts';
import type { ChangedFile, WorkspaceApi } from '#workspace/contract.ts';
import type { Workspace } from '#workspace/workspace.ts';
import { announce } from '../live.svelte.ts';
import { t } from '../strings/index.ts';

interface ForkOwner {
	readonly session: SessionApi | null;
	readonly stored: StoredSession;
	readonly workspace: WorkspaceApi;
}

/** The agent's fork during the user's review: its differences and the user's decisions. */
export class ProjectFork {
	/** The fork's files compared with those it started with; `null` if no fork is open. */
	workspace: WorkspaceApi | null = $state.raw(null);
	changes: readonly ChangedFile[] = $state.raw([]);
	/** Paths that have changed in the project too. */
	conflicts: readonly string[] = $state.raw([]);
	/** Number of differing paths that no diff shows: ignored files, and git's own. */
	hidden = $state(0);
	#opened: { workspace: Workspace; common: string } | null = null;
	#refreshing: Promise<void> = Promise.resolve();

	constructor(
		private readonly owner: ForkOwner,
		private readonly onFailure: (error: unknown) => void
	) {}

	get isOpen(): boolean {
		return this.workspace !== null;
	}

	/** Called when the fork or the project may have changed. */
	refresh(): Promise<void> {
		this.#refreshing = this.#refreshing.then(() => this.#look()).catch(this.onFailure);
		return this.#refreshing;
	}

	/** Applies paths, or everything, to the project, with checkpoints before and after. */
	async approve(paths?: readonly string[], overwrite = false): Promise<void> {
		const { workspace } = this.owner;
		await workspace.takeCheckpoint(t.fork.before, this.#leaf);
		const { merged } = await this.#fork.approve({ ...(paths ? { paths } : {}), overwrite });
		await workspace.takeCheckpoint(t.fork.after, this.#leaf);
		announce(t.fork.approved(merged.length));
		await this.refresh();
	}

	/** Resets paths to the project's state. The fork's version remains in a checkpoint. */
	async drop(paths: readonly string[]): Promise<void> {
		await this.#checkpoint();
		await this.#fork.drop(paths);
		await this.refresh();
	}

	/** Reverts one part of a path's diff on the fork. */
	async dropHunk(path: string, hunk: number): Promise<void> {
		await this.workspace?.revertHunk(path, hunk);
		await this.#fork.keep();
		await this.refresh();
	}

	/** Ends the fork; its files remain in a checkpoint. */
	async discard(): Promise<void> {
		if (this.changes.length + this.hidden > 0) await this.#checkpoint();
		await this.#fork.discard();
		await this.refresh();
	}

	leave(): void {
		this.#opened?.workspace.close();
		this.#opened = null;
	}

	get #fork(): FileForkApi {
		const fork = this.owner.session?.fileFork;
		if (!fork) throw new DOMException('The session is closed', 'SessionClosedError');
		return fork;
	}

	get #leaf(): string | null {
		return this.owner.stored.log.leafId();
	}

	/** Stores the current state of the fork as a checkpoint in the history. */
	async #checkpoint(): Promise<void> {
		await this.#fork.keep();
		const now = await this.#fork.environment?.snapshot();
		if (!now) return;
		const checkpoint = {
			id: crypto.randomUUID(),
			tree: now.id,
			label: t.fork.thrown,
			timestamp: Date.now(),
			entryId: this.#leaf
		};
		await this.owner.stored.addCheckpoint(checkpoint, now.entries);
	}

	async #look(): Promise<void> {
		const fork = this.owner.session?.fileFork;
		const environment = fork?.environment;
		if (!fork || !environment) {
			this.leave();
			this.workspace = null;
			this.changes = [];
			this.conflicts = [];
			this.hidden = 0;
			return;
		}
		const { common } = environment;
		if (this.#opened?.workspace.environment !== environment || this.#opened.common !== common.id) {
			this.leave();
			this.#opened = { workspace: await this.#open(environment), common: common.id };
			this.#opened.workspace.onUpdate(() => void this.refresh());
		}
		const { workspace } = this.#opened;
		const [changes, conflicts, all] = [await workspace.changes(), await fork.conflicts(), await fork.changes()];
		// The fork may have been closed meanwhile.
		if (fork.environment !== environment) return this.#look();
		const shown = new Set(changes.map(({ path }) => path));
		this.changes = changes;
		this.conflicts = conflicts;
		this.hidden = all.filter((path) => !shown.has(path)).length;
		this.workspace = workspace;
	}

	async #open(environment: NonNullable<FileForkApi['environment']>): Promise<Workspace> {
		const { Workspace } = await import('#workspace/workspace.ts');
		const { stored, workspace } = this.owner;
		const { common } = environment;
		return Workspace.open({
			environment,
			origin: workspace.origin,
			baseline: common.id,
			store: {
				checkpoints: () => [],
				addCheckpoint: async () => {},
				readTree: async () => common.entries,
				readBlob: (blob) => workspace.environment.readBlob(blob).catch(() => stored.readBlob(blob))
			}
		});
	}
}
