import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { Hono } from 'hono';
import type { ServerApp, ServerEnvironment } from '#server/context.ts';
import { errorResponse } from '#server/error-response.ts';
import { createHttpServer } from '#server/http-server.ts';
import { observe } from '#server/log.ts';
import { startServer, type StartOptions } from '#server/main.ts';

export const RUNNER = {
	html: '<!doctype html><title>runner</title>',
	headers: {
		'content-security-policy': "sandbox allow-scripts; default-src 'none'",
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'cross-origin'
	},
	build: 'b1'
};

/** Starts our server on a free port, closed after the test; `logged` has every line of its log. */
export async function startSandglass(env: Record<string, string> = {}, options: StartOptions = {}) {
	const dir = mkdtempSync(path.join(tmpdir(), 'sandglass-server-'));
	const logged: string[] = [];
	const server = await startServer({
		runner: RUNNER,
		pageDir: dir,
		localServers: [],
		graceMs: 0,
		log: (line) => void logged.push(JSON.stringify(line)),
		...options,
		env: { PORT: '0', HOST: '127.0.0.1', SHARES_DIR: path.join(dir, 'shares'), ...env }
	});
	onTestFinished(async () => {
		await server.close();
		rmSync(dir, { recursive: true, force: true });
	});
	return { ...server, dir, logged };
}

/**
 * Serves some routes with the adapter, the log and the error handling of the real server; `logged` has every line of
 * its log.
 */
export async function startRoutes(register: (app: ServerApp) => void) {
	const logged: Record<string, unknown>[] = [];
	const app = new Hono<ServerEnvironment>();
	app.onError((error, c) => errorResponse(error, c, (line) => void logged.push(line)));
	app.use(observe((request) => void logged.push({ ...request })));
	app.use(async (c, next) => {
		c.set('client', 'client');
		await next();
	});
	register(app);
	const server = createHttpServer(app.fetch);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, logged };
}

/** Starts a server that stands in for the outside. */
export async function startUpstream(handler: http.RequestListener) {
	const server = http.createServer(handler);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The upstream has no port.');
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return { host: `127.0.0.1:${address.port}`, url: `http://127.0.0.1:${address.port}`, port: address.port };
}

/** Sends a request with headers that `fetch` does not allow. Resolves with the complete answer. */
export function ask(
	url: string,
	options: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {}
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
	return new Promise((resolve, reject) => {
		const request = http.request(url, { method: options.method ?? 'GET', headers: options.headers }, (answer) => {
			const chunks: Buffer[] = [];
			answer.on('data', (chunk: Buffer) => chunks.push(chunk));
			answer.on('error', reject);
			answer.on('end', () =>
				resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() })
			);
		});
		request.on('error', reject);
		request.end(options.body);
	});
}
