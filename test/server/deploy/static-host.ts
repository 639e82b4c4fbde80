import { readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.wasm': 'application/wasm',
	'.json': 'application/json',
	'.svg': 'image/svg+xml'
};

/** Serves a folder like Cloudflare Pages and Netlify: files, URLs without `.html`, the `_headers` file. */
export async function startStaticHost(folder: () => string): Promise<{ host: string; close: () => Promise<void> }> {
	const server = http.createServer((request, response) => {
		const asked = new URL(request.url ?? '/', 'http://host.invalid').pathname;
		const name = asked === '/' ? '/index.html' : asked;
		const isFile = (each: string): boolean =>
			statSync(path.join(folder(), each), { throwIfNoEntry: false })?.isFile() ?? false;
		const file = [name, `${name}.html`].find(isFile);
		if (file === undefined || file === '/_headers') return void response.writeHead(404).end('Not found.');
		response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
		for (const [header, value] of headersOf(readFileSync(path.join(folder(), '_headers'), 'utf8'), asked))
			response.setHeader(header, value);
		response.end(readFileSync(path.join(folder(), file)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The host has no port.');
	return {
		host: `127.0.0.1:${address.port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	};
}

/** Headers of every rule that matches; repeated names are joined, as by those hosts. */
export function headersOf(rules: string, address: string): Map<string, string> {
	const headers = new Map<string, string>();
	let matches = false;
	for (const line of rules.split('\n')) {
		if (/^\S/.test(line)) matches = line.endsWith('/*') ? address.startsWith(line.slice(0, -1)) : address === line;
		else if (matches && line.trim()) {
			const [, name = '', value = ''] = /^\s+([^:]+): (.*)$/.exec(line) ?? [];
			const before = headers.get(name.toLowerCase());
			headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
		}
	}
	return headers;
}
