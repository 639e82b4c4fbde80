import type { Content } from '../files/content.ts';
import { sha1 } from './sha1.ts';

const encoder = new TextEncoder();

/** Git's id of a blob with these bytes. */
export function blobId(bytes: Uint8Array): string {
	const head = encoder.encode(`blob ${bytes.length}\0`);
	const whole = new Uint8Array(head.length + bytes.length);
	whole.set(head);
	whole.set(bytes, head.length);
	return sha1(whole);
}

/** The same of a file, computed once for each content it has. */
export function blobOf(content: Content): string {
	content.blob ??= blobId(content.peek());
	return content.blob;
}
