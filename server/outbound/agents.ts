import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { Trust } from './address-check.ts';

/** Connections to the outside, kept alive; filtered ones refuse every address that is not public unicast. */
export interface Agents {
	pick(url: URL, trust: Trust): http.Agent | https.Agent;
	close(): void;
}

/** @param lookup replaces the system's resolver, in tests */
export function createAgents(lookup?: LookupFunction): Agents {
	const options = { keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' as const, ...(lookup ? { lookup } : {}) };
	const agents = {
		filtered: { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) },
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

/** The words request-filtering-agent refuses an address with; it has no error class for it. */
export function isAddressRefusal(error: unknown): boolean {
	return error instanceof Error && /is not allowed\. Because/.test(error.message);
}
