/** Decompresses a gzip file; returns other data unchanged. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
	if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
	// Not through a Blob, which WebKit cannot read in a worker of a sandboxed frame.
	const { body } = new Response(bytes);
	if (!body) return bytes;
	return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}
