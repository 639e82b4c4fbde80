import type { SessionEntry } from '#agent/session-log.ts';
import { blobId } from '#environment/blob-id.ts';
import type { collectShare, CollectedSession } from '#session/share/collect.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';
import type { ProjectOrigin } from '#workspace/contract.ts';

type Collectable = [workspace: Parameters<typeof collectShare>[0], stored: CollectedSession];

/**
 * A session with the given file states, one checkpoint each; the last one is the present.
 *
 * @param states path → text
 */
export async function madeSession(
	states: Record<string, string | Uint8Array>[],
	entries: SessionEntry[] = [],
	origin: ProjectOrigin = { kind: 'files', name: 'project' }
): Promise<Collectable> {
	const blobs = new Map<string, Uint8Array>();
	const known = new Map<string | Uint8Array, string>();
	const trees: Tree[] = [];
	for (const state of states) {
		const tree: Tree = new Map();
		for (const [path, text] of Object.entries(state)) {
			let blob = known.get(text);
			if (blob === undefined) {
				const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
				blob = await blobId(bytes);
				known.set(text, blob);
				blobs.set(blob, bytes);
			}
			tree.set(path, { mode: 0o100644, blob });
		}
		trees.push(tree);
	}
	const readBlob = async (id: string): Promise<Uint8Array> => blobs.get(id) ?? Promise.reject(new Error(`no ${id}`));
	const present = { id: 'present', entries: trees.at(-1) ?? new Map() };
	const checkpoints = trees
		.slice(0, -1)
		.map((_, index) => ({ id: `c${index}`, tree: String(index), label: 'turn', timestamp: index, entryId: null }));
	return [
		{ origin, environment: { snapshot: async () => present, readBlob } },
		{
			summary: { title: 'A session' },
			log: { entries: () => entries, leafId: () => entries.at(-1)?.id ?? null },
			checkpoints: () => checkpoints,
			readTree: async (id) => trees[Number(id)] ?? new Map(),
			readBlob
		}
	];
}
