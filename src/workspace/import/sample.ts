import { z } from 'zod';
import type { LoadEntry } from '#environment/contract.ts';
import { ImportError } from './errors.ts';
import { Mode } from '#environment/mode.ts';

const manifest = z.object({ name: z.string(), files: z.array(z.string()) });

/** Samples prefetched, by address. */
const asked = new Map<string, Promise<LoadEntry[]>>();

/**
 * Prefetches a sample for the next {@link fetchSample} call. Runs in the background; `fetchSample` reports failures.
 */
export function askForSample(name: string, serverUrl: string): void {
	const key = keyOf(name, serverUrl);
	if (asked.has(key)) return;
	const entries = fetchEntries(serverUrl, (...request) => fetch(...request));
	asked.set(key, entries);
	entries.catch(() => asked.delete(key));
}

/** The project shipped with the page, file by file, from our own origin. */
export async function* fetchSample(name: string, serverUrl: string, fetcher: typeof fetch): AsyncGenerator<LoadEntry> {
	const key = keyOf(name, serverUrl);
	const requested = asked.get(key);
	asked.delete(key);
	yield* await (requested ?? fetchEntries(serverUrl, fetcher));
}

const keyOf = (name: string, serverUrl: string): string => `${serverUrl} ${name}`;

async function fetchEntries(serverUrl: string, fetcher: typeof fetch): Promise<LoadEntry[]> {
	const base = new URL('sample/', serverUrl);
	const get = async (path: string) => {
		const response = await fetcher(new URL(path, base)).catch((error: unknown) => {
			throw new ImportError('no_network', String(error));
		});
		if (!response.ok) throw new ImportError('server_error', `${path}: ${response.status}`);
		return response;
	};
	const { files } = manifest.parse(await (await get('manifest.json')).json());
	return Promise.all(
		files.map(async (path) => ({
			path,
			mode: Mode.file,
			bytes: new Uint8Array(await (await get(path)).arrayBuffer())
		}))
	);
}
