import type { Content, FsNode, Volume } from './types.ts';

/** Changes the size in memory, padding with zeros. */
export function resize(content: Content, size: number): void {
	if (size > content.buffer.length) {
		const larger = new Uint8Array(Math.max(size, content.buffer.length * 2));
		larger.set(content.buffer.subarray(0, content.size));
		content.buffer = larger;
	} else if (size > content.size) content.buffer.fill(0, content.size, size);
	content.size = size;
}

/** Returns the open file's bytes, read again if the volume has changed since. */
export function current({ sync, generation, guarded, pathOf }: Volume, node: FsNode): Content {
	const content = (node.content ??= {
		buffer: new Uint8Array(),
		size: -1,
		streams: 0,
		generation: -1,
		modifiedMs: -1,
		unlinked: false
	});
	if (content.unlinked || content.generation === generation()) return content;
	return guarded(() => {
		const now = generation();
		const { size, modifiedMs } = sync.stat(pathOf(node));
		if (size !== content.size || modifiedMs !== content.modifiedMs) {
			content.buffer = sync.readFile(pathOf(node));
			content.size = content.buffer.length;
			content.modifiedMs = modifiedMs;
		}
		content.generation = now;
		return content;
	});
}
