import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { limitedBody } from '#server/outbound/limited-body.ts';

const text = 'x'.repeat(1_000);
const read = async (bytes: Buffer, encoding: string | undefined, maxBytes = 1_000) =>
	String(await buffer(limitedBody(Readable.from([bytes]), encoding, maxBytes)));

describe('the body of a response', () => {
	it.each([
		[undefined, Buffer.from(text)],
		['', Buffer.from(text)],
		['identity', Buffer.from(text)],
		[' GZIP ', gzipSync(text)],
		['x-gzip', gzipSync(text)],
		['br', brotliCompressSync(text)],
		['deflate', deflateSync(text)]
	])('is decoded from %j, up to its limit', async (encoding, bytes) => {
		expect(await read(bytes, encoding)).toBe(text);
		await expect(read(bytes, encoding, 999)).rejects.toMatchObject({
			status: 502,
			code: 'answer_too_large',
			message: 'The response is larger than 999 bytes and was cut off.'
		});
	});

	it('in an encoding that is not known is refused', () => {
		expect(() => limitedBody(Readable.from([]), 'zstd', 1)).toThrow(
			expect.objectContaining({
				status: 502,
				code: 'answer_encoding',
				message: 'The host responded in an encoding that this server does not support.'
			})
		);
	});

	it('that is not what its encoding says fails, and its source with it', async () => {
		const raw = Readable.from([Buffer.from('no gzip')]);
		await expect(buffer(limitedBody(raw, 'gzip', 10))).rejects.toThrow('incorrect header check');
		expect(raw.destroyed).toBe(true);
	});
});
