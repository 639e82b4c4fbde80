import { unzip } from 'fflate';
import type { LoadEntry } from '../../environment/contract.ts';
import { ImportError } from './errors.ts';
import { MAX_IMPORT_BYTES } from './progress.ts';

/**
 * The files of a zip. Where everything lies in one folder, that folder is dropped.
 *
 * @throws ImportError `not_a_zip`, `damaged`, or `too_large` before anything is unpacked
 */
export async function* readZip(data: Blob | Uint8Array): AsyncGenerator<LoadEntry> {
	const size = data instanceof Uint8Array ? data.length : data.size;
	if (size > MAX_IMPORT_BYTES) throw new ImportError('too_large', `${size} bytes`);
	const bytes = data instanceof Uint8Array ? data : new Uint8Array(await data.arrayBuffer());
	if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new ImportError('not_a_zip');
	const files = Object.entries(await unpack(bytes))
		.filter(([path]) => !path.endsWith('/') && !path.startsWith('__MACOSX/') && !/(^|\/)\.DS_Store$/.test(path))
		.map(([path, content]) => ({ path: safe(path), content }));
	const drop = commonFolder(files.map(({ path }) => path));
	for (const { path, content } of files) yield { path: path.slice(drop.length), mode: 0o100644, bytes: content };
}

function unpack(bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
	let total = 0;
	return new Promise((resolve, reject) => {
		const filter = (file: { originalSize: number }) => {
			total += file.originalSize;
			if (total > MAX_IMPORT_BYTES) throw new ImportError('too_large', `${total} bytes unpacked`);
			return true;
		};
		try {
			unzip(bytes, { filter }, (error, files) =>
				error ? reject(new ImportError('damaged', error.message)) : resolve(files)
			);
		} catch (error) {
			reject(error instanceof ImportError ? error : new ImportError('damaged', String(error)));
		}
	});
}

function safe(path: string): string {
	const parts = path
		.replaceAll('\\', '/')
		.split('/')
		.filter((part) => part !== '' && part !== '.');
	if (parts.includes('..')) throw new ImportError('damaged', `a path climbs out: ${path}`);
	return parts.join('/');
}

function commonFolder(paths: string[]): string {
	const first = paths[0]?.split('/');
	if (!first || first.length < 2) return '';
	const folder = `${first[0]}/`;
	return paths.every((path) => path.startsWith(folder)) ? folder : '';
}
