import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { madeAssets } from './asset-plugin.ts';
import { archiveOf } from './zoneinfo/archive.ts';

const DATABASE = fileURLToPath(new URL('zoneinfo/', import.meta.url));

/**
 * Makes `import url from 'virtual:zoneinfo'` return the URL of the compiled time zones, a gzipped tar archive. It is a
 * file of the page, fetched when a program first looks for a time zone.
 */
export function zoneArchive(): Plugin {
	return madeAssets('sandglass:zoneinfo', {
		// Not sent as a content encoding: the sandbox decompresses it.
		'virtual:zoneinfo': {
			served: '/@asset/zoneinfo.tar.gz',
			type: 'application/octet-stream',
			load: () => (archive ??= compiled())
		}
	});
}

let archive: Promise<Uint8Array> | null = null;

async function compiled(): Promise<Uint8Array> {
	const [source, table] = await Promise.all(
		['tzdata.zi', 'zone.tab'].map((name) => readFile(`${DATABASE}${name}`, 'utf8'))
	);
	return promisify(gzip)(archiveOf(source ?? '', table ?? ''), { level: 9 });
}
