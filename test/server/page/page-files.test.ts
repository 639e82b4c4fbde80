import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPageFiles } from '#server/page/page-files.ts';

async function serve(files: Record<string, string | Uint8Array>) {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-page-files-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
		writeFileSync(path.join(folder, name), content);
	}
	return { folder, files: await openPageFiles(folder) };
}

describe('the files of the page', () => {
	it.each([
		['a.html', 'text/html; charset=utf-8', true],
		['a.js', 'text/javascript; charset=utf-8', true],
		['a.mjs', 'text/javascript; charset=utf-8', true],
		['a.css', 'text/css; charset=utf-8', true],
		['a.json', 'application/json', true],
		['a.js.map', 'application/json', true],
		['a.webmanifest', 'application/manifest+json', true],
		['a.svg', 'image/svg+xml', true],
		['a.txt', 'text/plain; charset=utf-8', true],
		['a.md', 'text/plain; charset=utf-8', true],
		['a.wasm', 'application/wasm', true],
		['a.png', 'image/png', false],
		['a.ico', 'image/x-icon', false],
		['a.webp', 'image/webp', false],
		['a.woff2', 'font/woff2', false],
		['a.zip', 'application/octet-stream', false],
		['a', 'application/octet-stream', false]
	])('%s is %s, compressed: %s', async (name, type, isCompressed) => {
		const { files } = await serve({ [name]: 'x'.repeat(513) });
		const file = await files.get(`/${name}`);
		expect(file?.type).toBe(type);
		expect(file?.gzipped && gunzipSync(file.gzipped).toString()).toBe(isCompressed ? 'x'.repeat(513) : undefined);
	});

	it('are compressed where that saves something', async () => {
		const noise = randomBytes(2_000);
		const { files } = await serve({ 'short.txt': 'x'.repeat(512), 'noise.txt': noise });
		expect((await files.get('/short.txt'))?.gzipped).toBeUndefined();
		const file = await files.get('/noise.txt');
		expect(file?.gzipped).toBeUndefined();
		expect(Buffer.from(file?.bytes ?? []).equals(noise)).toBe(true);
	});

	it('have a name that changes with their bytes, and never change below /assets/', async () => {
		const { files } = await serve({
			'a.txt': 'one',
			'b.txt': 'two',
			'c.txt': 'one',
			'assets/x/d.js': '',
			'assets.js': ''
		});
		const [a, b, c, d, other] = await Promise.all(
			['/a.txt', '/b.txt', '/c.txt', '/assets/x/d.js', '/assets.js'].map((address) => files.get(address))
		);
		expect(a?.etag).toMatch(/^"[\w-]{22}"$/);
		expect(a?.etag).toBe(c?.etag);
		expect(a?.etag).not.toBe(b?.etag);
		expect([a?.immutable, d?.immutable, other?.immutable]).toEqual([false, true, false]);
	});

	it('are those that were there at the start, with the page at the top', async () => {
		const { folder, files } = await serve({ 'index.html': 'page', 'folder/a.txt': 'a' });
		writeFileSync(path.join(folder, 'later.txt'), '');
		expect(Buffer.from((await files.get('/'))?.bytes ?? []).toString()).toBe('page');
		for (const address of ['/later.txt', '/folder', '/folder/', '/../a', 'index.html', '', '/folder/../index.html'])
			expect(await files.get(address), address).toBeUndefined();
		rmSync(folder, { recursive: true });
		expect(await files.get('/')).toBeDefined(); // read once
	});

	it('leave out what has an address and headers of its own', async () => {
		const { files } = await serve({ 'runner.html': '', 'runner-headers.json': '{}', 'assets/runner.html': '' });
		expect(await files.get('/runner.html')).toBeUndefined();
		expect(await files.get('/runner-headers.json')).toBeUndefined();
		expect(await files.get('/assets/runner.html')).toBeDefined();
	});

	it('are none where nothing was built', async () => {
		const files = await openPageFiles('/nonexistent');
		expect(await files.get('/')).toBeUndefined();
	});
});
