import { callerGone, type ServerApp } from '../context.ts';
import { route } from '../methods.ts';
import type { Guard } from '../outbound/guard.ts';
import { refuseRedirect } from '../outbound/redirect.ts';
import { Refusal } from '../refusal.ts';
import { pickHeaders, relay } from '../relay.ts';

const LIMITS = { headersMs: 30_000, idleMs: 30_000, totalMs: 5 * 60_000, maxBytes: 256 * 2 ** 20 };
const NAME = '[a-z0-9~_-][a-z0-9._~-]*';
const PACKAGE = `(@${NAME}(/|%2f))?${NAME}`;
const METADATA = new RegExp(`^/(?!-/)${PACKAGE}(/[a-z0-9][a-z0-9.+-]*)?$`, 'i');
const TARBALL = new RegExp(`^/(?!-/)${PACKAGE}/-/(@${NAME}/)?[a-z0-9_~-][a-z0-9._~+-]*\\.tgz$`, 'i');

/**
 * `/api/npm/*`: a package's metadata and tarballs from the registry, read-only.
 * @param registry without a trailing slash; may be a private address, since the operator configured it
 */
export function npmRoute(app: ServerApp, guard: Guard, registry: string): void {
	const { hostname, port, protocol } = new URL(registry);
	const registryHost = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
	route(app, '/api/npm/*', {
		GET: async (c) => {
			const signal = callerGone(c);
			const path = new URL(c.req.url).pathname.slice('/api/npm'.length);
			const tarball = TARBALL.test(path);
			if (!tarball && !METADATA.test(path))
				throw new Refusal(404, 'path_refused', 'Only packages and their tarballs can be read from the registry.');
			c.set('log', { to: registryHost });
			const answer = await guard.request(
				{
					url: new URL(registry + path),
					method: 'GET',
					headers: { ...pickHeaders(c.req.header(), ['accept', 'if-none-match']), 'user-agent': 'sandglass' },
					signal,
					limits: LIMITS
				},
				registryHost
			);
			refuseRedirect(answer);
			const cached = answer.status === 200 || answer.status === 304;
			const age = tarball ? 'private, max-age=31536000, immutable' : 'private, max-age=300';
			return relay(
				c,
				answer.status,
				{
					'content-type': tarball ? 'application/octet-stream' : 'application/json',
					...pickHeaders(answer.headers, ['etag', 'last-modified']),
					...(cached ? { 'cache-control': age } : {})
				},
				answer.body
			);
		}
	});
}
