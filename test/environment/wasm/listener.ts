import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import { frameWithout, scriptWithout, type SourceDefenceName } from './without.ts';

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
			// Each request a connection of its own, since those are counted.
			response.setHeader('Connection', 'close');
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

/** Built once a run for each defence. */
const withoutDefence = new Map<SourceDefenceName, Promise<string>>();

const buildWithout: BrowserCommand<[name: SourceDefenceName]> = (_context, name) => {
	const script = withoutDefence.get(name) ?? scriptWithout(name);
	withoutDefence.set(name, script);
	return script;
};

export const listenerCommands = { startListener, listenerHits, buildWithout };

/** Counts requests for {@link MARK} on Vite's own server, upgrades included, and serves frames that lack a defence. */
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
			server.middlewares.use((request, response, next) => {
				const name = /^\/runner-without\/(\w+)/.exec(request.url ?? '')?.[1];
				if (name === undefined) return next();
				frameWithout(name).then((frame) => {
					for (const [header, value] of Object.entries(frame?.headers ?? {})) response.setHeader(header, value);
					response.end(frame?.html);
				}, next);
			});
			server.httpServer?.on('upgrade', (request, socket) => {
				if (!request.url?.startsWith(MARK)) return;
				ownRequests.push(`UPGRADE ${request.url}`);
				socket.destroy();
			});
		}
	};
}

declare module 'vitest/browser' {
	interface BrowserCommands {
		/** Address of the listener, its counters at zero. */
		startListener: () => Promise<string>;
		/** The script of the kernel, or of the raw program, with that defence taken out. */
		buildWithout: (name: SourceDefenceName) => Promise<string>;
		listenerHits: () => Promise<{ connections: number; ownRequests: string[] }>;
	}
}
