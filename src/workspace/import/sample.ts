import { z } from 'zod';
import type { LoadEntry } from '../../environment/contract.ts';
import { ImportError } from './errors.ts';
import { Mode } from '../../environment/mode.ts';

const manifest = z.object({ name: z.string(), files: z.array(z.string()) });

/** The project shipped with the page, file by file, from our own origin. */
export async function* fetchSample(name: string, serverUrl: string, fetcher: typeof fetch): AsyncGenerator<LoadEntry> {
	const base = new URL('sample/', serverUrl);
	const get = async (path: string) => {
		const response = await fetcher(new URL(path, base)).catch((error: unknown) => {
			throw new ImportError('no_network', String(error));
		});
		if (!response.ok) throw new ImportError('server_error', `${path}: ${response.status}`);
		return response;
	};
	const { files } = manifest.parse(await (await get('manifest.json')).json());
	if (name === '' || files.length === 0) throw new ImportError('empty');
	const contents = await Promise.all(
		files.map(async (path) => ({ path, bytes: new Uint8Array(await (await get(path)).arrayBuffer()) }))
	);
	for (const { path, bytes } of contents) yield { path, mode: Mode.file, bytes };
}
