import type { Machine } from '../machine.ts';
import { isLoopback, loopbackFetch } from '../sockets/loopback-fetch.ts';
import type { Handlers } from './handlers.ts';

export function outsideCalls({ outside, ports }: Machine): Pick<Handlers, 'fetch' | 'asset' | 'now'> {
	return {
		fetch: (_, request) => (isLoopback(request.url) ? loopbackFetch(ports, request) : outside.fetch(request)),
		asset: (_, name) => outside.asset(name),
		now: () => Date.now()
	};
}
