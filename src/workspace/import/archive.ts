import type { LoadEntry } from '#environment/contract.ts';
import { ImportError } from './errors.ts';
import type { GitAddress } from './git-url.ts';
import type { ImportTracker } from './progress.ts';
import { readTar } from './tar.ts';

export interface ArchiveOptions {
	ref: string | undefined;
	token: string | undefined;
	serverUrl: string;
	fetch: typeof fetch;
	tracker: ImportTracker;
	/** Called with the commit of the archive, if it is recorded. */
	onCommit: (commit: string) => void;
}

/** URL of the server route for a host's tarball of a ref, or of its default branch if `ref` is absent. */
export function archiveUrl(url: string, ref: string | undefined, serverUrl: string): URL {
	const query = new URLSearchParams({ url, ...(ref === undefined ? {} : { ref }) });
	return new URL(`api/archive?${query}`, serverUrl);
}

/**
 * Requests the host's tarball of a ref from the server, and unpacks it as it arrives.
 *
 * @returns `null` if the host offers no archives and the repository must be cloned
 */
export async function openArchive(
	address: GitAddress,
	options: ArchiveOptions
): Promise<AsyncIterable<LoadEntry> | null> {
	const { tracker } = options;
	const headers: Record<string, string> =
		options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` };
	const response = await options
		.fetch(archiveUrl(address.url, options.ref, options.serverUrl), { headers, signal: tracker.signal ?? null })
		.catch((error: unknown) => {
			tracker.check();
			throw new ImportError('no_network', String(error));
		});
	if (response.headers.get('X-Sandglass-Error') === 'no_archive') return null;
	if (!response.ok || !response.body) throw await refusal(response);
	const length = Number(response.headers.get('Content-Length'));
	tracker.phase('downloading', length > 0 ? length : undefined);
	return unpack(response.body, options);
}

async function* unpack(
	body: ReadableStream<Uint8Array>,
	{ tracker, onCommit }: ArchiveOptions
): AsyncGenerator<LoadEntry> {
	const counted = body.pipeThrough(
		new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
			transform(chunk, controller) {
				tracker.received(chunk.length);
				controller.enqueue(new Uint8Array(chunk));
			}
		})
	);
	try {
		yield* readTar(counted.pipeThrough(new DecompressionStream('gzip')), onCommit);
	} catch (error) {
		tracker.check();
		throw error;
	}
}

async function refusal(response: Response): Promise<ImportError> {
	const detail = `${response.status} ${(await response.text().catch(() => '')).slice(0, 300)}`;
	switch (response.status) {
		case 401:
		case 403:
			return new ImportError('private', detail);
		case 404:
			return new ImportError('not_found', detail);
		case 400:
			return new ImportError('invalid_url', detail);
		case 413:
			return new ImportError('too_large', detail);
		case 502:
		case 504:
			return new ImportError('no_network', detail);
		default:
			return new ImportError('server_error', detail);
	}
}
