import { zlibSync } from 'fflate';
import { crc32 } from '#environment/crc32.ts';
import { sha1 } from '#environment/sha1.ts';
import { concat, toHex } from '../bytes.ts';
import type { BuiltPack } from './build-pack.ts';
import { objectId, type GitObject } from './object.ts';
import { objectHead, packedType, packHead } from './pack-format.ts';
import { packIndex, type IndexedObject, type IndexVersion } from './write-pack-index.ts';

const DIGEST_BYTES = 20;

/** Appends the base objects missing from a thin pack, so that it is self-contained. */
export function completePack(
	pack: Uint8Array,
	placed: readonly IndexedObject[],
	bases: readonly GitObject[],
	form: IndexVersion
): BuiltPack {
	const objects = placed.map(({ id, offset, crc }) => ({ id, offset, crc }));
	const parts = [pack.subarray(0, pack.length - DIGEST_BYTES)];
	let at = pack.length - DIGEST_BYTES;
	for (const { type, content } of bases) {
		const bytes = concat([objectHead(packedType(type), content.length), zlibSync(content)]);
		objects.push({ id: objectId(type, content), offset: at, crc: crc32(bytes) });
		parts.push(bytes);
		at += bytes.length;
	}
	const body = concat(parts);
	body.set(packHead(objects.length));
	const digest = bases.length === 0 ? pack.slice(pack.length - DIGEST_BYTES) : sha1(body);
	const { index } = packIndex(objects, digest, form);
	return { digest: toHex(digest), pack: concat([body, digest]), index, count: objects.length, deltas: 0 };
}
