import { createHash } from 'node:crypto';
import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { toHex } from '#environment/blob-id.ts';
import { loadSha1, sha1 } from '#environment/sha1.ts';

const agreesWithNode = () =>
	fc.assert(
		fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 }), (pieces) => {
			expect(toHex(sha1(...pieces))).toBe(createHash('sha1').update(Buffer.concat(pieces)).digest('hex'));
		})
	);

it('agrees with Node for any bytes in any pieces, before its module is compiled and after', async () => {
	agreesWithNode();
	await loadSha1();
	agreesWithNode();
});

it('hashes more than the memory of the module at once', async () => {
	const bytes = new Uint8Array(3_000_001).map((_, index) => index % 251);
	await loadSha1();
	expect(toHex(sha1(bytes))).toBe(createHash('sha1').update(bytes).digest('hex'));
});
