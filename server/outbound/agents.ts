import { lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { notPublic, type Trust } from './address-check.ts';
import { isReserved } from './reserved-addresses.ts';

/** Keep-alive agents for outbound connections; filtered ones refuse every address that is not public unicast. */
export interface Agents {
	pick(url: URL, trust: Trust): http.Agent | https.Agent;
	close(): void;
}

/**
 * Creates the agents.
 * @param lookup replaces the system's resolver, in tests
 */
export function createAgents(lookup: LookupFunction = systemLookup): Agents {
	const options = { keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' as const, lookup };
	const filtering = { ...options, lookup: withoutReserved(lookup) };
	const agents = {
		filtered: { http: new RequestFilteringHttpAgent(filtering), https: new RequestFilteringHttpsAgent(filtering) },
		allowed: { http: new http.Agent(options), https: new https.Agent(options) }
	};
	return {
		pick: (url, trust) => agents[trust][url.protocol === 'https:' ? 'https' : 'http'],
		close() {
			for (const pair of Object.values(agents)) {
				pair.http.destroy();
				pair.https.destroy();
			}
		}
	};
}

/** Wraps a resolver so that it fails for addresses of {@link isReserved}. */
const withoutReserved =
	(lookup: LookupFunction): LookupFunction =>
	(name, options, answer) =>
		lookup(name, options, (error, found, family) => {
			const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
			if (addresses.some(isReserved)) answer(notPublic(name), found, family);
			else answer(error, found, family);
		});

/** Recognizes request-filtering-agent's refusal by its message; the library has no error class for it. */
export function isAddressRefusal(error: unknown): boolean {
	return error instanceof Error && /is not allowed\. Because/.test(error.message);
}
