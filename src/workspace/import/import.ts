import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import type { ImportFile, ImportRepository, ImportResult, ImportSource, ProjectOrigin } from '../contract.ts';
import { openArchive } from './archive.ts';
import { commitBaseline } from './baseline.ts';
import { clone } from './clone.ts';
import { ImportError } from './errors.ts';
import { parseGitUrl } from './git-url.ts';
import { importNotices } from './notices.ts';
import { ImportTracker } from './progress.ts';
import { fetchSample } from './sample.ts';
import { readZip } from './zip.ts';
import { Mode } from '#environment/mode.ts';
import { ownGit } from '#environment/own-git.ts';

const encoder = new TextEncoder();

/** Codes of invalid paths: they lead outside, or conflict with another entry. */
const DAMAGED: ReadonlySet<string> = new Set(['EINVAL', 'EACCES', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP']);

interface Context {
	environment: Promise<ExecutionEnvironment>;
	tracker: ImportTracker;
	fetch: typeof fetch;
	serverUrl: string;
	beforePrograms: () => Promise<void>;
}

/**
 * Imports a project into an empty environment, which may still be starting. Rejects with `ImportError`, whose
 * message is a sentence and a next step; then the environment contains some of the files and must be discarded.
 */
export const importRepository: ImportRepository = async (source, into, options = {}) => {
	const tracker = new ImportTracker(options.onProgress, options.signal, options.maxBytes);
	const context: Context = {
		environment: Promise.resolve(into),
		tracker,
		fetch: options.fetch ?? ((...args) => fetch(...args)),
		serverUrl: options.serverUrl ?? globalThis.location?.origin ?? '',
		beforePrograms: once(options.beforePrograms)
	};
	try {
		tracker.phase('connecting');
		const origin = await bring(source, context);
		if (tracker.files === 0) throw new ImportError('empty');
		const environment = await into;
		tracker.phase('baseline');
		await context.beforePrograms();
		const withoutGit = await commitBaseline(environment, origin.ref === undefined ? {} : { branch: origin.ref });
		const result: ImportResult = {
			origin,
			files: tracker.files,
			bytes: tracker.bytes,
			notices: [
				...partNotice(source),
				...(withoutGit === undefined ? [] : [withoutGit]),
				...(await importNotices(environment))
			]
		};
		tracker.phase('done');
		return result;
	} catch (error) {
		tracker.check();
		if (isEnvironmentError(error) && (error.code === 'ENOSPC' || error.code === 'EFBIG'))
			throw new ImportError('too_large', error.message);
		if (isEnvironmentError(error) && DAMAGED.has(error.code)) throw new ImportError('damaged', error.message);
		throw error;
	}
};

function once(work: () => Promise<void> = () => Promise.resolve()): () => Promise<void> {
	let done: Promise<void> | null = null;
	return () => (done ??= work());
}

function partNotice(source: ImportSource): string[] {
	if (!('folders' in source) || source.folders === undefined) return [];
	const part = `Only a part was imported: ${source.folders.join(', ')}.`;
	return [source.kind === 'git' ? `${part} A push puts its changes onto the host’s own history.` : part];
}

async function bring(source: ImportSource, context: Context): Promise<ProjectOrigin> {
	const { tracker } = context;
	switch (source.kind) {
		case 'git':
			return bringGit(source, context);
		case 'zip':
			await load(readZip(source.data, { folders: source.folders, maxBytes: tracker.maxBytes }), context);
			return { kind: 'zip', name: partName(source.name, source.folders) };
		case 'folder':
			await load(fromFiles(source.files), context);
			return { kind: 'folder', name: source.name };
		case 'files':
			await load(fromRecord(source.files), context);
			return { kind: 'files', name: source.name };
		case 'sample':
			await load(fetchSample(source.name, context.serverUrl, context.fetch), context);
			return { kind: 'sample', name: source.name };
	}
}

async function bringGit(source: Extract<ImportSource, { kind: 'git' }>, context: Context): Promise<ProjectOrigin> {
	const address = parseGitUrl(source.url);
	const ref = source.ref ?? address.ref;
	let commit: string | undefined;
	const { token } = source;
	const { serverUrl, fetch, tracker } = context;
	const onCommit = (id: string) => (commit = id);
	const archive = await openArchive(address, { ref, token, serverUrl, fetch, tracker, onCommit });
	if (archive) await load(archive, context, source.folders);
	else if (source.folders) throw new ImportError('unsupported');
	else {
		await context.beforePrograms();
		await clone(address, await context.environment, { ref, tracker });
	}
	const origin: ProjectOrigin = { kind: 'git', name: partName(address.name, source.folders), url: address.url };
	if (ref !== undefined) origin.ref = ref;
	// A part is not based on a commit of the host: missing files would count as removed.
	if (source.folders) return origin;
	const id = archive ? commit : await headCommit(await context.environment);
	return id === undefined ? origin : { ...origin, commit: id };
}

async function load(
	entries: AsyncIterable<LoadEntry>,
	{ environment, tracker }: Context,
	folders?: readonly string[]
): Promise<void> {
	const rest = tracker.count(entries, folders);
	// Requested now, so that the download runs while the computer starts.
	const first = rest.next();
	first.catch(() => {});
	try {
		await (await environment).load(beginningWith(first, rest));
	} finally {
		// Not awaited: its pending request may never complete.
		rest.return(undefined).catch(() => {});
	}
}

async function* beginningWith(
	first: Promise<IteratorResult<LoadEntry>>,
	rest: AsyncGenerator<LoadEntry>
): AsyncGenerator<LoadEntry> {
	const { done, value } = await first;
	if (done) return;
	yield value;
	yield* rest;
}

function partName(name: string, folders: readonly string[] | undefined): string {
	return folders === undefined ? name : `${name} (${folders.join(', ')})`;
}

async function* fromFiles(files: AsyncIterable<ImportFile>): AsyncGenerator<LoadEntry> {
	for await (const file of files) yield { path: file.path, mode: 0o100000 | (file.mode ?? 0o644), bytes: file.bytes };
}

async function* fromRecord(files: Record<string, string | Uint8Array>): AsyncGenerator<LoadEntry> {
	for (const [path, content] of Object.entries(files)) {
		yield { path, mode: Mode.file, bytes: typeof content === 'string' ? encoder.encode(content) : content };
	}
}

async function headCommit(environment: ExecutionEnvironment): Promise<string | undefined> {
	const result = await environment.exec(ownGit(environment, 'rev-parse HEAD'));
	return result.exitCode === 0 ? result.stdout.trim() : undefined;
}
