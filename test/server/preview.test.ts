import { expect, it } from 'vitest';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass } from './start.ts';

const HOST = '/__sandglass__/host';
const WORKER = '/__sandglass__/worker.js';

async function origins(env: Record<string, string> = {}) {
	const server = await startSandglass(env);
	const config = JSON.parse((await ask(`${server.url}/api/config`)).text) as { previewOrigins: string[] };
	return { server, previews: config.previewOrigins };
}

it('has a name for each session and ports for previews on this machine, which serve two files and nothing of the page, its API or its cookies', async () => {
	const { server, previews } = await origins({ SANDGLASS_TOKEN: '' });
	const { host: pageHost, hostname, port } = new URL(server.url);
	const [named, ...ports] = previews;
	expect(named).toBe(`http://*.localhost:${port}`);
	expect(new Set(ports).size).toBe(4);
	for (const each of ports) expect(new URL(each).hostname).toBe(hostname);
	const label = { host: `p0123.localhost:${port}` };
	await checkPreview(server.url, pageHost, label);
	for (const each of ports) await checkPreview(each, pageHost, {});
	// A page there has another origin than the API, with or without cookies.
	const asked = { headers: { origin: String(ports[0]), 'sec-fetch-site': 'same-site' } };
	expect((await ask(`${server.url}/api/config`, asked)).status).toBe(403);
	expect((await ask(`${server.url}${HOST}`)).status).toBe(404);
	for (const other of [`a.b.localhost:${port}`, `.localhost:${port}`, 'p0123.localhost:1'])
		expect((await ask(`${server.url}${HOST}`, { headers: { host: other } })).status, other).toBe(403);
});

/** @param headers headers that make a request to `url` one to a preview */
async function checkPreview(url: string, pageHost: string, headers: Record<string, string>): Promise<void> {
	const preview = url;
	const host = await ask(`${preview}${HOST}`, { headers });
	expect(host.status).toBe(200);
	expect(host.headers).toMatchObject({
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'cross-origin',
		'origin-agent-cluster': '?1',
		'x-content-type-options': 'nosniff',
		'connection-allowlist': '(response-origin)',
		'x-dns-prefetch-control': 'off'
	});
	const policy = String(host.headers['content-security-policy']);
	expect(policy).toContain("default-src 'none'");
	expect(policy).toContain(pageHost);
	expect(policy.split('; ').at(-1)).toMatch(/^frame-ancestors (?!'self')/);
	const worker = await ask(`${preview}${WORKER}`, { headers });
	expect(worker.headers).toMatchObject({
		'service-worker-allowed': '/',
		'content-type': 'text/javascript; charset=utf-8'
	});
	expect(worker.text).toContain("connect-src 'self'");
	for (const path of ['/', '/api/config', '/api/health', '/runner?v=b1', '/preview-frame', '/assets/a-1.js']) {
		const other = await ask(`${preview}${path}`, { headers });
		expect([path, other.status, other.headers['set-cookie']]).toEqual([path, 404, undefined]);
		expect(other.headers['content-security-policy']).toContain("default-src 'none'");
	}
	expect((await ask(`${preview}/api/shares`, { method: 'PUT', headers })).status).toBe(405);
}

it('answers previews under the names an operator gives them, by name alone', async () => {
	const { server, previews } = await origins({ SANDGLASS_PREVIEW_ORIGIN: 'https://*.preview.example.org' });
	expect(previews).toEqual(['https://*.preview.example.org']);
	const under = (host: string) => ask(`${server.url}${HOST}`, { headers: { host } });
	expect((await under('files-1.preview.example.org')).status).toBe(200);
	expect((await under('preview.example.org')).status).toBe(403);
	expect((await under('a.b.preview.example.org')).status).toBe(403);
	expect((await under('xpreview.example.org')).status).toBe(403);
	const page = await ask(`${server.url}/`);
	expect(page.status).toBe(404);
});

it('has none when it is switched off, or when other machines reach the server and no origin is set', async () => {
	expect((await origins({ SANDGLASS_PREVIEW_ORIGIN: 'off' })).previews).toEqual([]);
	expect((await origins({ HOST: '0.0.0.0' })).previews).toEqual([]);
	const { server } = await origins({ SANDGLASS_HOSTS: 'sandglass.example.org' });
	const proxied = await ask(`${server.url}/api/config`, { headers: { host: 'sandglass.example.org' } });
	expect(JSON.parse(proxied.text).previewOrigins).toEqual([]);
});

it('refuses a preview origin that is none, by the name of its setting', async () => {
	await expect(startSandglass({ SANDGLASS_PREVIEW_ORIGIN: 'https://a.example.org/path' })).rejects.toThrow(
		/SANDGLASS_PREVIEW_ORIGIN must be an origin/
	);
});
