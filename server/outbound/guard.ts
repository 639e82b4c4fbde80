import type { LookupFunction } from 'node:net';
import { Refusal } from '../refusal.ts';
import { checkAddress, type AddressPolicy } from './address-check.ts';
import { createAgents } from './agents.ts';
import { exchange } from './exchange.ts';
import { limitedBody } from './limited-body.ts';
import type { OutboundRequest, OutboundResponse } from './types.ts';

/**
 * The only outbound path for git, archive, npm, fetch and egress. It follows no redirect: whether the next host
 * may be contacted, and with which credentials, is decided by the page and its user.
 */
export interface Guard {
	/**
	 * Sends a checked request.
	 * @param alsoAllowed a host the operator configured for this route (a registry, for example)
	 * @throws Refusal with a message; 4xx when the address is refused, 502 or 504 when the host failed
	 */
	request(request: OutboundRequest, alsoAllowed?: string): Promise<OutboundResponse>;
	close(): void;
}

/**
 * Creates the guard.
 * @param lookup replaces the system's resolver, in tests
 */
export function createGuard(policy: AddressPolicy, lookup?: LookupFunction): Guard {
	const agents = createAgents(lookup);

	async function request(first: OutboundRequest, alsoAllowed?: string): Promise<OutboundResponse> {
		const allowHosts = alsoAllowed ? [...policy.allowHosts, alsoAllowed] : policy.allowHosts;
		const over = new AbortController();
		const deadline = setTimeout(
			() =>
				over.abort(
					new Refusal(504, 'upstream_timeout', `${first.url.host} took too long. Try again later, or request less.`)
				),
			first.limits.totalMs
		);
		const signal = AbortSignal.any([first.signal, over.signal]);
		const headers = { ...first.headers, 'accept-encoding': 'identity' };
		try {
			const trust = checkAddress(first.url, { ...policy, allowHosts });
			const incoming = await exchange({ ...first, signal, headers }, agents, trust);
			const body = limitedBody(incoming, incoming.headers['content-encoding'], first.limits.maxBytes);
			body.once('close', () => clearTimeout(deadline));
			over.signal.addEventListener('abort', () => body.destroy(over.signal.reason), { once: true });
			return { status: incoming.statusCode ?? 502, headers: incoming.headers, body, url: first.url };
		} catch (error) {
			clearTimeout(deadline);
			throw error;
		}
	}

	return { request, close: agents.close };
}
