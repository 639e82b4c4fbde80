import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DIRECT_PROVIDERS } from '#page/settings/direct-providers.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { RUNNER, startSandglass } from './start.ts';

function builtPage(): string {
	const dir = mkdtempSync(path.join(tmpdir(), 'sandglass-page-'));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	mkdirSync(path.join(dir, 'assets'));
	writeFileSync(path.join(dir, 'index.html'), '<!doctype html>page');
	writeFileSync(path.join(dir, 'assets/a-1.js'), 'x'.repeat(2000));
	writeFileSync(path.join(dir, 'runner.html'), RUNNER.html);
	writeFileSync(path.join(dir, 'runner-headers.json'), JSON.stringify(RUNNER.headers));
	return dir;
}

it('serves the page with isolation and a policy that names the two frames', async () => {
	const server = await startSandglass({ SANDGLASS_CONNECT_HOSTS: 'https://mcp.example.org' }, { pageDir: builtPage() });
	const page = await ask(`${server.url}/`);
	const { host, port } = new URL(server.url);
	// Providers to which the page sends a user's own key.
	const providers = DIRECT_PROVIDERS.map(({ baseUrl }) => new URL(baseUrl).origin).join(' ');
	expect(page.text).toBe('<!doctype html>page');
	expect(page.headers).toMatchObject({
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'same-origin',
		'x-content-type-options': 'nosniff',
		'cache-control': 'public, max-age=0, must-revalidate'
	});
	const previews = JSON.parse((await ask(`${server.url}/api/config`)).text).previewOrigins;
	expect(previews).toHaveLength(5);
	const policy = String(page.headers['content-security-policy']).split('; ');
	expect(policy).toEqual([
		"default-src 'self'",
		"img-src 'self' data: blob:",
		"style-src 'self' 'unsafe-inline'",
		"script-src 'self' 'wasm-unsafe-eval'",
		"worker-src 'self' blob:",
		`connect-src 'self' ${providers} https://mcp.example.org`,
		`frame-src ${host}/runner ${host}/preview-frame ${previews.join(' ')}`,
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		'trusted-types svelte-trusted-html dompurify sandglass-storage sandglass-offline sandglass-inert'
	]);
	const features = String(page.headers['permissions-policy']).split(', ');
	for (const denied of ['camera', 'microphone', 'geolocation', 'usb', 'serial', 'payment', 'publickey-credentials-get'])
		expect(features).toContain(`${denied}=()`);
	expect(features).toContain('clipboard-write=(self)');
	const other = await ask(`${server.url}/`, { headers: { host: `localhost:${port}` } });
	expect(other.headers['content-security-policy']).toContain(`frame-src localhost:${port}/runner`);
	expect(other.headers['content-security-policy']).toContain(`http://*.localhost:${port} http://localhost:`);
	const asset = await ask(`${server.url}/assets/a-1.js`, { headers: { 'accept-encoding': 'gzip' } });
	expect(asset.headers).toMatchObject({
		'cache-control': 'public, max-age=31536000, immutable',
		'content-encoding': 'gzip',
		'cross-origin-embedder-policy': 'require-corp'
	});
	const again = await ask(`${server.url}/`, { headers: { 'if-none-match': String(page.headers.etag) } });
	expect(again.status).toBe(304);
	for (const gone of ['/runner.html', '/runner-headers.json', '/none', '/%2e%2e/package.json'])
		expect((await ask(server.url + gone)).status, gone).toBe(404);
	expect((await ask(server.url, { method: 'POST' })).status).toBe(405);
});

it('serves the sandbox frame with its own headers, by build', async () => {
	const server = await startSandglass();
	const runner = await ask(`${server.url}/runner?v=b1`);
	expect(runner.text).toBe(RUNNER.html);
	expect(runner.headers).toMatchObject({ ...RUNNER.headers, 'cache-control': 'public, max-age=31536000, immutable' });
	expect((await ask(`${server.url}/runner`)).status).toBe(404);
	expect((await ask(`${server.url}/runner?v=old`)).status).toBe(404);
	const preview = await ask(`${server.url}/preview-frame`);
	for (const { headers } of [runner, preview])
		for (const denied of ['camera=()', 'clipboard-read=()', 'clipboard-write=()', 'fullscreen=()', 'usb=()'])
			expect(String(headers['permissions-policy']).split(', ')).toContain(denied);
	expect(preview.headers['content-security-policy']).toContain("sandbox allow-scripts allow-forms; default-src 'none'");
	expect(preview.headers['content-security-policy']).toContain("connect-src 'none'");
	expect(preview.headers).toMatchObject({ 'connection-allowlist': '()', 'x-dns-prefetch-control': 'off' });
});

it('says what is missing when the page was not built', async () => {
	await expect(startSandglass({}, { runner: undefined, pageDir: '/nonexistent' })).rejects.toThrow('npm run build');
});

it('tells what it offers, without keys, and counts when asked to', async () => {
	const server = await startSandglass({
		OPENAI_API_KEY: 'sk-hidden',
		SANDGLASS_METRICS: '1',
		SANDGLASS_SOURCE_URL: 'https://git.example.org/sandglass/'
	});
	const config = await ask(`${server.url}/api/config`);
	expect(JSON.parse(config.text).providers).toContainEqual(
		expect.objectContaining({ id: 'openai', available: true, keyVariable: 'OPENAI_API_KEY' })
	);
	expect(config.text).not.toContain('sk-hidden');
	expect(JSON.parse(config.text).sourceUrl).toBe('https://git.example.org/sandglass');
	expect((await ask(`${server.url}/metrics`)).text).toContain('route="/api/config",status="200"');
	const line = JSON.parse(server.logged[0] ?? '');
	expect(line).toMatchObject({ method: 'GET', route: '/api/config', status: 200, end: 'whole' });
});

it('leaves the providers out of the policy, and says so, where the operator wants no keys of users', async () => {
	const env = { SANDGLASS_OWN_KEYS: '0', SANDGLASS_CONNECT_HOSTS: 'https://mcp.example.org' };
	const server = await startSandglass(env, { pageDir: builtPage() });
	const page = await ask(`${server.url}/`);
	expect(String(page.headers['content-security-policy'])).toContain("connect-src 'self' https://mcp.example.org;");
	const { connectHosts } = JSON.parse((await ask(`${server.url}/api/config`)).text);
	expect(connectHosts).toEqual(['https://mcp.example.org']);
});
