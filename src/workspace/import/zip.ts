import { unzip } from 'fflate';
import type { LoadEntry } from '#environment/contract.ts';
import { entryPathFault } from '#environment/entry-path.ts';
import { ImportError } from './errors.ts';
import { FolderListing, isChosen } from './folder-choice.ts';
import { MAX_IMPORT_BYTES } from './progress.ts';
import { Mode } from '#environment/mode.ts';

const MAX_ZIP_BYTES = 1024 * 1024 * 1024;

interface ZipChoice {
	/** Only these folders; everything when absent. */
	folders?: readonly string[];
	maxBytes?: number;
}

/**
 * Reads the files of a zip. If everything is in one folder, that folder is removed from the paths.
 *
 * @throws ImportError `not_a_zip`, `damaged`, or `too_large` with the folders, before anything is unpacked
 */
export async function* readZip(
	data: Blob | Uint8Array,
	{ folders, maxBytes = MAX_IMPORT_BYTES }: ZipChoice = {}
): AsyncGenerator<LoadEntry> {
	const size = data instanceof Uint8Array ? data.length : data.size;
	// More than a page can hold in memory together with the unpacked files.
	if (size > MAX_ZIP_BYTES) throw new ImportError('too_large', `${size} bytes`);
	const bytes = data instanceof Uint8Array ? data : new Uint8Array(await data.arrayBuffer());
	if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new ImportError('not_a_zip');
	const names = await listed(bytes);
	const drop = commonFolder(names.map(({ path }) => path));
	const listing = new FolderListing();
	let total = 0;
	const wanted = new Map<string, string>();
	for (const { name, path, bytes: length } of names) {
		const inside = path.slice(drop.length);
		listing.add(inside, length);
		if (!isChosen(inside, folders)) continue;
		total += length;
		wanted.set(name, inside);
	}
	if (total > maxBytes) throw new ImportError('too_large', `${total} bytes unpacked`, listing.list(maxBytes));
	for (const [name, content] of Object.entries(await unpack(bytes, (each) => wanted.has(each))))
		yield { path: wanted.get(name) ?? '', mode: Mode.file, bytes: content };
}

/** The files in a zip, without those added by macOS. */
async function listed(bytes: Uint8Array): Promise<{ name: string; path: string; bytes: number }[]> {
	const files: { name: string; path: string; bytes: number }[] = [];
	await unpack(bytes, (name, length) => {
		const isFile = !name.endsWith('/') && !name.startsWith('__MACOSX/') && !/(^|\/)\.DS_Store$/.test(name);
		if (isFile) files.push({ name, path: safe(name), bytes: length });
		return false;
	});
	return files;
}

/**
 * Unpacks files.
 * @param choose selects files by name and unpacked size
 */
function unpack(
	bytes: Uint8Array,
	choose: (name: string, bytes: number) => boolean
): Promise<Record<string, Uint8Array>> {
	return new Promise((resolve, reject) => {
		const filter = (file: { name: string; originalSize: number }) => choose(file.name, file.originalSize);
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
	const fault = entryPathFault(parts.join('/'));
	if (fault !== null) throw new ImportError('damaged', `A path is refused, because ${fault}: ${path}`);
	return parts.join('/');
}

function commonFolder(paths: string[]): string {
	const first = paths[0]?.split('/');
	if (!first || first.length < 2) return '';
	const folder = `${first[0]}/`;
	return paths.every((path) => path.startsWith(folder)) ? folder : '';
}
