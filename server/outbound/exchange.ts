import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { Refusal } from '../refusal.ts';
import { notPublic, type Trust } from './address-check.ts';
import { isAddressRefusal, type Agents } from './agents.ts';
import type { OutboundRequest } from './types.ts';

/**
 * Sends one request over one checked connection. The agent resolves the name once, checks the address and
 * connects to exactly that one.
 * @throws Refusal 403 (private address), 502 (unreachable), 504 (timeout)
 */
export function exchange(request: OutboundRequest, agents: Agents, trust: Trust): Promise<http.IncomingMessage> {
	const { url, method, headers, body, signal, limits } = request;
	return new Promise((resolve, reject) => {
		const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
			method,
			agent: agents.pick(url, trust),
			headers: body instanceof Uint8Array ? { ...headers, 'content-length': body.byteLength } : headers,
			signal
		});
		const late = setTimeout(() => {
			outgoing.destroy(new Refusal(504, 'upstream_timeout', `${url.host} did not respond in time. Try again later.`));
		}, limits.headersMs);
		outgoing.once('response', (incoming) => {
			clearTimeout(late);
			outgoing.setTimeout(limits.idleMs, () =>
				incoming.destroy(new Refusal(504, 'upstream_timeout', `${url.host} stopped in the middle of its response.`))
			);
			resolve(incoming);
		});
		outgoing.once('error', (error) => {
			clearTimeout(late);
			if (body instanceof Readable) body.destroy();
			if (error instanceof Refusal) reject(error);
			else if (isAddressRefusal(error)) reject(notPublic(url.host));
			else if (signal.aborted && signal.reason instanceof Refusal) reject(signal.reason);
			else reject(unreachable(url, error));
		});
		if (body instanceof Readable) {
			body.once('error', (error) => outgoing.destroy(error));
			body.pipe(outgoing);
		} else outgoing.end(body);
	});
}

/** Error codes of a resolver that finds no address for a name. */
const WITHOUT_ADDRESS = ['ENOTFOUND', 'EAI_AGAIN'];

function unreachable(url: URL, error: Error): Refusal {
	const known = 'code' in error && typeof error.code === 'string' ? error.code : '';
	const code = known === '' ? '' : ` (${known})`;
	if (WITHOUT_ADDRESS.includes(known)) {
		return new Refusal(502, 'upstream_not_found', `${url.hostname} was not found${code}. Check the name of the host.`);
	}
	return new Refusal(
		502,
		'upstream_unreachable',
		`${url.host} could not be reached${code}. Check the address, or try again later.`
	);
}
