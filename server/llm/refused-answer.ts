import type { Readable } from 'node:stream';
import type { ServerContext } from '../context.ts';
import { apiHeaders } from '../page/headers.ts';
import { Refusal } from '../refusal.ts';
import type { Provider } from './providers.ts';

const MAX_ERROR_BYTES = 256 * 1024;

/**
 * A provider's error response. The error for an invalid key may quote part of it, so it is replaced by our own
 * message; a complete key has already been masked by `Upstream`.
 */
export async function refusedAnswer(
	c: ServerContext,
	provider: Provider,
	status: number,
	headers: Record<string, string>,
	body: Readable
): Promise<Response> {
	if (status === 401) {
		body.destroy();
		throw new Refusal(
			401,
			'key_refused',
			`${provider.id} refused this server's key. Check ${provider.keyVariable} where the server runs.`
		);
	}
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		if (!Buffer.isBuffer(chunk)) continue;
		bytes += chunk.byteLength;
		if (bytes > MAX_ERROR_BYTES) break;
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks).toString('utf8');
	const { 'content-length': _length, 'content-encoding': _encoding, ...remaining } = headers;
	return new Response(text, {
		status,
		headers: { ...apiHeaders, 'x-request-id': c.get('requestId'), ...remaining }
	});
}
