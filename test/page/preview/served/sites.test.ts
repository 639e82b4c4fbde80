import { describe, expect, it } from 'vitest';
import type { ExecutionEnvironment, LocalRequest, LocalResponse, LocalServers } from '#environment/contract.ts';
import type { SiteRequest } from '#page/preview/served/answer.ts';
import { CookieJar } from '#page/preview/served/cookie-jar.ts';
import { FileSite } from '#page/preview/served/file-site.ts';
import { PortSite } from '#page/preview/served/port-site.ts';
import { withObserver } from '#page/preview/served/with-observer.ts';

const request = (target: string, rest: Partial<SiteRequest> = {}): SiteRequest => ({
	method: 'GET',
	target,
	headers: [],
	body: null,
	isNavigation: false,
	...rest
});
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
	for (const text of texts) yield new TextEncoder().encode(text);
}
async function text(body: AsyncIterable<Uint8Array>): Promise<string> {
	const decoder = new TextDecoder();
	let all = '';
	for await (const chunk of body) all += decoder.decode(chunk, { stream: true });
	return all;
}
const header = (response: LocalResponse, name: string) =>
	response.headers.find(([each]) => each.toLowerCase() === name)?.[1];

describe('the cookies of a server in the sandbox', () => {
	it('come back on the paths they are for, until they expire', () => {
		const jar = new CookieJar();
		jar.set('a=1; HttpOnly', '/');
		jar.set('b=2; Path=/admin', '/login');
		jar.set('c=3', '/shop/cart?x=/');
		expect(jar.header('/')).toBe('a=1');
		expect(jar.header('/admin/users?q')).toBe('b=2; a=1');
		expect(jar.header('/administrator')).toBe('a=1');
		expect(jar.header('/shop/list')).toBe('c=3; a=1');
		jar.set('a=; Max-Age=0', '/');
		jar.set('b=x; Path=/admin; Expires=Thu, 01 Jan 1970 00:00:00 GMT', '/');
		jar.set('not a cookie', '/');
		expect(jar.header('/admin')).toBe('');
	});
});

describe('the observer', () => {
	it('goes behind the doctype or into the head, wherever the pieces are cut', async () => {
		const whole = '<!DOCTYPE html>\n<html><head class="a"><title>ä</title></head><body>x</body></html>';
		for (const at of [1, 5, 16, 30, 60]) {
			const made = await text(withObserver(pieces(whole.slice(0, at), whole.slice(at))));
			expect(made.replace(/<script>.*<\/script>/s, '')).toBe(whole);
			expect(made).toContain('<head class="a"><script>');
		}
		expect(await text(withObserver(pieces('<!doctype html><p>')))).toMatch(/^<!doctype html><script>.*<\/script><p>$/s);
		expect(await text(withObserver(pieces('plain')))).toMatch(/<\/script>plain$/);
	});
});

describe('a site of files', () => {
	const files: Record<string, string> = {
		'site/index.html': '<p>home',
		'site/about/index.html': '<p>about',
		'site/data.json': '{}',
		'public/robots.txt': 'r',
		'.env': 'KEY=1',
		'.git/config': 'c'
	};
	const environment: Partial<ExecutionEnvironment> = {
		stat: async (path) => {
			if (!(path in files)) throw new Error('ENOENT');
			return { kind: 'file', size: 1, mode: 0o644, modifiedMs: 0 };
		},
		readBytes: async (path) => new TextEncoder().encode(files[path])
	};
	const site = new FileSite(environment as ExecutionEnvironment, 'site', async (path) => `made of ${path}`);

	it('finds documents as static servers do and makes them when they are gone to; other files come as they are', async () => {
		for (const [target, expected] of [
			['/', 'made of site/index.html'],
			['/about', 'made of site/about/index.html'],
			['/index', 'made of site/index.html']
		] as const)
			expect(await text((await site.answer(request(target, { isNavigation: true }))).body)).toBe(expected);
		const data = await site.answer(request('/data.json?x=1'));
		expect([data.status, header(data, 'content-type'), await text(data.body)]).toEqual([200, 'application/json', '{}']);
		expect(await text((await site.answer(request('/robots.txt'))).body)).toBe('r');
	});

	it('has no secrets, nothing outside, and takes nothing', async () => {
		for (const target of ['/.env', '/.git/config', '/../../etc/passwd', '/%2e%2e/.env', '/nothing'])
			expect([target, (await site.answer(request(target))).status]).toEqual([target, 404]);
		expect((await site.answer(request('/', { method: 'POST' }))).status).toBe(405);
	});
});

describe('a server', () => {
	const asked: LocalRequest[] = [];
	const noSockets = () => Promise.reject(new Error('no WebSockets'));
	const answering = (response: Partial<LocalResponse>): PortSite => {
		const servers: LocalServers = {
			ports: [],
			onPorts: () => () => {},
			webSocket: noSockets,
			fetch: async (_port, given) => {
				asked.push(given);
				return { status: 200, statusText: 'OK', headers: [], body: pieces(''), ...response };
			}
		};
		return new PortSite(servers, 3000);
	};

	it('keeps its cookies to itself, and its redirects to its own address in the preview', async () => {
		const site = answering({
			status: 302,
			headers: [
				['Set-Cookie', 'id=7; Path=/'],
				['Location', 'http://localhost:3000/next?a'],
				['Clear-Site-Data', '"*"']
			]
		});
		const first = await site.answer(request('/'));
		expect([header(first, 'location'), header(first, 'set-cookie'), header(first, 'clear-site-data')]).toEqual([
			'/next?a',
			undefined,
			undefined
		]);
		await site.answer(
			request('/next', {
				headers: [
					['accept', 'x'],
					['cookie', 'forged=1']
				]
			})
		);
		expect(asked.at(-1)?.headers).toEqual([
			['accept', 'x'],
			['Cookie', 'id=7']
		]);
		const away = answering({ status: 302, headers: [['Location', 'https://example.org/']] });
		expect(header(await away.answer(request('/')), 'location')).toBe('https://example.org/');
	});

	it('is observed in its documents only, and gets a type where it gave none', async () => {
		const html = await answering({ body: pieces('<p>', 'x') }).answer(request('/', { isNavigation: true }));
		expect(header(html, 'content-type')).toBe('text/html; charset=utf-8');
		expect(await text(html.body)).toMatch(/^<script>.*<p>x$/s);
		const script = await answering({ body: pieces('1') }).answer(request('/app.js?v=2'));
		expect([header(script, 'content-type'), await text(script.body)]).toEqual(['text/javascript; charset=utf-8', '1']);
		const plain = await answering({ body: pieces('hello') }).answer(request('/', { isNavigation: true }));
		expect([header(plain, 'content-type'), await text(plain.body)]).toEqual(['text/plain; charset=utf-8', 'hello']);
	});

	it('has its compressed answers unpacked', async () => {
		const packed = new Blob(['much']).stream().pipeThrough(new CompressionStream('gzip'));
		const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
		const body = (async function* () {
			yield bytes.subarray(0, 5);
			yield bytes.subarray(5);
		})();
		const response = await answering({
			headers: [
				['Content-Encoding', 'gzip'],
				['Content-Type', 'text/plain']
			],
			body
		}).answer(request('/'));
		expect([header(response, 'content-encoding'), await text(response.body)]).toEqual([undefined, 'much']);
	});

	it('that is not there is explained in words', async () => {
		const servers: LocalServers = {
			ports: [],
			onPorts: () => () => {},
			webSocket: noSockets,
			fetch: () => Promise.reject(new Error('nothing listens on port 3000.'))
		};
		const response = await new PortSite(servers, 3000).answer(request('/', { isNavigation: true }));
		expect(response.status).toBe(502);
		expect(await text(response.body)).toContain('Nothing answers on port 3000.');
	});
});
