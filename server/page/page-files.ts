import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.mjs': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.json': 'application/json',
	'.map': 'application/json',
	'.webmanifest': 'application/manifest+json',
	'.svg': 'image/svg+xml',
	'.txt': 'text/plain; charset=utf-8',
	'.md': 'text/plain; charset=utf-8',
	'.wasm': 'application/wasm',
	'.png': 'image/png',
	'.ico': 'image/x-icon',
	'.webp': 'image/webp',
	'.woff2': 'font/woff2'
};
const COMPRESSED = /^(text\/|application\/(json|wasm|manifest)|image\/svg)/;

/** Files with their own route and headers; as plain files they would run on our origin. */
const NOT_SERVED = new Set(['/runner.html', '/runner-headers.json']);

export interface PageFile {
	type: string;
	/** Set for files named by content hash, which a browser never revalidates. */
	immutable: boolean;
	etag: string;
	bytes: Uint8Array;
	/** Absent if compression saves nothing. */
	gzipped?: Uint8Array;
}

/** The built page, by address (`/assets/x.js`). Only listed files exist, so no path can leave the folder. */
export interface PageFiles {
	/** `undefined` if there is no such file. Read and compressed on first use. */
	get(address: string): Promise<PageFile | undefined>;
}

/**
 * Lists the built page's files.
 * @param folder `dist/page`; an empty or missing one serves nothing
 */
export async function openPageFiles(folder: string): Promise<PageFiles> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const addresses = new Map<string, string>();
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		const file = path.join(entry.parentPath, entry.name);
		const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
		if (!NOT_SERVED.has(address)) addresses.set(address, file);
	}
	const cache = new Map<string, Promise<PageFile>>();
	return {
		async get(asked) {
			const address = asked === '/' ? '/index.html' : asked;
			const file = addresses.get(address);
			if (file === undefined) return undefined;
			const known = cache.get(address) ?? readPageFile(file, address);
			cache.set(address, known);
			return known;
		}
	};
}

async function readPageFile(file: string, address: string): Promise<PageFile> {
	const bytes = await readFile(file);
	const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
	const gzipped = COMPRESSED.test(type) && bytes.byteLength > 512 ? await compress(bytes) : undefined;
	return {
		type,
		immutable: address.startsWith('/assets/'),
		etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
		bytes,
		gzipped: gzipped && gzipped.byteLength < bytes.byteLength ? gzipped : undefined
	};
}
