import type { SessionEntry, SessionLog } from '#agent/session-log.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';
import type { ProjectOrigin, WorkspaceApi } from '#workspace/contract.ts';
import { diffTrees } from '#workspace/tree-diff.ts';
import type { SessionSummary, ShareBundle, StoredSession } from '../contract.ts';
import { CarriedFiles } from './carried-files.ts';
import { reconnected } from './entry-tree.ts';
import { collectHistory, type HistoricTree } from './history.ts';
import { PUBLIC_HOSTS } from './public-hosts.ts';
import { makeReceipt } from './receipt.ts';
import { Redaction, type ShareSecret } from './redaction.ts';

export interface Collected {
	bundle: ShareBundle;
	files: { path: string; bytes: number }[];
	secrets: ShareSecret[];
}

/** Data collected from a session: its conversation, its checkpoints, and the contents of their files. */
export type CollectedSession = Pick<StoredSession, 'checkpoints' | 'readTree' | 'readBlob'> & {
	summary: Pick<SessionSummary, 'title'>;
	log: Pick<SessionLog, 'entries' | 'leafId'>;
};

export interface CollectOptions {
	viewOnly: boolean;
	/** Ids of findings that the user restored. */
	keepSecrets: string[];
	/** Includes the files of each checkpoint, and receipts of the commands. */
	history?: boolean | undefined;
}

/** Collects the contents of a share. Suspected secrets are removed, unless their id is kept. */
export async function collectShare(
	workspace: Pick<WorkspaceApi, 'origin'> & { environment: Pick<WorkspaceApi['environment'], 'snapshot' | 'readBlob'> },
	stored: CollectedSession,
	options: CollectOptions
): Promise<Collected> {
	const redaction = new Redaction(new Set(options.keepSecrets));
	const readBlob = (blob: string): Promise<Uint8Array> =>
		// The environment knows blobs since its start; the session has all earlier ones.
		workspace.environment.readBlob(blob).catch(() => stored.readBlob(blob));
	const present = (await workspace.environment.snapshot()).entries;
	const [first] = stored.checkpoints();
	const imported = first ? await stored.readTree(first.tree) : present;
	const base = baseOf(workspace.origin);
	const carried = new CarriedFiles(imported, base !== null, readBlob, redaction);
	const [start, now] = [await carried.of(imported), await carried.of(present)];
	// Since the import, not since the last commit: the visitor starts from the import too.
	const changes = diffTrees(start, now);
	const paths = base ? changes.map(({ path }) => path) : [...now.keys()].sort();
	const entries = reconnected(stored.log.entries()).map((entry) => redaction.entry(entry));
	const leaf = stored.log.leafId();
	const bundle: ShareBundle = {
		version: 1,
		origin: workspace.origin,
		title: stored.summary.title,
		...(base ? { base } : {}),
		files: {},
		removed: changes.filter(({ kind }) => kind === 'removed').map(({ path }) => path),
		before: {},
		entries,
		...(isMoved(entries, leaf) ? { leaf } : {}),
		checkpoints: stored.checkpoints(),
		viewOnly: options.viewOnly
	};
	const files: Collected['files'] = [];
	for (const path of paths) {
		const entry = now.get(path);
		// Removed.
		if (!entry) continue;
		const file = await carried.file(path, entry);
		files.push({ path, bytes: byteLength(file.base64) });
		bundle.files[path] = file;
	}
	if (!base) for (const { path } of changes) bundle.before[path] = await sideOf(start, path, carried);
	if (options.history) {
		const trees = new Map<string, HistoricTree>();
		for (const { tree } of stored.checkpoints()) {
			if (!trees.has(tree)) trees.set(tree, await historic(await stored.readTree(tree), carried));
		}
		const { steps, hashes } = await collectHistory(
			stored.checkpoints(),
			trees,
			await historic(present, carried),
			carried
		);
		bundle.history = steps;
		bundle.receipt = await makeReceipt(entries, hashes);
	}
	return { bundle, files, secrets: redaction.found };
}

async function historic(tree: Tree, carried: CarriedFiles): Promise<HistoricTree> {
	return { files: await carried.of(tree), empty: await carried.emptyDirectories(tree) };
}

function baseOf({ kind, url, commit }: ProjectOrigin): { url: string; commit: string } | null {
	return kind === 'git' && url !== undefined && commit !== undefined && PUBLIC_HOSTS.test(url) ? { url, commit } : null;
}

/** Checks whether the conversation was moved back to an entry before the last. */
function isMoved(entries: readonly SessionEntry[], leaf: string | null): leaf is string {
	return leaf !== null && entries.at(-1)?.id !== leaf;
}

async function sideOf(tree: Tree, path: string, carried: CarriedFiles): Promise<ShareBundle['before'][string]> {
	const entry = tree.get(path);
	return entry ? carried.file(path, entry) : null;
}

function byteLength(base64: string): number {
	return Math.floor((base64.length * 3) / 4) - (/=*$/.exec(base64)?.[0].length ?? 0);
}
