import type { Buffer } from 'buffer';

/** Encoding that a call of `node:crypto` is given for what goes in or comes out. */
export type Encoding = BufferEncoding | 'buffer' | null | undefined;

/** Bytes as a call gives them: a text where an encoding was asked for. */
export const encoded = (bytes: Buffer, encoding: Encoding): Buffer | string =>
	encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes;
