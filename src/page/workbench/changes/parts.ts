import { toHex } from '#environment/blob-id.ts';
import type { WorkspaceApi } from '#workspace/contract.ts';
import { decode } from '../files/file-content.ts';
import { hunksOf, type Hunk } from './hunks.ts';

/** Part of a path's diff that can be accepted or reverted separately. */
export interface Part extends Hunk {
	/** Identifies the change, not its position: stays the same if the part only moves. */
	id: string;
}

/** Parts of a path's difference; `null` for a file that is not text. */
export async function partsOf(workspace: Pick<WorkspaceApi, 'compare'>, path: string): Promise<Part[] | null> {
	const { before, after } = await workspace.compare(path);
	const [left, right] = [decode(before ?? new Uint8Array()), decode(after ?? new Uint8Array())];
	if (left === null || right === null) return null;
	const seen = new Map<string, number>();
	const parts: Part[] = [];
	for (const hunk of hunksOf(path, left, right)) {
		const text = hunk.lines.map((line) => `${line.kind} ${line.text}`).join('\n');
		const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
		const id = toHex(digest.subarray(0, 12));
		// The same change in two places is two parts.
		const before = seen.get(id) ?? 0;
		seen.set(id, before + 1);
		parts.push({ ...hunk, id: before === 0 ? id : `${id}-${before}` });
	}
	return parts;
}
