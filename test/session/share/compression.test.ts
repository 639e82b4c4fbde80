import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compress, decompress, MAX_UNPACKED_BYTES } from '#session/share/compression.ts';

/** More than a stream delivers in one piece. */
const varied = crypto.getRandomValues(new Uint8Array(65_536));
const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

it('is gzip, in any number of pieces', async () => {
	for (const bytes of [new Uint8Array(), new Uint8Array([7]), varied]) {
		const packed = await compress(bytes);
		expect(isSame(gunzipSync(packed), bytes)).toBe(true);
		expect(isSame(await decompress(packed), bytes)).toBe(true);
		expect(isSame(await decompress(new Uint8Array(gzipSync(bytes))), bytes)).toBe(true);
	}
});

it('is unpacked up to its limit and no further', async () => {
	const packed = await compress(new Uint8Array(100_000));
	expect(await decompress(packed, 100_000)).toHaveLength(100_000);
	await expect(decompress(packed, 99_999)).rejects.toMatchObject({ code: 'too_large' });
	expect(MAX_UNPACKED_BYTES).toBe(268_435_456);
});

it('is damaged where it is no gzip, or not all of it', async () => {
	const packed = await compress(varied);
	for (const bytes of [
		new Uint8Array([1, 2, 3]),
		packed.slice(0, -9),
		packed.map((byte, at) => (at === 500 ? byte ^ 9 : byte))
	])
		await expect(decompress(bytes)).rejects.toMatchObject({
			code: 'damaged',
			detail: expect.stringContaining('Error')
		});
});
