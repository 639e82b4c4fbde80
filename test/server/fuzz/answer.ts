import { connect } from 'node:net';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { FuzzRequest } from './requests.ts';

const HANGS_MS = 10_000;
const refusal = z.object({ error: z.object({ message: z.string() }) });

/**
 * Sends the bytes, closes its side after a truncated request, reads to the end.
 *
 * @throws Error if the connection never ends
 */
export async function answerTo(url: string, request: FuzzRequest): Promise<{ status: number; body: string }> {
	const { hostname, port } = new URL(url);
	const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
	await once(socket, 'connect');
	socket.setTimeout(HANGS_MS, () => socket.destroy(new Error('The server hangs.')));
	socket.write(Buffer.from(request.text, 'latin1'));
	if (request.cut) socket.end();
	socket.once('end', () => socket.end());
	const answer = (await buffer(socket)).toString('utf8').replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '');
	const [head = '', ...rest] = answer.split('\r\n\r\n');
	const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
	const raw = rest.join('\r\n\r\n');
	const body = /^transfer-encoding: chunked/im.test(head) ? raw.replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, '') : raw;
	return { status, body };
}

/** Reason why this server may not give such an answer; `undefined` if it may. */
export function fault(request: FuzzRequest, { status, body }: { status: number; body: string }): string | undefined {
	const sentence = (): string | undefined => (request.text.startsWith('HEAD ') ? undefined : noSentence(status, body));
	if (status === 0 && request.cut) return undefined;
	if ((status >= 200 && status < 300) || status === 304) return undefined;
	if (status === 502 || status === 504)
		return request.mustNotBlame ? `${status} though nobody behind us failed: ${body}` : sentence();
	if (status >= 400 && status < 500) return sentence();
	return `status ${status}: ${body.slice(0, 200)}`;
}

function noSentence(status: number, body: string): string | undefined {
	let message = body;
	try {
		message = refusal.parse(JSON.parse(body)).error.message;
	} catch {
		if (!body.startsWith('This address is answered inside'))
			return `${status} without a sentence: ${body.slice(0, 200)}`;
	}
	return /^["\w/].{10,}\.\n?$/s.test(message) ? undefined : `${status} with no sentence: ${message.slice(0, 200)}`;
}
