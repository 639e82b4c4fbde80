import type { LoadEntry } from '../../environment/contract.ts';
import { ImportError } from './errors.ts';
import type { GitAddress } from './git-url.ts';
import type { ImportTracker } from './progress.ts';
import { readTar } from './tar.ts';

/** Hosts whose archives the server knows how to ask for. */
const ARCHIVE_HOSTS = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'gitea.com', 'bitbucket.org']);

export function hasArchive(address: GitAddress): boolean {
	return ARCHIVE_HOSTS.has(new URL(address.url).host);
}

/** Streams the host's tarball of a ref through the server and unpacks it as it arrives. */
export async function* fetchArchive(
	address: GitAddress,
	options: {
		ref: string | undefined;
		token: string | undefined;
		serverUrl: string;
		fetch: typeof fetch;
		tracker: ImportTracker;
	}
): AsyncGenerator<LoadEntry> {
	const { tracker } = options;
	const query = new URLSearchParams({ url: address.url, ...(options.ref === undefined ? {} : { ref: options.ref }) });
	const headers: Record<string, string> =
		options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` };
	const response = await options
		.fetch(new URL(`api/archive?${query}`, options.serverUrl), { headers, signal: tracker.signal ?? null })
		.catch((error: unknown) => {
			tracker.check();
			throw new ImportError('no_network', String(error));
		});
	if (!response.ok || !response.body) throw await refusal(response);
	const length = Number(response.headers.get('Content-Length'));
	tracker.phase('downloading', length > 0 ? length : undefined);
	const counted = response.body.pipeThrough(
		new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
			transform(chunk, controller) {
				tracker.received(chunk.length);
				controller.enqueue(new Uint8Array(chunk));
			}
		})
	);
	try {
		yield* readTar(counted.pipeThrough(new DecompressionStream('gzip')));
	} catch (error) {
		tracker.check();
		throw error instanceof ImportError ? error : new ImportError('damaged', String(error));
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
