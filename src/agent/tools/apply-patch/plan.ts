import { ToolError } from '../result.ts';
import { decodeText, isBinary } from '../file-kind.ts';
import { applyHunks } from './match.ts';
import type { PatchOperation } from './parse.ts';

/** Complete change of one path. */
export interface PlannedChange {
	/** Path as written in the patch. */
	path: string;
	kind: 'added' | 'modified' | 'removed';
	before: Uint8Array | null;
	after: Uint8Array | null;
}

export interface PlanOptions {
	/** Handling of an added file that already exists. */
	addExisting: 'overwrite' | 'refuse';
	/** See {@link applyHunks}. */
	maxFuzz: number;
}

/**
 * Computes the changes of a patch, one per path, without writing anything.
 *
 * @param read returns the bytes of a path, `null` if there is no file; rejects for a directory
 */
export async function planPatch(
	operations: readonly PatchOperation[],
	read: (path: string) => Promise<Uint8Array | null>,
	options: PlanOptions
): Promise<PlannedChange[]> {
	const before = new Map<string, Uint8Array | null>();
	const after = new Map<string, Uint8Array | null>();
	const current = async (path: string): Promise<Uint8Array | null> => {
		if (!before.has(path)) before.set(path, await read(path));
		const planned = after.get(path);
		return planned === undefined ? (before.get(path) ?? null) : planned;
	};
	for (const operation of operations) {
		const { path } = operation;
		const bytes = await current(path);
		if (operation.kind === 'add') {
			if (bytes && options.addExisting === 'refuse')
				throw new ToolError(`${path} exists already. Update it with "*** Update File: ${path}" instead of adding it.`);
			after.set(path, new TextEncoder().encode(operation.text));
			continue;
		}
		if (!bytes) throw new ToolError(`File not found: ${path}. Only existing files can be updated or deleted.`);
		if (operation.kind === 'delete') {
			after.set(path, null);
			continue;
		}
		if (isBinary(bytes)) throw new ToolError(`${path} is a binary file and cannot be patched as text.`);
		const text = applyHunks(decodeText(bytes), operation.hunks, path, options.maxFuzz);
		const target = operation.moveTo ?? path;
		await current(target);
		if (target !== path) after.set(path, null);
		after.set(target, new TextEncoder().encode(text));
	}
	return [...after].flatMap(([path, content]) => {
		const old = before.get(path) ?? null;
		if (old === null && content === null) return [];
		const kind = old === null ? 'added' : content === null ? 'removed' : 'modified';
		return [{ path, kind, before: old, after: content }];
	});
}
