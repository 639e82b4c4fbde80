import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeStaticSite } from '#server/page/static-site.ts';
import { RUNNER, ask, startSandglass } from '../start.ts';
import { headersOf } from './static-host.ts';

it('writes the product for a host of files, each address with the headers our own server sends', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-static-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const [pageDir, out] = [path.join(folder, 'page'), path.join(folder, 'out')];
	mkdirSync(path.join(pageDir, 'assets'), { recursive: true });
	writeFileSync(path.join(pageDir, 'index.html'), '<!doctype html>page');
	writeFileSync(path.join(pageDir, 'icon.svg'), '<svg/>');
	writeFileSync(path.join(pageDir, 'assets/a-1.js'), 'export {}');
	writeFileSync(path.join(pageDir, 'runner.html'), RUNNER.html);
	writeFileSync(path.join(pageDir, 'runner-headers.json'), JSON.stringify({ build: 'b1', headers: RUNNER.headers }));
	const env = { SANDGLASS_CONNECT_HOSTS: 'https://api.openai.com', SANDGLASS_PREVIEW_ORIGIN: 'off' };
	const server = await startSandglass(env, { pageDir });
	const { host } = new URL(server.url);
	await writeStaticSite(pageDir, out, host, env);

	expect(readdirSync(out).sort()).toEqual([
		'_headers',
		'assets',
		'icon.svg',
		'index.html',
		'preview-frame.html',
		'runner.html'
	]);
	const rules = readFileSync(path.join(out, '_headers'), 'utf8');
	for (const address of ['/', '/icon.svg', '/assets/a-1.js', '/runner?v=b1', '/preview-frame']) {
		const ours = (await ask(server.url + address)).headers;
		const theirs = headersOf(rules, address.replace(/\?.*/, ''));
		for (const name of [
			'content-security-policy',
			'cross-origin-opener-policy',
			'cross-origin-embedder-policy',
			'cross-origin-resource-policy',
			'permissions-policy',
			'x-content-type-options',
			'referrer-policy'
		])
			if (ours[name] !== undefined || theirs.get(name) !== undefined)
				expect([address, name, theirs.get(name) ?? ours[name]]).toEqual([address, name, ours[name] ?? 'none']);
		expect(theirs.get('content-security-policy'), address).toBe(ours['content-security-policy']);
	}
	expect(headersOf(rules, '/runner.html').get('content-security-policy')).toContain('sandbox');
	await expect(writeStaticSite(pageDir, out, 'https://x/', {})).rejects.toThrow('Name the host');
});
