import { EnvironmentError } from '#environment/errors.ts';
import { TimeSlice } from '#environment/time-slice.ts';
import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import { Baselines, commitLabel, type StoredBaselines } from './baselines.ts';
import { ChangedFiles } from './changed-files.ts';
import type { CheckpointStore, ReadonlyTree, Tree } from './checkpoint-store.ts';
import type {
	ChangedFile,
	Checkpoint,
	CommitOptions,
	Comparison,
	PathDifference,
	ProjectOrigin,
	WorkspaceApi
} from './contract.ts';
import { goToTree } from './go-to-tree.ts';
import { withoutHunk } from './hunks.ts';
import { TreeIgnoreRules } from '#environment/ignore-rules.ts';
import { gitPatch } from './patch.ts';
import { authorVariables } from './repository/author.ts';
import { SharedRun } from './shared-run.ts';
import { asText } from './text.ts';
import { diffLargeTrees } from './tree-diff.ts';
import { Updates } from './updates.ts';
import { zipOf } from './zip.ts';
import { putTree } from './put-tree.ts';
import { Mode } from '#environment/mode.ts';
import { ownGit } from '#environment/own-git.ts';

export interface WorkspaceOptions {
	environment: ExecutionEnvironment;
	origin: ProjectOrigin;
	store: CheckpointStore;
	/** Tree that changes are counted from, or the value passed to {@link onBaseline}; defaults to the current files. */
	baseline?: string | StoredBaselines;
	/** Called when a commit gets a new baseline or another one applies, so that it can be stored. */
	onBaseline?: (stored: StoredBaselines) => void;
}

/** A project in an environment; see {@link WorkspaceApi} for the contract. */
export class Workspace implements WorkspaceApi {
	readonly environment: ExecutionEnvironment;
	readonly origin: ProjectOrigin;
	readonly #store: CheckpointStore;
	readonly #updates: Updates;
	#baselines!: Baselines;
	readonly #changed = new ChangedFiles((id) => this.#blob(id));
	readonly #ignoreRules = new TreeIgnoreRules((id) => this.#blob(id));
	/** Reads all files, and is called repeatedly while they change. */
	readonly #changes = new SharedRun(async () => {
		const now = (await this.environment.snapshot()).entries;
		return this.#changed.between(await this.#baselines.of(now), now, await this.#ignoreRules.of(now));
	});

	private constructor(options: WorkspaceOptions) {
		this.environment = options.environment;
		this.origin = options.origin;
		this.#store = options.store;
		this.#updates = new Updates(options.environment, (change) => this.#isOfIgnored(change));
	}

	/**
	 * Opens a workspace over an environment that contains the files. Without a baseline it takes the first
	 * checkpoint, *Imported*.
	 */
	static async open(options: WorkspaceOptions): Promise<Workspace> {
		const { store, onBaseline } = options;
		const workspace = new Workspace(options);
		const baseline = options.baseline ?? (await workspace.takeCheckpoint('Imported', null)).tree;
		workspace.#baselines = await Baselines.open(store, (id) => workspace.#blob(id), baseline, onBaseline);
		return workspace;
	}

	changes(): Promise<ChangedFile[]> {
		const changes = this.#changes.next();
		this.#updates.hold(changes);
		return changes;
	}

	async differencesFrom(tree: Parameters<WorkspaceApi['differencesFrom']>[0]): Promise<PathDifference[]> {
		const elsewhere = typeof tree === 'object' ? tree : null;
		const known = typeof tree === 'string' ? tree : this.#store.checkpoints()[0]?.tree;
		const now = (await this.environment.snapshot()).entries;
		const before =
			elsewhere ?? (known === undefined ? await this.#baselines.of(now) : await this.#store.readTree(known));
		const isIgnored = await this.#ignoreRules.of(now);
		// Imported files count even if they are ignored; ignored files of another session do not.
		const counts = (path: string): boolean => !isIgnored(path) || (elsewhere === null && before.has(path));
		const differing = await diffLargeTrees(before, now, ({ path }) => !path.startsWith('.git/') && counts(path));
		return differing.map(({ path }) => ({ path, before: fileIn(before, path), after: fileIn(now, path) }));
	}

	readBlob(id: string): Promise<Uint8Array> {
		return this.#blob(id);
	}

	async compare(path: string): Promise<Comparison> {
		const now = (await this.environment.snapshot()).entries;
		const before = (await this.#baselines.of(now)).get(path);
		const after = now.get(path);
		return {
			before: before ? await this.#blob(before.blob) : null,
			after: after ? await this.#blob(after.blob) : null,
			beforeMode: before?.mode ?? null,
			afterMode: after?.mode ?? null
		};
	}

	async revertFile(path: string): Promise<void> {
		const now = (await this.environment.snapshot()).entries;
		const before = (await this.#baselines.of(now)).get(path);
		await putTree(this.environment, new Map(before ? [[path, before]] : []), [path], (id) => this.#blob(id));
	}

	async revertHunk(path: string, hunk: number): Promise<void> {
		const { before, after } = await this.compare(path);
		const [old, now] = [before ? asText(before) : '', after ? asText(after) : ''];
		if (old === null || now === null)
			throw new EnvironmentError('EINVAL', 'A binary file can only be put back whole.', path);
		if (before === null || after === null) return this.revertFile(path);
		await this.environment.writeFile(path, withoutHunk(old, now, hunk));
	}

	async commit(message: string, { amend = false, author }: CommitOptions = {}): Promise<string> {
		const env = { SANDGLASS_COMMIT_MESSAGE: message, ...authorVariables(author) };
		const commit = `commit -q ${amend ? '--amend --reset-author ' : ''}-m "$SANDGLASS_COMMIT_MESSAGE"`;
		const result = await this.environment.exec(ownGit(this.environment, 'add -A', commit, 'rev-parse HEAD'), { env });
		if (result.exitCode !== 0)
			throw new EnvironmentError('EIO', `git could not commit: ${(result.stderr || result.stdout).trim()}`);
		await this.countFromHere(message);
		return result.stdout.trim();
	}

	async committedElsewhere(): Promise<string | null> {
		const now = (await this.environment.snapshot()).entries;
		if (!(await this.#baselines.isBehind(now))) return null;
		const result = await this.environment.exec(ownGit(this.environment, 'log -1 --format=%s', 'status --porcelain'));
		const [subject = '', ...left] = result.stdout.split('\n');
		return result.exitCode === 0 && left.every((line) => line === '') ? subject : null;
	}

	async countFromHere(subject: string): Promise<void> {
		const { tree } = await this.takeCheckpoint(commitLabel(subject), null);
		await this.#baselines.set(tree, await this.#store.readTree(tree));
		this.#updates.notify();
	}

	get checkpoints(): readonly Checkpoint[] {
		return this.#store.checkpoints();
	}

	async takeCheckpoint(label: string, entryId: string | null): Promise<Checkpoint> {
		const snapshot = await this.environment.snapshot();
		const checkpoint: Checkpoint = {
			id: crypto.randomUUID(),
			tree: snapshot.id,
			label,
			timestamp: Date.now(),
			entryId
		};
		await this.#store.addCheckpoint(checkpoint, snapshot.entries);
		this.#updates.notify();
		return checkpoint;
	}

	async goTo(checkpointId: string): Promise<void> {
		const target = this.#store.checkpoints().find(({ id }) => id === checkpointId);
		if (!target) throw new RangeError('This checkpoint is not there any more.');
		const tree = await this.#store.readTree(target.tree);
		const now = await this.environment.snapshot();
		if (now.id === target.tree) return;
		if (this.#store.checkpoints().at(-1)?.tree !== now.id) await this.takeCheckpoint('Before going back', null);
		await goToTree(this.environment, now.entries, tree, (id) => this.#blob(id));
		this.#updates.notify();
	}

	async baselineOf(tree: string): Promise<string> {
		return this.#baselines.idFor(await this.#store.readTree(tree));
	}

	async exportPatch(): Promise<string> {
		const files = await this.changes();
		const side = (bytes: Uint8Array | null, mode: number | null) =>
			bytes && { text: asText(bytes), mode: mode ?? Mode.file };
		const patches = files.map(async ({ path }) => {
			const { before, after, beforeMode, afterMode } = await this.compare(path);
			return gitPatch({ path, before: side(before, beforeMode), after: side(after, afterMode) });
		});
		return (await Promise.all(patches)).join('');
	}

	async exportZip(): Promise<Uint8Array> {
		const files = await this.#projectFiles();
		return zipOf(files, ({ blob }) => this.#blob(blob));
	}

	async files(): Promise<string[]> {
		return [...(await this.#projectFiles()).keys()].sort();
	}

	onUpdate(listener: () => void): () => void {
		return this.#updates.listen(listener);
	}

	/** Unsubscribes from the environment's journal. */
	close(): void {
		this.#updates.close();
	}

	/** Files that git tracks or would add. */
	async #projectFiles(): Promise<Tree> {
		const now = (await this.environment.snapshot()).entries;
		const isIgnored = await this.#ignoreRules.of(now);
		const files: Tree = new Map();
		const slice = new TimeSlice();
		for (const [path, entry] of now) {
			if (slice.isExpired()) await slice.yieldThread();
			if (entry.blob !== '' && !isIgnored(path)) files.set(path, entry);
		}
		return files;
	}

	/** Returns true for a change that affects only ignored files or files outside the working directory. */
	#isOfIgnored({ kind, path, to }: FileChange): boolean {
		const root = `${this.environment.workingDirectory().replace(/\/$/, '')}/`;
		const end = kind === 'mkdir' ? '/' : '';
		return [path, ...(to === undefined ? [] : [to])].every(
			(each) => !each.startsWith(root) || this.#ignoreRules.covers(each.slice(root.length) + end)
		);
	}

	async #blob(id: string): Promise<Uint8Array> {
		if (id === '') return new Uint8Array();
		// The environment knows blobs since its start; the store has all earlier ones.
		return this.environment.readBlob(id).catch((error: unknown) => {
			if (error instanceof EnvironmentError && error.code === 'ENOENT') return this.#store.readBlob(id);
			throw error;
		});
	}
}

function fileIn(tree: ReadonlyTree, path: string): PathDifference['before'] {
	const entry = tree.get(path);
	return entry && entry.blob !== '' ? entry : null;
}
