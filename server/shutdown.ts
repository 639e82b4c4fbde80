import type { Server } from 'node:http';

/** Stops listening, waits up to `graceMs` for responses in flight, then cuts the rest. */
export function shutDown(server: Server, graceMs: number): Promise<void> {
	return new Promise((resolve) => {
		const cut = setTimeout(() => server.closeAllConnections(), graceMs);
		server.close(() => {
			clearTimeout(cut);
			resolve();
		});
		server.closeIdleConnections();
	});
}
