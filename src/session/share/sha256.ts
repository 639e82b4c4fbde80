import type { Tree } from '#workspace/checkpoint-store.ts';
import { toHex } from '#environment/blob-id.ts';

/** SHA-256 of a text's UTF-8, in hex. */
export async function sha256(text: string): Promise<string> {
	return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

/**
 * Hash of the paths, modes and contents of a tree; equal trees have equal hashes regardless of their history.
 */
export function treeHash(tree: Tree): Promise<string> {
	const lines = [...tree].map(([path, { mode, blob }]) => `${mode.toString(8)} ${blob}\t${path}\n`);
	return sha256(lines.sort().join(''));
}
