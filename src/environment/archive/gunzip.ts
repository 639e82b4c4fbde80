import { inflateSync } from 'fflate';
import { endOfMember, hasSum, headerEnd } from './gzip-member.ts';

/**
 * Decompresses a gzip file; returns other data unchanged. Bytes after its end are skipped, as other programs do: the
 * archives of some old packages end in zeros.
 *
 * @throws Error if it is damaged
 */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
	if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
	// Not through a Blob, which WebKit cannot read in a worker of a sandboxed frame.
	const { body } = new Response(bytes);
	if (!body) return bytes;
	try {
		return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
	} catch {
		// Browsers refuse bytes after the end, with an error like that of a damaged file.
		return firstMember(bytes);
	}
}

function firstMember(bytes: Uint8Array): Uint8Array {
	const content = inflateSync(bytes.subarray(headerEnd(bytes, 0)));
	const end = endOfMember(bytes, 0, content);
	if (end === null || !hasSum(bytes.subarray(0, end), content)) throw new Error('its checksum is wrong');
	return content;
}
