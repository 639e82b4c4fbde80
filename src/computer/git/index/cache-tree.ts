import { concat, decode, encode, fromHex, toHex } from '../bytes.ts';

/** Trees that the index was last written as. They save a status from reading HEAD's trees. */
export interface CacheTree {
	name: string;
	/** Number of index entries below it; negative if an entry changed since, so that `id` is unknown. */
	count: number;
	id: string;
	children: CacheTree[];
}

/** Parses the `TREE` extension. Null if it is damaged: it is only a cache. */
export function parseCacheTree(bytes: Uint8Array): CacheTree | null {
	let at = 0;
	const read = (): CacheTree | null => {
		const nameEnd = bytes.indexOf(0, at);
		const lineEnd = bytes.indexOf(0x0a, nameEnd);
		if (nameEnd < 0 || lineEnd < 0) return null;
		const name = decode(bytes.subarray(at, nameEnd));
		const [count = Number.NaN, subtrees = Number.NaN] = decode(bytes.subarray(nameEnd + 1, lineEnd))
			.split(' ')
			.map(Number);
		at = lineEnd + 1;
		let id = '';
		if (count >= 0) {
			id = toHex(bytes.subarray(at, at + 20));
			at += 20;
		}
		const children: CacheTree[] = [];
		for (let i = 0; i < subtrees; i++) {
			const child = read();
			if (!child) return null;
			children.push(child);
		}
		return Number.isNaN(count) || Number.isNaN(subtrees) ? null : { name, count, id, children };
	};
	return read();
}

export function serializeCacheTree(tree: CacheTree): Uint8Array {
	const head = encode(`${tree.name}\0${tree.count} ${tree.children.length}\n`);
	const id = tree.count >= 0 ? fromHex(tree.id) : new Uint8Array(0);
	return concat([head, id, ...tree.children.map(serializeCacheTree)]);
}
