import { callerGone, type ServerApp, type ServerContext } from '../context.ts';
import type { Guard } from '../outbound/guard.ts';
import { refuseRedirect } from '../outbound/redirect.ts';
import { Refusal } from '../refusal.ts';
import { pickHeaders, relay } from '../relay.ts';
import { bodyBytes, bodyStream } from '../request-body.ts';

const LIMITS = { headersMs: 60_000, idleMs: 60_000, totalMs: 15 * 60_000, maxBytes: 2 ** 30 };
const MAX_PUSH_BYTES = 256 * 2 ** 20;
/**
 * A fetch request names commits only, so it is buffered and sent with its length: some hosts do not accept
 * chunked requests.
 */
const MAX_FETCH_BYTES = 4 * 2 ** 20;
const SERVICES = ['git-upload-pack', 'git-receive-pack'];

/** `/api/git/:scheme/:host/*`: only git's smart HTTP protocol. Statuses are passed through, including 401. */
export function gitRoutes(app: ServerApp, guard: Guard): void {
	app.all('/api/git/:scheme/:host/*', async (c) => {
		const signal = callerGone(c);
		const { url, method } = target(c);
		c.set('log', { to: url.host });
		const answer = await guard.request({
			url,
			method,
			headers: {
				...pickHeaders(c.req.header(), ['authorization', 'content-type', 'content-encoding', 'accept', 'git-protocol']),
				'user-agent': 'git/2.40.0 (sandglass)'
			},
			body:
				method === 'GET'
					? undefined
					: url.pathname.endsWith('/git-receive-pack')
						? bodyStream(c, MAX_PUSH_BYTES)
						: await bodyBytes(c, MAX_FETCH_BYTES),
			signal,
			limits: LIMITS
		});
		refuseRedirect(answer);
		// No WWW-Authenticate: the browser would open its own login window.
		return relay(c, answer.status, pickHeaders(answer.headers, ['content-type']), answer.body);
	});
}

function target(c: ServerContext): { url: URL; method: 'GET' | 'POST' } {
	const asked = new URL(c.req.url);
	const [, , , scheme = '', host = '', ...rest] = asked.pathname.split('/');
	const path = rest.join('/');
	const last = rest.at(-1) ?? '';
	const service = asked.searchParams.get('service') ?? '';
	const listing = path.endsWith('/info/refs') && SERVICES.includes(service);
	if (!listing && !SERVICES.includes(last))
		throw new Refusal(
			404,
			'path_refused',
			'Only git itself goes through here: info/refs, git-upload-pack and git-receive-pack.'
		);
	const method = listing ? 'GET' : 'POST';
	if (c.req.method !== method)
		throw new Refusal(405, 'method_not_allowed', `This git call requires ${method}.`, { Allow: method });
	// A host may decode these and serve another repository than the one that the user approved in the page.
	if (/%(2[ef]|5c|00)|\\|\/\//i.test(path))
		throw new Refusal(400, 'address_invalid', 'The path of the repository has encoded dots or slashes in it.');
	const address = `${scheme}://${decodeHost(host)}/${path}`;
	if ((scheme !== 'http' && scheme !== 'https') || !URL.canParse(address))
		throw new Refusal(400, 'address_invalid', 'Write the address as /api/git/https/<host>/<path of the repository>.');
	const url = new URL(address);
	if (listing) url.search = `?service=${service}`;
	return { url, method };
}

/** A host segment may contain `%3A` and no other escape. */
function decodeHost(segment: string): string {
	const host = segment.replace(/%3a/gi, ':');
	if (!/^[a-z0-9.:[\]-]+$/i.test(host))
		throw new Refusal(400, 'address_invalid', 'The host in the address is not a host name.');
	return host;
}
