import type { Buffer } from 'buffer';

/** Encoding of inputs or outputs in a call of `node:crypto`. */
export type Encoding = BufferEncoding | 'buffer' | null | undefined;

/** Encodes bytes for a caller: as text if an encoding was requested. */
export const encoded = (bytes: Buffer, encoding: Encoding): Buffer | string =>
	encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes;
