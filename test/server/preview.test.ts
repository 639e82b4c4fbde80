import { expect, it } from 'vitest';
import { ask, startSandglass } from './start.ts';

const HOST = '/__sandglass__/host';
const WORKER = '/__sandglass__/worker.js';

async function origins(env: Record<string, string> = {}) {
	const server = await startSandglass(env);
	const config = JSON.parse((await ask(`${server.url}/api/config`)).text) as { previewOrigin: string | null };
	return { server, preview: config.previewOrigin };
}

it('has a port of its own for previews, which serves two files and nothing of the page, its API or its cookies', async () => {
	const { server, preview } = await origins({ SANDGLASS_TOKEN: '' });
	const pageHost = new URL(server.url).host;
	expect(preview).not.toBeNull();
	const host = await ask(`${preview}${HOST}`);
	expect(host.status).toBe(200);
	expect(host.headers).toMatchObject({
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'cross-origin',
		'origin-agent-cluster': '?1',
		'x-content-type-options': 'nosniff'
	});
	const policy = String(host.headers['content-security-policy']);
	expect(policy).toContain("default-src 'none'");
	expect(policy).toContain(pageHost);
	expect(policy.split('; ').at(-1)).toMatch(/^frame-ancestors 'self' /);
	const worker = await ask(`${preview}${WORKER}`);
	expect(worker.headers).toMatchObject({
		'service-worker-allowed': '/',
		'content-type': 'text/javascript; charset=utf-8'
	});
	expect(worker.text).toContain("connect-src 'self'");
	for (const path of ['/', '/api/config', '/api/health', '/runner?v=b1', '/preview-frame', '/assets/a-1.js']) {
		const other = await ask(`${preview}${path}`);
		expect([path, other.status, other.headers['set-cookie']]).toEqual([path, 404, undefined]);
		expect(other.headers['content-security-policy']).toContain("default-src 'none'");
	}
	expect((await ask(`${preview}/api/shares`, { method: 'PUT' })).status).toBe(405);
	// A page there is another origin to the API, cookies or not.
	const asked = { headers: { origin: String(preview), 'sec-fetch-site': 'same-site' } };
	expect((await ask(`${server.url}/api/config`, asked)).status).toBe(403);
	expect((await ask(`${server.url}${HOST}`)).status).toBe(404);
});

it('answers previews under the names an operator gives them, by name alone', async () => {
	const { server, preview } = await origins({ SANDGLASS_PREVIEW_ORIGIN: 'https://*.preview.example.org' });
	expect(preview).toBe('https://*.preview.example.org');
	const under = (host: string) => ask(`${server.url}${HOST}`, { headers: { host } });
	expect((await under('files-1.preview.example.org')).status).toBe(200);
	expect((await under('preview.example.org')).status).toBe(403);
	expect((await under('a.b.preview.example.org')).status).toBe(403);
	expect((await under('xpreview.example.org')).status).toBe(403);
	const page = await ask(`${server.url}/`);
	expect(page.status).toBe(404);
});

it('has none when it is switched off, or when other machines reach the server and no origin is set', async () => {
	expect((await origins({ SANDGLASS_PREVIEW_ORIGIN: 'off' })).preview).toBeNull();
	expect((await origins({ HOST: '0.0.0.0' })).preview).toBeNull();
});

it('refuses a preview origin that is none, by the name of its setting', async () => {
	await expect(startSandglass({ SANDGLASS_PREVIEW_ORIGIN: 'https://a.example.org/path' })).rejects.toThrow(
		/SANDGLASS_PREVIEW_ORIGIN must be an origin/
	);
});
