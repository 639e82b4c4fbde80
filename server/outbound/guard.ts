import type { LookupFunction } from 'node:net';
import { Refusal } from '../refusal.ts';
import { checkAddress, type AddressPolicy } from './address-check.ts';
import { createAgents } from './agents.ts';
import { exchange } from './exchange.ts';
import { limitedBody } from './limited-body.ts';
import type { OutboundRequest, OutboundResponse } from './types.ts';

/** The one way out for git, archive, npm, fetch and egress. */
export interface Guard {
	/**
	 * @param alsoAllowed a host the operator named for this door (a registry, say)
	 * @throws Refusal with a sentence; 4xx when the address is refused, 502 or 504 when the host failed
	 */
	request(request: OutboundRequest, alsoAllowed?: string): Promise<OutboundResponse>;
	close(): void;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Meant for the first host only. */
const CREDENTIALS = ['authorization', 'cookie', 'private-token', 'x-api-key'];

/** @param lookup replaces the system's resolver, in tests */
export function createGuard(policy: AddressPolicy, lookup?: LookupFunction): Guard {
	const agents = createAgents(lookup);

	async function request(first: OutboundRequest, alsoAllowed?: string): Promise<OutboundResponse> {
		const allowHosts = alsoAllowed ? [...policy.allowHosts, alsoAllowed] : policy.allowHosts;
		const over = new AbortController();
		const deadline = setTimeout(
			() =>
				over.abort(
					new Refusal(504, 'upstream_timeout', `${first.url.host} took too long. Try again later, or ask for less.`)
				),
			first.limits.totalMs
		);
		const signal = AbortSignal.any([first.signal, over.signal]);
		let current: OutboundRequest = { ...first, signal, headers: { ...first.headers, 'accept-encoding': 'identity' } };
		try {
			for (let hops = 0; ; hops += 1) {
				const incoming = await exchange(current, agents, checkAddress(current.url, { ...policy, allowHosts }));
				const status = incoming.statusCode ?? 502;
				const { location } = incoming.headers;
				if (first.redirect === 'manual' || !REDIRECTS.has(status) || location === undefined) {
					const body = limitedBody(incoming, incoming.headers['content-encoding'], first.limits.maxBytes);
					body.once('close', () => clearTimeout(deadline));
					over.signal.addEventListener('abort', () => body.destroy(over.signal.reason), { once: true });
					return { status, headers: incoming.headers, body, url: current.url };
				}
				incoming.destroy();
				if (hops >= MAX_REDIRECTS)
					throw new Refusal(
						502,
						'too_many_redirects',
						`${first.url.host} redirected more than ${MAX_REDIRECTS} times.`
					);
				current = redirected(current, status, location);
			}
		} catch (error) {
			clearTimeout(deadline);
			throw error;
		}
	}

	return { request, close: agents.close };
}

/** The request a redirect asks for; a body goes along only where it can be sent again. */
function redirected(request: OutboundRequest, status: number, location: string): OutboundRequest {
	if (!URL.canParse(location, request.url.href))
		throw new Refusal(502, 'redirect_invalid', `${request.url.host} redirected to something that is no address.`);
	const url = new URL(location, request.url);
	if (request.url.protocol === 'https:' && url.protocol === 'http:')
		throw new Refusal(502, 'redirect_refused', `${request.url.host} redirected to an unencrypted address.`);
	const headers = { ...request.headers };
	if (url.host !== request.url.host) for (const name of CREDENTIALS) delete headers[name];
	if (status === 303 && request.method !== 'HEAD') {
		delete headers['content-type'];
		return { ...request, url, headers, method: 'GET', body: undefined };
	}
	if (request.body !== undefined && !(request.body instanceof Uint8Array))
		throw new Refusal(502, 'redirect_refused', `${request.url.host} moved to ${url.host}. Use that address instead.`);
	return { ...request, url, headers };
}
