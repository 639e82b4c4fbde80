import type { IncomingMessage } from 'node:http';
import type { EgressRequest } from '../remote/egress.ts';
import type { TunnelTarget } from './egress-tunnels.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Headers that concern the connection to the proxy, not the request. */
export const OF_THE_CONNECTION =
	/^(connection|proxy-connection|proxy-authorization|proxy-authenticate|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i;

/** A request that the page cannot send. */
export class RefusedRequest extends Error {
	constructor(
		readonly status: number,
		message: string
	) {
		super(message);
	}
}

/**
 * Reads a complete request.
 *
 * @param target server of the tunnel that the request came through
 * @throws RefusedRequest
 */
export async function readRequest(request: IncomingMessage, target: TunnelTarget | undefined): Promise<EgressRequest> {
	const { method = 'GET', rawHeaders } = request;
	if (/websocket/i.test(request.headers.upgrade ?? ''))
		throw new RefusedRequest(501, 'The proxy of this machine carries no WebSockets.');
	const url = target ? urlInTunnel(request, target) : urlOf(request);
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_BODY_BYTES) throw new RefusedRequest(413, 'This request is too large.');
		chunks.push(chunk);
	}
	const headers = rawHeaders.flatMap((name, at): [string, string][] => {
		const isName = at % 2 === 0 && !OF_THE_CONNECTION.test(name) && !/^host$/i.test(name);
		return isName ? [[name, rawHeaders[at + 1] ?? '']] : [];
	});
	return { method, url, headers, body: Buffer.concat(chunks) };
}

function urlOf({ url = '' }: IncomingMessage): string {
	if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
	throw new RefusedRequest(400, 'A proxy takes absolute addresses.');
}

/** Permissions are decided for the tunnel's host, so any host in a request must be the same. */
function urlInTunnel({ url = '', rawHeaders }: IncomingMessage, { host, authority }: TunnelTarget): string {
	const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && /^host$/i.test(rawHeaders[at - 1] ?? ''));
	const own = authority === host ? [host, `${host}:443`] : [authority];
	const isOther = hosts.some((name) => !own.includes(name.toLowerCase()));
	if (isOther) throw new RefusedRequest(421, `This connection is to ${authority}, and the request to another host.`);
	if (url.startsWith('/')) return `https://${authority}${url}`;
	const isSame = URL.canParse(url) && new URL(url).origin === `https://${authority}`;
	if (isSame) return url;
	throw new RefusedRequest(421, `This connection is to ${authority}, and takes requests to it only.`);
}
