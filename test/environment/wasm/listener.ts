import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';

/** A listener that code in the sandbox must not reach: any connection counts, and any origin would be welcome. */
let connections = 0;
let listener: Promise<Server> | null = null;
/** The same for the server the page itself comes from. */
let ownRequests: string[] = [];

const MARK = '/sandbox-must-not-reach';

const startListener: BrowserCommand<[]> = async () => {
	listener ??= new Promise((resolve) => {
		const server = createServer((_request, response) => {
			response.setHeader('Access-Control-Allow-Origin', '*');
			response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
			response.setHeader('Content-Type', 'text/javascript');
			response.end('0');
		});
		server.on('connection', () => connections++);
		server.listen(0, '127.0.0.1', () => resolve(server));
		server.unref();
	});
	connections = 0;
	ownRequests = [];
	const { port } = (await listener).address() as AddressInfo;
	return `http://127.0.0.1:${port}${MARK}`;
};

const listenerHits: BrowserCommand<[]> = () => ({ connections, ownRequests });

export const listenerCommands = { startListener, listenerHits };

/** Counts requests for {@link MARK} on Vite's own server, upgrades included. */
export function countOwnRequests(): Plugin {
	return {
		name: 'test:count-own-requests',
		enforce: 'pre',
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				if (!request.url?.startsWith(MARK)) return next();
				ownRequests.push(`${request.method} ${request.url}`);
				response.setHeader('Access-Control-Allow-Origin', '*');
				response.end('0');
			});
			server.httpServer?.on('upgrade', (request) => {
				if (request.url?.startsWith(MARK)) ownRequests.push(`UPGRADE ${request.url}`);
			});
		}
	};
}

declare module 'vitest/browser' {
	interface BrowserCommands {
		/** Address of the listener, its counters at zero. */
		startListener: () => Promise<string>;
		listenerHits: () => Promise<{ connections: number; ownRequests: string[] }>;
	}
}
