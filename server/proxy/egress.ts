import { callerGone, type ServerApp, type ServerContext } from '../context.ts';
import { route } from '../methods.ts';
import { parseAddress } from '../outbound/address-check.ts';
import type { Guard } from '../outbound/guard.ts';
import { Refusal } from '../refusal.ts';
import { relay } from '../relay.ts';
import { bodyBytes } from '../request-body.ts';

const LIMITS = { headersMs: 60_000, idleMs: 60_000, totalMs: 10 * 60_000, maxBytes: 256 * 2 ** 20 };
const MAX_REQUEST_BYTES = 32 * 2 ** 20;
const PREFIX = 'x-egress-';
/** Hop-by-hop headers, which belong to the connection and not to the request. */
const OF_THE_CONNECTION =
	/^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/;
const NOT_ANSWERED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length']);

/**
 * `/api/egress?url=`: one request of the sandbox. Its headers arrive as `X-Egress-<name>`; our response always has
 * status 200, with the host's status and headers in `X-Egress-Status` and `X-Egress-<name>`, so that no status or
 * header of the host takes effect on our origin. Redirects are not followed but returned: the user may not have allowed
 * the next host.
 */
export function egressRoute(app: ServerApp, guard: Guard): void {
	const forward = async (c: ServerContext): Promise<Response> => {
		const signal = callerGone(c);
		const url = parseAddress(c.req.query('url'));
		c.set('log', { to: url.host });
		const headers: Record<string, string> = {};
		for (const [name, value] of Object.entries(c.req.header())) {
			const own = name.slice(PREFIX.length);
			if (!name.startsWith(PREFIX) || OF_THE_CONNECTION.test(own)) continue;
			if (own === '') throw new Refusal(400, 'header_invalid', 'X-Egress- needs the name of a header after it.');
			headers[own] = value;
		}
		const { method } = c.req;
		const body = method === 'GET' || method === 'HEAD' ? undefined : await bodyBytes(c, MAX_REQUEST_BYTES);
		const answer = await guard.request({ url, method, headers, body, signal, limits: LIMITS });
		const answered: Record<string, string | string[]> = { 'x-egress-status': String(answer.status) };
		for (const [name, value] of Object.entries(answer.headers))
			if (value !== undefined && !NOT_ANSWERED.has(name)) answered[PREFIX + name] = value;
		return relay(c, 200, { 'content-type': 'application/octet-stream', ...answered }, answer.body);
	};
	const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
	route(app, '/api/egress', Object.fromEntries(methods.map((method) => [method, forward])));
}
