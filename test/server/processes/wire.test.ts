import { writeFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { certificate, privateKey } from '../certificate.ts';
import { ask, startUpstream } from '../start.ts';
import { serve, temporaryFolder } from './serve.ts';

const SECRET = 'sk-that-nobody-on-the-wire-reads';

/** An https server with the test's certificate, closed after the test. */
async function startTls(handler: http.RequestListener): Promise<number> {
	const server = https.createServer({ cert: certificate, key: privateKey }, handler);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return (server.address() as AddressInfo).port;
}

it('reads no answer and sends no secret where the wire is open, or belongs to another', async () => {
	const overheard: unknown[] = [];
	const plain = await startUpstream((request, response) => {
		overheard.push([request.url, request.headers]);
		response.end('from the open wire');
	});
	const seen: string[] = [];
	const port = await startTls((request, response) => {
		seen.push(`${request.url} ${request.headers.authorization ?? request.headers['x-api-key'] ?? 'nothing'}`);
		if (request.url === '/v1/messages' || request.url?.startsWith('/open'))
			response.writeHead(307, { location: `${plain.url}/down` }).end();
		else if (request.url?.startsWith('/other'))
			response.writeHead(307, { location: `https://127.0.0.1:${other}/kept` }).end();
		else if (request.url?.startsWith('/same')) response.writeHead(307, { location: '/kept' }).end();
		else response.writeHead(200, { 'content-type': 'text/plain' }).end('over TLS');
	});
	const atOther: unknown[] = [];
	const other = await startTls((request, response) => {
		atOther.push(request.headers);
		response.end('the other');
	});
	const trusted = path.join(temporaryFolder(), 'certificate.pem');
	writeFileSync(trusted, certificate);
	const server = await serve({
		NODE_EXTRA_CA_CERTS: trusted,
		SANDGLASS_ALLOW_HOSTS: `127.0.0.1:${port},127.0.0.1:${other},localhost:${port},${plain.host}`,
		ANTHROPIC_API_KEY: SECRET,
		ANTHROPIC_BASE_URL: `https://127.0.0.1:${port}`,
		OPENAI_API_KEY: SECRET,
		OPENAI_BASE_URL: `https://localhost:${port}/v1`,
		COMPATIBLE_BOX_API_KEY: SECRET,
		COMPATIBLE_BOX_BASE_URL: `https://127.0.0.1:${port}/box`
	});
	const git = async (name: string) => {
		const address = `/api/git/https/127.0.0.1:${port}/${name}/info/refs?service=git-upload-pack`;
		const { status, headers, text } = await ask(server.url + address, { headers: { authorization: SECRET } });
		return [status, headers['x-sandglass-error'] ?? text];
	};
	const model = async (name: string) => {
		const { status, headers, text } = await ask(`${server.url}/api/llm/${name}`, { method: 'POST', body: '{}' });
		return [status, headers['x-sandglass-error'] ?? text];
	};
	const fetched = async (url: string) => {
		const { status, headers, text } = await ask(`${server.url}/api/fetch?url=${encodeURIComponent(url)}`);
		return [status, headers['x-sandglass-error'] ?? text];
	};

	// The certificate is valid for 127.0.0.1 and for no other name.
	expect(await fetched(`https://127.0.0.1:${port}/page`)).toEqual([200, 'over TLS']);
	expect(await fetched(`https://localhost:${port}/page`)).toEqual([502, 'upstream_unreachable']);
	expect(await model('compatible-box/chat/completions')).toEqual([200, 'over TLS']);
	expect(await model('openai/responses')).toEqual([502, 'upstream_unreachable']);
	expect(seen).toEqual(['/page nothing', `/box/chat/completions Bearer ${SECRET}`]);

	// From TLS to plain HTTP: followed by no route, and that host gets no request.
	expect(await fetched(`https://127.0.0.1:${port}/open`)).toEqual([502, 'redirect_refused']);
	expect(await git('open')).toEqual([502, 'redirect_refused']);
	expect(await model('anthropic/v1/messages')).toEqual([502, 'redirect_refused']);
	expect(overheard).toEqual([]);
	expect(await fetched(`${plain.url}/asked`)).toEqual([200, 'from the open wire']); // a request for it works

	// From TLS to TLS: passed back, and neither the same host nor another one gets a second request.
	const before = seen.length;
	expect(await git('same')).toEqual([502, 'redirected']);
	expect(await git('other')).toEqual([502, 'redirected']);
	expect(seen.slice(before).map((each) => each.split('/')[1])).toEqual(['same', 'other']);
	expect(atOther).toEqual([]);
}, 60_000);
