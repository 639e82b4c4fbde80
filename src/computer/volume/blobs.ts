import { toHex } from '#environment/blob-id.ts';
import { sha1 } from '#environment/sha1.ts';
import type { Content } from './content.ts';

const encoder = new TextEncoder();

/** Git's id of a blob with these bytes. */
export function blobId(bytes: Uint8Array): string {
	return toHex(sha1(encoder.encode(`blob ${bytes.length}\0`), bytes));
}

/** The same of a file, computed once for each content it has. */
export function blobOf(content: Content): string {
	content.blob ??= blobId(content.peek());
	return content.blob;
}
