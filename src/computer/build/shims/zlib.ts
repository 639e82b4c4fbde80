import { Buffer } from 'buffer';
import { gunzipSync as gunzip, gzipSync as gzip, inflateSync as inflate, deflateSync as deflate } from 'fflate';

/** The synchronous part of `node:zlib` that just-bash's gzip commands use. */
export const gzipSync = (data: Uint8Array, options?: { level?: number }) =>
	Buffer.from(gzip(data, { level: level(options?.level) }));
export const gunzipSync = (data: Uint8Array) => Buffer.from(gunzip(data));
export const deflateRawSync = (data: Uint8Array, options?: { level?: number }) =>
	Buffer.from(deflate(data, { level: level(options?.level) }));
export const inflateRawSync = (data: Uint8Array) => Buffer.from(inflate(data));
export const constants = { Z_BEST_COMPRESSION: 9, Z_BEST_SPEED: 1, Z_DEFAULT_COMPRESSION: -1 };

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
const level = (value: number | undefined): Level =>
	value === undefined || value < 0 || value > 9 ? 6 : (Math.trunc(value) as Level);

export default { gzipSync, gunzipSync, deflateRawSync, inflateRawSync, constants };
