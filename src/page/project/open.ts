import type { ExecutionEnvironment } from '../../environment/contract.ts';
import type { SessionStore, StoredSession, ShareBundle } from '../../session/contract.ts';
import type { ImportProgress, ImportSource, WorkspaceApi } from '../../workspace/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import { branchTo } from './branch-to.ts';
import { keepLeaf } from './leaf.ts';

/** A project's three foundations, before an agent works on it. */
export interface Opened {
	environment: ExecutionEnvironment;
	workspace: WorkspaceApi;
	stored: StoredSession;
	/** What the import left out or changed, each a sentence. */
	notices: string[];
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
	const notices: string[] = [];
	const environment = await parts.createEnvironment((notice) => notices.push(notice));
	try {
		signal?.throwIfAborted();
		const serverUrl = location.origin;
		await parts.allowOrigin?.(source);
		const imported = await parts.importRepository(source, environment, { signal, onProgress, serverUrl });
		signal?.throwIfAborted();
		const { origin } = imported;
		return await begin(store, { origin, title: origin.name, ...pick(choice) }, async (stored) => {
			const kept = await stored.attach(environment);
			const workspace = await parts.openWorkspace(kept, origin, stored);
			return { environment: kept, workspace, stored, notices: [...notices, ...imported.notices] };
		});
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
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
		const workspace = await parts.openWorkspace(kept, stored.summary.origin, stored);
		return { environment: kept, workspace, stored, notices: [...notices, ...stored.warnings] };
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** A new session with the files of a checkpoint and the conversation up to it. */
export async function forkFrom(
	from: StoredSession,
	checkpoint: { tree: string; entryId: string | null },
	title: string,
	options: OpenOptions
): Promise<Opened> {
	const { parts, store } = options;
	const [start] = from.checkpoints();
	const target = await from.readTree(checkpoint.tree);
	const baseline = start ? await from.readTree(start.tree) : target;
	const notices: string[] = [];
	const environment = await parts.createEnvironment((notice) => notices.push(notice));
	try {
		const { origin, model, provider } = from.summary;
		await environment.load(blobsOf(baseline, from));
		return await begin(store, { origin, title, model, provider }, async (stored) => {
			const kept = await stored.attach(environment);
			// Opened over the import, so that changes are counted from there; then the files go forward.
			const workspace = await parts.openWorkspace(kept, origin, stored);
			for (const path of baseline.keys()) {
				if (!target.has(path) && (await environment.fileExists(path)))
					await environment.remove(path, { recursive: true });
			}
			await environment.load(blobsOf(target, from));
			stored.adopt(branchTo(from.log.entries(), checkpoint.entryId));
			await stored.flush();
			return { environment: kept, workspace, stored, notices };
		});
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** The visitor's own session out of a share: where it began, then what the session made of it. */
export async function continueShare(bundle: ShareBundle, choice: ModelChoice, options: OpenOptions): Promise<Opened> {
	const { parts, store, signal, onProgress } = options;
	const [{ restoreBase, restoreChanges }, { restoreHistory }] = await Promise.all([
		import('../../session/share/restore.ts'),
		import('../../session/share/history.ts')
	]);
	const notices: string[] = [];
	const environment = await parts.createEnvironment((notice) => notices.push(notice));
	try {
		const serverUrl = location.origin;
		const importing = { signal, onProgress, serverUrl };
		notices.push(...(await restoreBase(bundle, environment, parts.importRepository, importing)));
		const { origin, title } = bundle;
		return await begin(store, { origin, title, ...pick(choice) }, async (stored) => {
			const kept = await stored.attach(environment);
			const workspace = await parts.openWorkspace(kept, bundle.origin, stored);
			stored.adopt(bundle.entries);
			if (bundle.history) await restoreHistory(bundle, bundle.history, environment, stored);
			else await restoreChanges(bundle, environment);
			if (bundle.leaf !== undefined && bundle.entries.some(({ id }) => id === bundle.leaf)) {
				stored.log.moveTo(bundle.leaf);
				await keepLeaf(stored);
			}
			await stored.flush();
			return { environment: kept, workspace, stored, notices };
		});
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** Makes a session that is in the list once it is whole, and nowhere when that fails. */
async function begin(
	store: SessionStore,
	about: Parameters<SessionStore['create']>[0],
	make: (stored: StoredSession) => Promise<Opened>
): Promise<Opened> {
	const stored = await store.create(about);
	try {
		const opened = await make(stored);
		await store.enlist(stored);
		return opened;
	} catch (error) {
		await store.discard(stored);
		throw error;
	}
}

function pick({ model, provider }: ModelChoice): { model: string; provider: string } {
	return { model, provider };
}

async function* blobsOf(
	tree: Map<string, { mode: number; blob: string }>,
	stored: StoredSession
): AsyncGenerator<{ path: string; mode: number; bytes: Uint8Array }> {
	for (const [path, { mode, blob }] of tree) {
		if (blob !== '') yield { path, mode, bytes: await stored.readBlob(blob) };
	}
}
