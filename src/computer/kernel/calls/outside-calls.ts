import type { Computer } from '../computer.ts';
import { isLoopback, loopbackFetch, portOf } from '../sockets/loopback-fetch.ts';
import type { Handlers } from './handler.ts';

export function outsideCalls({ outside, ports }: Computer): Pick<Handlers, 'fetch' | 'asset' | 'preview' | 'now'> {
	return {
		fetch: (_, request) => {
			// A git server on the operator's own machine can have such a name too; the page knows which hosts are
			// allowed.
			const inside = isLoopback(request.url) && (request.purpose !== 'git' || ports.listens(portOf(request.url)));
			return inside ? loopbackFetch(ports, request) : outside.fetch(request);
		},
		asset: (_, name) => outside.asset(name),
		preview: (_, request) => outside.preview(request),
		now: () => Date.now()
	};
}
