import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeStaticSite } from '#server/page/static-site.ts';
import { RUNNER } from '../start.ts';

function builtPage(): { page: string; out: string } {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-site-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const [page, out] = [path.join(folder, 'page'), path.join(folder, 'some', 'where')];
	for (const name of ['assets', 'docs']) mkdirSync(path.join(page, name), { recursive: true });
	for (const name of ['index.html', 'assets/a.js', 'docs/b.html']) writeFileSync(path.join(page, name), name);
	writeFileSync(path.join(page, 'runner.html'), RUNNER.html);
	writeFileSync(path.join(page, 'runner-headers.json'), JSON.stringify({ 'X-Runner': 'yes' }));
	return { page, out };
}

describe('the product as files', () => {
	it('has one rule of headers for each address, as Cloudflare and Netlify read them', async () => {
		const { page, out } = builtPage();
		await writeStaticSite(page, out, 'a.example:8443');
		const rules = readFileSync(path.join(out, '_headers'), 'utf8')
			.split('\n\n')
			.map((rule) => rule.trimEnd().split('\n'));
		const ofAddress = new Map(rules.map(([address = '', ...headers]) => [address, headers]));
		expect(ofAddress.size).toBe(rules.length);
		expect([...ofAddress.keys()].toSorted()).toEqual([
			'/',
			'/assets/*',
			'/docs/*',
			'/index.html',
			'/preview-frame',
			'/preview-frame.html',
			'/runner',
			'/runner.html'
		]);
		for (const [address, headers] of ofAddress)
			for (const header of headers) expect(header, address).toMatch(/^ {2}[a-z-]+: \S.*$/);
		const YEAR = '  cache-control: public, max-age=31536000, immutable';
		for (const address of ['/assets/*', '/runner', '/runner.html']) expect(ofAddress.get(address)).toContain(YEAR);
		for (const address of ['/', '/docs/*', '/index.html']) expect(ofAddress.get(address)).not.toContain(YEAR);
		for (const address of ['/runner', '/runner.html'])
			expect(ofAddress.get(address)).toEqual([
				YEAR,
				expect.stringContaining('  permissions-policy: '),
				'  x-runner: yes'
			]);
		expect(ofAddress.get('/preview-frame.html')).toEqual(ofAddress.get('/preview-frame'));
		expect(ofAddress.get('/docs/*')).toEqual(ofAddress.get('/'));
		expect(ofAddress.get('/')?.join('\n')).toContain('frame-src a.example:8443/runner a.example:8443/preview-frame;');
	});

	it('takes the place of what was there', async () => {
		const { page, out } = builtPage();
		mkdirSync(out, { recursive: true });
		writeFileSync(path.join(out, 'old.html'), '');
		await writeStaticSite(page, out, 'a.example');
		expect(existsSync(path.join(out, 'old.html'))).toBe(false);
		expect(existsSync(path.join(out, 'runner-headers.json'))).toBe(false);
		expect(readFileSync(path.join(out, 'docs/b.html'), 'utf8')).toBe('docs/b.html');
		expect(readFileSync(path.join(out, 'preview-frame.html'), 'utf8')).toContain('<title>Preview</title>');
	});

	it.each(['', 'https://a.example', 'a.example/', '-a', 'a-', 'a:', 'a:123456', 'a b', 'a.example:80x'])(
		'has no host named %j',
		async (host) => {
			const { page, out } = builtPage();
			await expect(writeStaticSite(page, out, host)).rejects.toThrow(
				'Name the host of the site: node server/static.mjs sandglass.example.org'
			);
			expect(existsSync(out)).toBe(false);
		}
	);

	it.each(['a', 'A.b-c.Example', 'localhost:12345'])('has a host named %j', async (host) => {
		const { page, out } = builtPage();
		await writeStaticSite(page, out, host);
		expect(existsSync(path.join(out, '_headers'))).toBe(true);
	});
});
