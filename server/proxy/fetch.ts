import { callerGone, type ServerApp } from '../context.ts';
import { route } from '../methods.ts';
import { parseAddress } from '../outbound/address-check.ts';
import type { Guard } from '../outbound/guard.ts';
import { refuseRedirect } from '../outbound/redirect.ts';
import { Refusal } from '../refusal.ts';
import { relay } from '../relay.ts';

const LIMITS = { headersMs: 20_000, idleMs: 15_000, totalMs: 60_000, maxBytes: 5 * 2 ** 20 };
const TEXT = /^(text\/|application\/([a-z0-9.+-]*\+)?(json|xml|javascript|yaml)\b)/i;

/**
 * `/api/fetch?url=`: a page as text, always as `text/plain`, so that no foreign content can run as a script on
 * our origin; its real type is in `X-Sandglass-Content-Type`. The host's status is passed through.
 */
export function fetchRoute(app: ServerApp, guard: Guard): void {
	route(app, '/api/fetch', {
		GET: async (c) => {
			const signal = callerGone(c);
			const url = parseAddress(c.req.query('url'));
			c.set('log', { to: url.host });
			const answer = await guard.request({
				url,
				method: 'GET',
				headers: { accept: 'text/html, text/*;q=0.9, application/json;q=0.8', 'user-agent': 'sandglass' },
				signal,
				limits: LIMITS
			});
			refuseRedirect(answer);
			const type = answer.headers['content-type'] ?? 'text/plain';
			if (!TEXT.test(type)) {
				answer.body.destroy();
				throw new Refusal(415, 'not_text', `That address responded with ${type.split(';')[0]}; only text can be read.`);
			}
			const charset = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
			return relay(
				c,
				answer.status,
				{
					'content-type': `text/plain; charset=${charset}`,
					'x-sandglass-content-type': type
				},
				answer.body
			);
		}
	});
}
