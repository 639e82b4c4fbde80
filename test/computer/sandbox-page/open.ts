import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';
import * as z from 'zod/mini';
import { brotliModule } from '#computer/build/brotli-plugin.ts';
import { sandboxPrograms } from '#computer/build/program-plugin.ts';
import { CHROMIUM_FLAGS } from '#test/browser.mjs';
import type { DrivenSandbox } from './page.ts';

declare global {
	var driven: DrivenSandbox;
}

export interface SandboxPage {
	/** Copies a directory of this machine into the sandbox. @returns the number of its files */
	load(from: string, to: string): Promise<number>;
	remove(target: string): Promise<void>;
	exec(command: string, timeoutMs?: number): ReturnType<DrivenSandbox['exec']>;
	/** Runs a server in the sandbox. @returns the port it listens on */
	serve(command: string): Promise<number>;
	get(port: number, target: string): ReturnType<DrivenSandbox['get']>;
	close(): Promise<void>;
}

export interface SandboxPageOptions {
	/** Allows the sandbox to reach the package registries of npm and Python. */
	registry?: boolean;
}

/** Opens a sandbox in a real Chromium, built from the sources, with its kernel in the page itself. */
export async function openSandboxPage(options: SandboxPageOptions = {}): Promise<SandboxPage> {
	const files = await buildPage();
	const trees = new Map<string, Uint8Array>();
	const server = createServer((request, response) => {
		const name = new URL(request.url ?? '/', 'http://x').pathname;
		if (name === '/relay' && options.registry === true) return void relay(request, response);
		const bytes = trees.get(name) ?? files.get(name);
		response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
		response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
		response.setHeader('Content-Type', name.endsWith('.js') ? 'text/javascript' : 'text/html');
		response.statusCode = bytes === undefined ? 404 : 200;
		response.end(bytes);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const browser = await chromium.launch({
		executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
		args: CHROMIUM_FLAGS
	});
	const page = await browser.newPage();
	await page.goto(`http://127.0.0.1:${port}/`);
	await page.waitForFunction(() => 'driven' in globalThis);
	let lastTree = 0;
	return {
		async load(from, to) {
			const address = `/tree-${++lastTree}`;
			trees.set(address, packed(from, to));
			try {
				return await page.evaluate((tree) => globalThis.driven.load(tree), address);
			} finally {
				trees.delete(address);
			}
		},
		remove: (target) => page.evaluate((name) => globalThis.driven.remove(name), target),
		exec: (command, timeoutMs = 60_000) =>
			page.evaluate(([text, ms]) => globalThis.driven.exec(text, ms), [command, timeoutMs] as const),
		serve: (command) => page.evaluate((text) => globalThis.driven.serve(text), command),
		get: (on, target) => page.evaluate(([number, name]) => globalThis.driven.get(number, name), [on, target] as const),
		async close() {
			await browser.close();
			server.close();
		}
	};
}

const relayedRequest = z.object({
	method: z.string(),
	url: z.url({ protocol: /^https$/, hostname: /^(registry\.npmjs\.org|pypi\.org|files\.pythonhosted\.org)$/ }),
	headers: z.array(z.tuple([z.string(), z.string()]))
});

/** Forwards a request of the sandbox to a registry. Without the header `x-answer` nothing could be reached. */
async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const body = Buffer.concat(await request.toArray());
	try {
		const described: unknown = JSON.parse(decodeURIComponent(String(request.headers['x-request'])));
		const { method, url, headers } = relayedRequest.parse(described);
		const answer = await fetch(url, { method, headers, ...(body.length > 0 ? { body } : {}) });
		const { status, statusText } = answer;
		// The bytes arrive here uncompressed.
		const given = [...answer.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name));
		const head = { status, statusText, headers: given, url: answer.url };
		const bytes = Buffer.from(await answer.arrayBuffer());
		response.setHeader('x-answer', encodeURIComponent(JSON.stringify(head)));
		response.end(bytes);
	} catch (error) {
		response.statusCode = 502;
		response.end(String(error));
	}
}

async function buildPage(): Promise<Map<string, Uint8Array | string>> {
	const entry = fileURLToPath(new URL('./page.ts', import.meta.url));
	const result = await build({
		configFile: false,
		logLevel: 'error',
		plugins: [sandboxPrograms(), brotliModule()],
		build: {
			write: false,
			target: 'es2023',
			minify: false,
			modulePreload: false,
			rolldownOptions: { input: entry, output: { entryFileNames: 'page.js', codeSplitting: false } }
		}
	});
	const output = Array.isArray(result) ? result[0] : result;
	if (!output || !('output' in output)) throw new Error('Nothing was built.');
	const html = '<!doctype html><script type="module" src="/page.js"></script>';
	const built = output.output.map((part): [string, Uint8Array | string] => [
		`/${part.fileName}`,
		part.type === 'chunk' ? part.code : part.source
	]);
	return new Map([['/', html], ...built]);
}

/** Encodes a directory for `page.ts`. */
function packed(from: string, to: string): Uint8Array {
	const head: [string, number, number][] = [];
	const parts: Uint8Array[] = [];
	const visit = (directory: string): void => {
		for (const name of readdirSync(directory).sort()) {
			const file = path.join(directory, name);
			const stat = lstatSync(file);
			if (stat.isDirectory()) {
				visit(file);
				continue;
			}
			const bytes = stat.isSymbolicLink() ? Buffer.from(readlinkSync(file)) : readFileSync(file);
			const mode = stat.isSymbolicLink() ? 0o120000 : (stat.mode & 0o111) > 0 ? 0o755 : 0o644;
			head.push([path.posix.join(to, path.relative(from, file)), mode, bytes.length]);
			parts.push(bytes);
		}
	};
	visit(from);
	const listed = Buffer.from(JSON.stringify(head));
	const length = Buffer.alloc(4);
	length.writeUInt32LE(listed.length);
	return Buffer.concat([length, listed, ...parts]);
}
