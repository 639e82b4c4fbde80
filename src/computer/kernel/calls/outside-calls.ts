import type { Machine } from '../machine.ts';
import { isLoopback, loopbackFetch, portOf } from '../sockets/loopback-fetch.ts';
import type { Handlers } from './handlers.ts';

export function outsideCalls({ outside, ports }: Machine): Pick<Handlers, 'fetch' | 'asset' | 'now'> {
	return {
		fetch: (_, request) => {
			// A git server on the operator's own machine has such a name too; the page knows which are allowed.
			const inside = isLoopback(request.url) && (request.purpose !== 'git' || ports.listens(portOf(request.url)));
			return inside ? loopbackFetch(ports, request) : outside.fetch(request);
		},
		asset: (_, name) => outside.asset(name),
		now: () => Date.now()
	};
}
