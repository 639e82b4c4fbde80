import { sha1 } from '@noble/hashes/legacy.js';
import { toHex } from '#environment/blob-id.ts';
import type { Content } from './content.ts';

const encoder = new TextEncoder();

/** Git's id of a blob with these bytes. */
export function blobId(bytes: Uint8Array): string {
	const hash = sha1
		.create()
		.update(encoder.encode(`blob ${bytes.length}\0`))
		.update(bytes);
	return toHex(hash.digest());
}

/** The same of a file, computed once for each content it has. */
export function blobOf(content: Content): string {
	content.blob ??= blobId(content.peek());
	return content.blob;
}
