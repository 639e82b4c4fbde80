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

/** A project's three foundations, before an agent works on it. */
export interface Opened {
	environment: ExecutionEnvironment;
	workspace: WorkspaceApi;
	stored: StoredSession;
	/** The machine whose environment it is; absent or `null` in the tab. */
	stay?: MachineStay | null;
	/** Parts that the import left out or changed, one sentence each. */
	notices: string[];
	/** The conversation was rewound, possibly in the middle of a run. */
	rewound?: boolean;
	/** It has just parted from another session. */
	forked?: boolean;
	/** Move to or from a machine that opens it. */
	machineChange?: MachineChange;
	/** Reason why the session could not return to the machine that it was on, for {@link import('../errors.ts').explain}. */
	lostMachine?: unknown;
	/** Resolves when it is listed; until then its address leads nowhere. Absent: it is. */
	listed?: Promise<void>;
}

export interface OpenOptions {
	parts: Parts;
	store: SessionStore;
	signal?: AbortSignal;
	onProgress?: (progress: ImportProgress) => void;
}

/** Imports into a fresh environment and keeps it as a new session. Frees everything when it fails. */
export async function openImport(source: ImportSource, choice: ModelChoice, options: OpenOptions): Promise<Opened> {
	const { parts, store, signal, onProgress } = options;
	// What it is called is known when it is there.
	const about = { origin: { kind: source.kind, name: '' }, title: '', ...nameOf(choice) };
	// Both begin at once: the import asks for its files while the computer starts.
	const { promise: computer, resolve: arrived, reject: missing } = withResolvers<ExecutionEnvironment>();
	const importing = parts.importRepository(source, computer, { signal, onProgress, serverUrl: location.origin });
	// The failure is reported where it is awaited.
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

/** Brings a session of this browser back: files, conversation and checkpoints. */
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

/** Returns to the machine that a session was on; if that is gone, it is opened in the tab. */
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

/** A session that another one parts from. */
interface Forked {
	readonly stored: StoredSession;
	/** Working directory that its stored paths begin with. */
	readonly root: string;
	readonly workspace: Pick<WorkspaceApi, 'baselineOf'>;
	/** Ends it, and gives its computer where that can go on. */
	handOver(): Promise<ExecutionEnvironment | null>;
}

/**
 * Creates a session with the files of a checkpoint and the conversation up to it, on the computer of the
 * original session: only files that differ from the current ones are restored. It is stored, and then listed,
 * in the background; until then a reload opens the original session.
 *
 * @param relate remembers the origin of the fork
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

/** The working directory as a tree that is stored has it. */
async function putFiles(environment: ExecutionEnvironment, id: string, stored: StoredSession): Promise<void> {
	const now = await environment.snapshot();
	if (now.id === id) return;
	const read = (blob: string): Promise<Uint8Array> => environment.readBlob(blob).catch(() => stored.readBlob(blob));
	await goToTree(environment, now.entries, await stored.readTree(id), read);
}

/** A fork is listed when all of it is stored; where the disk is too full for that, once there is room. */
async function enlistWhenStored(store: SessionStore, stored: StoredSession): Promise<void> {
	for (;;) {
		try {
			await stored.flush();
			break;
		} catch {
			// The page explains the reason to the user, from `trouble`.
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
 * A new session in an environment of its own, not listed yet. What `fill` brings is stored as it comes, beside the
 * import and not after it. Frees everything when it fails.
 */
export async function openNew(
	about: Parameters<SessionStore['create']>[0],
	{ parts, store, signal }: OpenOptions,
	fill: (empty: { environment: ExecutionEnvironment; stored: StoredSession; notices: string[] }) => Promise<void>
): Promise<Opened> {
	const notices: string[] = [];
	const making = parts.createEnvironment((notice) => notices.push(notice));
	const creating = store.create(about);
	// Both are waited for, so that the one that succeeds is freed.
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

/** Makes a new session whole, and lists it then; where that fails it is nowhere. */
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

/** Data of its initial model that a session stores. */
export function nameOf({ model, provider }: ModelChoice): { model: string; provider: string } {
	return { model, provider };
}
