import type { ExecutionEnvironment, LoadEntry } from '../../environment/contract.ts';
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

/** Contents asked of storage in one go: waiting for each takes longer than reading it. */
const READS_AT_ONCE = 250;

type Tree = ReadonlyMap<string, { mode: number; blob: string }>;

/** Imports into a fresh environment and keeps it as a new session. Frees everything when it fails. */
export async function openImport(source: ImportSource, choice: ModelChoice, options: OpenOptions): Promise<Opened> {
	const { parts, store, signal, onProgress } = options;
	// What it is called is known when it is there.
	const about = { origin: { kind: source.kind, name: '' }, title: '', ...pick(choice) };
	const opened = await openNew(about, options, async ({ environment, stored, notices }) => {
		await parts.allowOrigin?.(source);
		const importing = { signal, onProgress, serverUrl: location.origin };
		const imported = await parts.importRepository(source, environment, importing);
		signal?.throwIfAborted();
		const { origin } = imported;
		await stored.update({ origin, title: origin.name });
		notices.push(...imported.notices);
	});
	return finish(store, opened);
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
	const [start] = from.checkpoints();
	const target = await from.readTree(checkpoint.tree);
	const baseline = start ? await from.readTree(start.tree) : target;
	const { origin, model, provider } = from.summary;
	const opened = await openNew({ origin, title, model, provider }, options, ({ environment }) =>
		environment.load(blobsOf(baseline, from))
	);
	return finish(options.store, opened, async ({ environment, stored }) => {
		// Opened over the import, so that changes are counted from there; then the files go forward.
		for (const path of baseline.keys()) {
			if (!target.has(path) && (await environment.fileExists(path)))
				await environment.remove(path, { recursive: true });
		}
		await environment.load(blobsOf(differing(baseline, target), from));
		stored.adopt(branchTo(from.log.entries(), checkpoint.entryId));
	});
}

/**
 * The visitor's own session out of a share: where it began, then what the session made of it.
 *
 * @param fetchBase where the base's archive may be on its way already
 */
export async function continueShare(
	bundle: ShareBundle,
	choice: ModelChoice,
	options: OpenOptions,
	fetchBase: typeof fetch
): Promise<Opened> {
	const { parts, signal, onProgress, store } = options;
	const [{ restoreBase, restoreChanges }, { restoreHistory }] = await Promise.all([
		import('../../session/share/restore.ts'),
		import('../../session/share/history.ts')
	]);
	const { origin, title } = bundle;
	const base = await openNew({ origin, title, ...pick(choice) }, options, async ({ environment, notices }) => {
		const importing = { signal, onProgress, serverUrl: location.origin, fetch: fetchBase };
		notices.push(...(await restoreBase(bundle, environment, parts.importRepository, importing)));
		signal?.throwIfAborted();
	});
	return finish(store, base, async ({ environment, stored }) => {
		stored.adopt(bundle.entries);
		if (bundle.history) await restoreHistory(bundle, bundle.history, environment, stored);
		else await restoreChanges(bundle, environment);
		if (bundle.leaf !== undefined && bundle.entries.some(({ id }) => id === bundle.leaf)) {
			stored.log.moveTo(bundle.leaf);
			await keepLeaf(stored);
		}
	});
}

/**
 * A new session in an environment of its own, not listed yet. What `fill` brings is stored as it comes, beside the
 * import and not after it. Frees everything when it fails.
 */
async function openNew(
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
async function finish(
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

function pick({ model, provider }: ModelChoice): { model: string; provider: string } {
	return { model, provider };
}

/** What of `target` the files of `baseline` lack, or have otherwise. */
function differing(baseline: Tree, target: Tree): Tree {
	return new Map(
		[...target].filter(([path, { mode, blob }]) => {
			const before = baseline.get(path);
			return before?.blob !== blob || before.mode !== mode;
		})
	);
}

async function* blobsOf(tree: Tree, stored: StoredSession): AsyncGenerator<LoadEntry> {
	const files = [...tree].filter(([, { blob }]) => blob !== '');
	for (let from = 0; from < files.length; from += READS_AT_ONCE) {
		const part = files.slice(from, from + READS_AT_ONCE);
		const contents = await Promise.all(part.map(([, { blob }]) => stored.readBlob(blob)));
		for (const [index, [path, { mode }]] of part.entries()) yield { path, mode, bytes: contents[index]! };
	}
}
