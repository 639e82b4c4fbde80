import { sha1, sha256, sha384, sha512 } from 'hash-wasm';
import { fromHex } from '#environment/blob-id.ts';
import { NpmError } from '../errors.ts';
import type { PublishedManifest } from './packument.ts';

const STRENGTH = ['sha512', 'sha384', 'sha256', 'sha1'] as const;
type Algorithm = (typeof STRENGTH)[number];
/**
 * In WebAssembly: in JavaScript they took a tenth of the time of an installation with packages in the browser's cache.
 */
const HASHES: Record<Algorithm, (bytes: Uint8Array) => Promise<string>> = { sha1, sha256, sha384, sha512 };
const NATIVE: Record<Algorithm, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/**
 * Verifies a tarball against the registry or the lockfile, using the strongest hash given there.
 * @param integrity as in W3C's Subresource Integrity: `sha512-<base64>`, several separated by spaces
 * @throws NpmError EINTEGRITY
 */
export async function checkIntegrity(id: string, bytes: Uint8Array<ArrayBuffer>, integrity: string): Promise<void> {
	const entries = integrity
		.trim()
		.split(/\s+/)
		.map((entry) => entry.split('?')[0] ?? '');
	const algorithm = STRENGTH.find((name) => entries.some((entry) => entry.startsWith(`${name}-`)));
	if (!algorithm) throw new NpmError('EINTEGRITY', `${id} names no hash that is known here: ${integrity}`);
	const found = `${algorithm}-${base64(await digest(algorithm, bytes))}`;
	if (entries.includes(found)) return;
	throw new NpmError(
		'EINTEGRITY',
		`${id} is not what it should be: integrity checksum failed when using ${algorithm}: wanted ${integrity} but got ${found}. (${bytes.length} bytes)`,
		'Nothing was changed. If the package was published again on purpose, delete its entry in package-lock.json.'
	);
}

/** Checksum that the registry lists for a version's file; empty if there is none. */
export const promisedIntegrity = ({ integrity, shasum }: PublishedManifest['dist']): string =>
	integrity ?? (shasum ? fromShasum(shasum) : '');

/** Converts the registry's older `shasum`, hexadecimal SHA-1, to an integrity. */
function fromShasum(shasum: string): string {
	return `sha1-${base64(Uint8Array.from(shasum.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))}`;
}

async function digest(algorithm: Algorithm, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
	// Missing in workers of an opaque origin in some browsers.
	const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
	if (subtle) return new Uint8Array(await subtle.digest(NATIVE[algorithm], bytes));
	return fromHex(await HASHES[algorithm](bytes));
}

function base64(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes));
}
