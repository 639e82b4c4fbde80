import { HttpParser, type MessageHead } from './parser.ts';

/** Both directions of one connection. */
export interface Connection {
	/** Returns the next bytes; empty at the end. */
	read(): Promise<Uint8Array>;
	/** Resolves when the bytes have been accepted. */
	write(bytes: Uint8Array): Promise<void>;
	close(): void;
}

export interface HttpRequest {
	method: string;
	/** Path and query. */
	target: string;
	headers: [name: string, value: string][];
	body: Uint8Array | null;
}

export interface HttpResponse {
	status: number;
	statusText: string;
	headers: [name: string, value: string][];
	/** Yields chunks as they arrive. Leaving the loop early closes the connection. */
	body: AsyncIterable<Uint8Array>;
}

/** Headers of the connection, not of the message. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-connection|transfer-encoding|content-length|upgrade|expect)$/i;

/**
 * Sends one request over a connection, which is closed after the answer. Rejects with errors of the connection,
 * or `HttpSyntaxError`.
 */
export async function exchange(connection: Connection, request: HttpRequest): Promise<HttpResponse> {
	const chunks: Uint8Array[] = [];
	let head: MessageHead | null = null;
	let isComplete = false;
	const parser = new HttpParser('response', {
		head: (found) => {
			if (found.status >= 200 || found.status === 101) head = found;
			return request.method === 'HEAD' ? 'empty' : 'message';
		},
		body: (bytes) => void chunks.push(bytes),
		end: () => {
			if (!head) return;
			isComplete = true;
			parser.pause();
		}
	});
	const readMore = async (): Promise<void> => {
		const bytes = await connection.read();
		if (bytes.length > 0) return parser.write(bytes);
		parser.finish();
		isComplete = true;
	};
	const found = (): MessageHead | null => head;
	try {
		// A server may answer before it has received the whole body.
		const sent = connection.write(serialize(request)).then(
			() => null,
			(error: unknown) => error
		);
		while (!found() && !isComplete) await readMore();
		const answer = found();
		if (!answer) throw (await sent) ?? new Error('the server closed the connection without an answer');
		const body = async function* () {
			try {
				for (;;) {
					yield* chunks.splice(0);
					if (isComplete) return;
					await readMore();
				}
			} finally {
				connection.close();
			}
		};
		return { status: answer.status, statusText: answer.statusText, headers: answer.headers, body: body() };
	} catch (error) {
		connection.close();
		throw error;
	}
}

function serialize({ method, target, headers, body }: HttpRequest): Uint8Array {
	const kept = headers.filter(([name]) => !HOP_BY_HOP.test(name));
	kept.push(['Connection', 'close']);
	if (body || /^(POST|PUT|PATCH)$/.test(method)) kept.push(['Content-Length', String(body?.length ?? 0)]);
	const lines = kept.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`).join('');
	const text = `${method} ${target} HTTP/1.1\r\n${lines}\r\n`;
	const head = Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
	const bytes = new Uint8Array(head.length + (body?.length ?? 0));
	bytes.set(head);
	if (body) bytes.set(body, head.length);
	return bytes;
}
