import { blobHash } from '#environment/sha1.ts';
import type { Content } from './content.ts';

/** git's id of a file's content, computed once for each content it has. */
export function blobOf(content: Content): string {
	content.blob ??= blobHash(content.peek());
	return content.blob;
}
