import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { exchange, type Connection } from '#computer/http/exchange.ts';
import { isLocal } from '#computer/abi/local-host.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Ports } from './ports.ts';
import type { SocketEnd } from './socket.ts';

const READ_BYTES = 64 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Returns whether a request is for a server in the sandbox: it does not leave, so the page is not asked. */
export function isLoopback(url: string): boolean {
	return URL.canParse(url) && isLocal(new URL(url).hostname);
}

export const portOf = (url: string): number => Number(new URL(url).port || 80);

/** Sends a request to a server in the sandbox. Redirects are not followed. @throws ECONNREFUSED, EPROTO, EFBIG */
export async function loopbackFetch(ports: Ports, request: WireRequest): Promise<WireResponse> {
	const url = new URL(request.url);
	if (url.protocol !== 'http:') {
		const advice = 'servers in the sandbox speak plain HTTP: use http:';
		throw errno('EPROTO', undefined, `${url.protocol}//${url.host} cannot be reached: ${advice}`);
	}
	const connection = connectionOf(ports.connect(url.hostname, portOf(request.url)));
	const headers = request.headers.some(([name]) => name.toLowerCase() === 'host')
		? request.headers
		: [['Host', url.host] as [string, string], ...request.headers];
	const target = url.pathname + url.search;
	try {
		const answer = await exchange(connection, { method: request.method, target, headers, body: request.body });
		const { status, statusText } = answer;
		return { status, statusText, headers: answer.headers, url: url.href, body: await collect(answer.body) };
	} catch (error) {
		if (error instanceof Error && 'code' in error && String(error.code).startsWith('E')) throw error;
		throw errno('EPROTO', undefined, error instanceof Error ? error.message : String(error));
	}
}

/** Wraps an end of a connection that the kernel itself holds. */
export function connectionOf(socket: SocketEnd): Connection {
	socket.retain();
	let isOpen = true;
	return {
		read: async () => socket.read(READ_BYTES, null),
		write: async (bytes) => socket.write(bytes, null),
		close: () => {
			if (isOpen) socket.release();
			isOpen = false;
		}
	};
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > MAX_BODY_BYTES) throw errno('EFBIG', undefined, 'the answer is larger than 64 MB');
	}
	const all = new Uint8Array(size);
	let at = 0;
	for (const chunk of chunks) {
		all.set(chunk, at);
		at += chunk.length;
	}
	return all;
}
