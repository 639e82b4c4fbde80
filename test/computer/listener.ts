import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plugin } from 'vite';
import type { BrowserCommand } from 'vitest/node';
import { frameWithout, scriptWithout, type SourceDefenceName } from './without.ts';

/** A server that code in the sandbox must not reach: any connection counts, from any origin. */
interface Target {
	connections: number;
	/** The same for the server of the page itself. */
	ownRequests: string[];
}
/** By URL path: test files may run in parallel. */
const targets = new Map<string, Target>();

const MARK = '/sandbox-must-not-reach';

const startListener: BrowserCommand<[]> = async () => {
	const target: Target = { connections: 0, ownRequests: [] };
	const path = `${MARK}-${targets.size}`;
	targets.set(path, target);
	const server = createServer((_request, response) => {
		response.setHeader('Access-Control-Allow-Origin', '*');
		// Each request uses a separate connection, since connections are counted.
		response.setHeader('Connection', 'close');
		response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
		response.setHeader('Content-Type', 'text/javascript');
		response.end('0');
	});
	server.on('connection', () => target.connections++);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const { port } = server.address() as AddressInfo;
	return `http://127.0.0.1:${port}${path}`;
};

const listenerHits: BrowserCommand<[address: string]> = (_context, address) => {
	const target = targets.get(new URL(address).pathname);
	if (!target) throw new Error(`${address} is no listener's address`);
	return target;
};

/** Finds the target by the URL path of a request to the page's own server. */
const targetOf = (url = ''): Target | undefined => targets.get(url.split('?')[0] ?? '');

/** Built once per run for each defense. */
const withoutDefence = new Map<SourceDefenceName, Promise<string>>();

const buildWithout: BrowserCommand<[name: SourceDefenceName]> = (_context, name) => {
	const script = withoutDefence.get(name) ?? scriptWithout(name);
	withoutDefence.set(name, script);
	return script;
};

export const listenerCommands = { startListener, listenerHits, buildWithout };

/** Counts requests for {@link MARK} on Vite's own server, including upgrades, and serves frames that lack a defense. */
export function countOwnRequests(): Plugin {
	return {
		name: 'test:count-own-requests',
		enforce: 'pre',
		configureServer(server) {
			server.middlewares.use((request, response, next) => {
				const target = targetOf(request.url);
				if (!target) return next();
				target.ownRequests.push(`${request.method} ${request.url}`);
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
				const target = targetOf(request.url);
				if (!target) return;
				target.ownRequests.push(`UPGRADE ${request.url}`);
				socket.destroy();
			});
		}
	};
}

declare module 'vitest/browser' {
	interface BrowserCommands {
		/** Starts a listener with its counters at zero, and returns its address. */
		startListener: () => Promise<string>;
		/** The script of the kernel, or of the raw program, with that defense removed. */
		buildWithout: (name: SourceDefenceName) => Promise<string>;
		/** Requests that arrived at a listener, and at its path on the page's own server. */
		listenerHits: (address: string) => Promise<{ connections: number; ownRequests: string[] }>;
	}
}
