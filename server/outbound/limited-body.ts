import { Transform, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Refusal } from '../refusal.ts';

/** Passes bytes through and errors with 413/502 once there are more than `maxBytes`. */
export function byteLimit(maxBytes: number, refusal: () => Refusal): Transform {
	let seen = 0;
	return new Transform({
		transform(chunk: Uint8Array, _encoding, done) {
			seen += chunk.byteLength;
			if (seen > maxBytes) done(refusal());
			else done(null, chunk);
		}
	});
}

/** Decodes the body of a response, limited to `maxBytes` decoded bytes, which stops gzip bombs. */
export function limitedBody(raw: Readable, encoding: string | undefined, maxBytes: number): Readable {
	const limit = byteLimit(
		maxBytes,
		() => new Refusal(502, 'answer_too_large', `The response is larger than ${maxBytes} bytes and was cut off.`)
	);
	const decoder = decoderFor(encoding);
	const ignore = (): void => undefined; // the reader of `limit` sees the error itself
	if (decoder) pipeline(raw, decoder, limit, ignore);
	else pipeline(raw, limit, ignore);
	return limit;
}

function decoderFor(encoding: string | undefined): Transform | undefined {
	switch (encoding?.trim().toLowerCase()) {
		case undefined:
		case '':
		case 'identity':
			return undefined;
		case 'gzip':
		case 'x-gzip':
			return createGunzip();
		case 'br':
			return createBrotliDecompress();
		case 'deflate':
			return createInflate();
		default:
			throw new Refusal(502, 'answer_encoding', 'The host responded in an encoding that this server does not support.');
	}
}
