import type { ExecutionEnvironment } from '../../environment/contract.ts';
import type { SessionStore, StoredSession, ShareBundle } from '../../session/contract.ts';
import type { ImportProgress, ImportSource, WorkspaceApi } from '../../workspace/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';

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
	const environment = await parts.createEnvironment();
	try {
		signal?.throwIfAborted();
		const serverUrl = location.origin;
		const imported = await parts.importRepository(source, environment, { signal, onProgress, serverUrl });
		signal?.throwIfAborted();
		const { origin } = imported;
		const stored = await store.create({ origin, title: origin.name, ...pick(choice) });
		await stored.attach(environment);
		const workspace = await parts.openWorkspace(environment, origin, stored);
		return { environment, workspace, stored, notices: imported.notices };
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** Brings a session of this browser back: files, conversation and checkpoints. */
export async function reopen(id: string, options: OpenOptions): Promise<Opened> {
	const { parts, store } = options;
	const stored = await store.open(id);
	const environment = await parts.createEnvironment();
	try {
		await stored.restoreFiles(environment);
		await stored.attach(environment);
		const workspace = await parts.openWorkspace(environment, stored.summary.origin, stored);
		return { environment, workspace, stored, notices: stored.warnings };
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
	const tree = await from.readTree(checkpoint.tree);
	const environment = await parts.createEnvironment();
	try {
		await environment.load(blobsOf(tree, from));
		const { origin, model, provider } = from.summary;
		const stored = await store.create({ origin, title, model, provider });
		await stored.attach(environment);
		for (const entry of upTo(from.log.branch(), checkpoint.entryId)) {
			const { id: _id, parentId: _parent, timestamp: _time, ...body } = entry;
			stored.log.append(body);
		}
		await stored.flush();
		const workspace = await parts.openWorkspace(environment, origin, stored);
		return { environment, workspace, stored, notices: [] };
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** The visitor's own session out of a share: its files where it carries them, else its base first. */
export async function continueShare(bundle: ShareBundle, choice: ModelChoice, options: OpenOptions): Promise<Opened> {
	const { parts, store, signal, onProgress } = options;
	const environment = await parts.createEnvironment();
	try {
		const notices: string[] = [];
		if (bundle.base) {
			const { url, commit } = bundle.base;
			const source: ImportSource = { kind: 'git', url, ref: commit };
			const serverUrl = location.origin;
			const imported = await parts.importRepository(source, environment, { signal, onProgress, serverUrl });
			notices.push(...imported.notices);
		}
		for (const path of bundle.removed) await environment.remove(path, { recursive: true });
		await environment.load(filesOf(bundle));
		const stored = await store.create({ origin: bundle.origin, title: bundle.title, ...pick(choice) });
		await stored.attach(environment);
		for (const { id: _id, parentId: _parent, timestamp: _time, ...body } of bundle.entries) stored.log.append(body);
		await stored.flush();
		const workspace = await parts.openWorkspace(environment, bundle.origin, stored);
		return { environment, workspace, stored, notices };
	} catch (error) {
		await environment.cleanup();
		throw error;
	}
}

/** The bytes of a share's file. */
export function bytesOf(base64: string): Uint8Array {
	return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function pick({ model, provider }: ModelChoice): { model: string; provider: string } {
	return { model, provider };
}

async function* filesOf(bundle: ShareBundle): AsyncGenerator<{ path: string; mode: number; bytes: Uint8Array }> {
	for (const [path, { mode, base64 }] of Object.entries(bundle.files)) yield { path, mode, bytes: bytesOf(base64) };
}

async function* blobsOf(
	tree: Map<string, { mode: number; blob: string }>,
	stored: StoredSession
): AsyncGenerator<{ path: string; mode: number; bytes: Uint8Array }> {
	for (const [path, { mode, blob }] of tree) {
		if (blob !== '') yield { path, mode, bytes: await stored.readBlob(blob) };
	}
}

function upTo<T extends { id: string }>(entries: T[], id: string | null): T[] {
	if (id === null) return [];
	const end = entries.findIndex((entry) => entry.id === id);
	return end < 0 ? entries : entries.slice(0, end + 1);
}
