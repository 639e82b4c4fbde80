import { blobHash } from '#environment/sha1.ts';
import type { Content } from './content.ts';

/** Returns git's id of a file's content, computed once per content. */
export function blobOf(content: Content): string {
	content.blob ??= blobHash(content.peek());
	return content.blob;
}
