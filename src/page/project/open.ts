import type { MachineChange } from '#agent/events.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { SessionStore, StoredSession } from '#session/contract.ts';
import type { Checkpoint, ImportProgress, ImportSource, WorkspaceApi } from '#workspace/contract.ts';
import { goToTree } from '#workspace/go-to-tree.ts';
import { identify } from '../errors.ts';
import type { MachineStay } from '../machines/stay.svelte.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import { branchTo } from './branch-to.ts';
import { storeBaseline } from './stored-baseline.ts';

/** Environment, workspace and stored session of a project, before an agent works on it. */
export interface Opened {
	environment: ExecutionEnvironment;
	workspace: WorkspaceApi;
	stored: StoredSession;
	/** Machine that its environment is on; absent or `null` in the tab. */
	stay?: MachineStay | null;
	/** Changes and omissions of the import, one sentence each. */
	notices: string[];
	/** The conversation was rewound, possibly in the middle of a run. */
	rewound?: boolean;
	/** True if it has just been forked from another session. */
	forked?: boolean;
	/** Move to or from a machine that caused it to be opened. */
	machineChange?: MachineChange;
	/** Reason why the session could not return to its machine, for {@link import('../errors.ts').explain}. */
	lostMachine?: unknown;
	/** Resolves when the session is listed; until then its URL does not work. Absent: already listed. */
	listed?: Promise<void>;
}

export interface OpenOptions {
	parts: Parts;
	store: SessionStore;
	signal?: AbortSignal;
	onProgress?: (progress: ImportProgress) => void;
}

/** Imports into a new environment and stores it as a new session. Frees everything on failure. */
export async function openImport(source: ImportSource, choice: ModelChoice, options: OpenOptions): Promise<Opened> {
	const { parts, store, signal, onProgress } = options;
	// The name is known only after the import.
	const about = { origin: { kind: source.kind, name: '' }, title: '', ...nameOf(choice) };
	// Starts both concurrently: the import fetches its files while the computer starts.
	const { promise: computer, resolve: arrived, reject: missing } = withResolvers<ExecutionEnvironment>();
	const importing = parts.importRepository(source, computer, { signal, onProgress, serverUrl: location.origin });
	// The failure is reported where the promise is awaited.
	importing.catch(() => {});
	const opening = openNew(about, options, async ({ environment, stored, notices }) => {
		await parts.allowOrigin?.(source);
		arrived(environment);
		const imported = await importing;
		signal?.throwIfAborted();
		const { origin } = imported;
		await stored.update({ origin, title: origin.name });
		notices.push(...imported.notices);
	});
	opening.catch(missing);
	return finish(store, await opening);
}

/** Reopens a session of this browser: files, conversation and checkpoints. */
export async function reopen(id: string, options: OpenOptions): Promise<Opened> {
	const { parts, store } = options;
	const stored = await store.open(id);
	const notices: string[] = [];
	const environment = await parts.createEnvironment((notice) => notices.push(notice));
	try {
		await stored.restoreFiles(environment);
		const kept = await stored.attach(environment);
		const returned = await returnToItsMachine(stored, kept, parts.egress);
		const at = returned.stay?.environment ?? kept;
		const workspace = await parts.openWorkspace(at, stored.summary.origin, stored);
		return { ...returned, environment: at, workspace, stored, notices: [...notices, ...stored.warnings] };
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** Returns to the machine that a session was on; if the machine is gone, opens the session in the tab. */
async function returnToItsMachine(
	stored: StoredSession,
	home: ExecutionEnvironment,
	egress: Parts['egress']
): Promise<Pick<Opened, 'stay' | 'lostMachine'>> {
	if ((await stored.readPageState('machine')) == null) return {};
	const { returnToMachine } = await import('../machines/arrive.ts');
	try {
		return { stay: await returnToMachine(stored, home, egress) };
	} catch (error) {
		return { lostMachine: { code: 'machine_lost', message: '', detail: identify(error).message } };
	}
}

/** A session to fork. */
interface Forked {
	readonly stored: StoredSession;
	/** Working directory that its stored paths start with. */
	readonly root: string;
	readonly workspace: Pick<WorkspaceApi, 'baselineOf'>;
	/** Ends the session, and returns its computer if another session can use it. */
	handOver(): Promise<ExecutionEnvironment | null>;
}

/**
 * Creates a session with the files of a checkpoint and the conversation up to it, on the computer of the original
 * session: only files that differ from the current ones are restored. The session is stored and then listed in the
 * background; until then a reload opens the original session.
 *
 * @param relate records the origin of the fork
 */
export async function forkFrom(
	previous: Forked,
	checkpoint: Checkpoint,
	title: string,
	{ parts, store }: OpenOptions,
	relate: (fork: StoredSession) => Promise<void>
): Promise<Opened> {
	const { stored: from } = previous;
	const { root } = previous;
	const [start = checkpoint] = from.checkpoints();
	const entries = branchTo(from.log.entries(), checkpoint.entryId);
	const notices: string[] = [];
	let [stored, environment]: [StoredSession | null, ExecutionEnvironment | null] = [null, null];
	const leave = (): Promise<void> =>
		from.close().catch((error: unknown) => console.warn('The session before the fork could not be closed.', error));
	try {
		const baseline = await previous.workspace.baselineOf(checkpoint.tree);
		const begin = { title, checkpoint: { ...start, entryId: null }, baseline, files: checkpoint.tree, root, entries };
		environment = await previous.handOver();
		stored = await store.fork(from, begin);
		await storeBaseline(stored, baseline);
		if (environment?.endProcesses) {
			parts.egress?.reset();
			await putFiles(environment, checkpoint.tree, stored);
		} else {
			await environment?.cleanup();
			environment = await parts.createEnvironment((notice) => notices.push(notice));
			await stored.restoreFiles(environment);
		}
		const kept = await stored.attach(environment);
		const [workspace] = await Promise.all([parts.openWorkspace(kept, stored.summary.origin, stored), relate(stored)]);
		void leave();
		const listed = enlistWhenStored(store, stored);
		return { environment: kept, workspace, stored, notices, rewound: true, forked: true, listed };
	} catch (error) {
		if (stored) await store.discard(stored);
		await environment?.cleanup();
		await leave();
		throw error;
	}
}

/** Makes the working directory equal to a stored tree. */
async function putFiles(environment: ExecutionEnvironment, id: string, stored: StoredSession): Promise<void> {
	const now = await environment.snapshot();
	if (now.id === id) return;
	const read = (blob: string): Promise<Uint8Array> => environment.readBlob(blob).catch(() => stored.readBlob(blob));
	await goToTree(environment, now.entries, await stored.readTree(id), read);
}

/** Lists a fork once all of it is stored; if the disk is full, once there is space. */
async function enlistWhenStored(store: SessionStore, stored: StoredSession): Promise<void> {
	for (;;) {
		try {
			await stored.flush();
			break;
		} catch {
			// The page reports the reason to the user, from `trouble`.
			await new Promise<void>((resolve) => {
				const leave = stored.onTrouble((trouble) => {
					if (trouble !== null) return;
					leave();
					resolve();
				});
			});
		}
	}
	await store.enlist(stored);
}

/**
 * Creates a new session in a new environment, not listed yet. What `fill` creates is stored during the import, not
 * after it. Frees everything on failure.
 */
export async function openNew(
	about: Parameters<SessionStore['create']>[0],
	{ parts, store, signal }: OpenOptions,
	fill: (empty: { environment: ExecutionEnvironment; stored: StoredSession; notices: string[] }) => Promise<void>
): Promise<Opened> {
	const notices: string[] = [];
	const making = parts.createEnvironment((notice) => notices.push(notice));
	const creating = store.create(about);
	// Waits for both, so that the one that succeeds can be freed.
	const [made, created] = await Promise.allSettled([making, creating]);
	try {
		const [environment, stored] = [await making, await creating];
		signal?.throwIfAborted();
		const kept = await stored.attach(environment);
		await fill({ environment, stored, notices });
		const workspace = await parts.openWorkspace(kept, stored.summary.origin, stored);
		return { environment: kept, workspace, stored, notices };
	} catch (error) {
		if (created.status === 'fulfilled') await store.discard(created.value);
		if (made.status === 'fulfilled') await made.value.cleanup();
		throw error;
	}
}

/** Completes a new session, then lists it; on failure nothing of it remains. */
export async function finish(
	store: SessionStore,
	opened: Opened,
	complete: (opened: Opened) => Promise<void> = () => Promise.resolve()
): Promise<Opened> {
	try {
		await complete(opened);
		await opened.stored.flush();
		await store.enlist(opened.stored);
		return opened;
	} catch (error) {
		await store.discard(opened.stored);
		await opened.environment.cleanup();
		throw error;
	}
}

function withResolvers<Value>() {
	let settle!: { resolve: (value: Value) => void; reject: (reason: unknown) => void };
	const promise = new Promise<Value>((resolve, reject) => (settle = { resolve, reject }));
	// The caller that awaits it reports the failure.
	promise.catch(() => {});
	return { promise, ...settle };
}

/** Data of its initial model to store with the session. */
export function nameOf({ model, provider }: ModelChoice): { model: string; provider: string } {
	return { model, provider };
}
