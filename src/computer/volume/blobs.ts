import type { Content } from './content.ts';
import { Sha1 } from '#environment/sha1.ts';

const encoder = new TextEncoder();

/** Git's id of a blob with these bytes. */
export function blobId(bytes: Uint8Array): string {
	return new Sha1()
		.update(encoder.encode(`blob ${bytes.length}\0`))
		.update(bytes)
		.hex();
}

/** The same of a file, computed once for each content it has. */
export function blobOf(content: Content): string {
	content.blob ??= blobId(content.peek());
	return content.blob;
}
