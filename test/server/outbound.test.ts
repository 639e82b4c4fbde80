import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuard } from '#server/outbound/guard.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

const INSIDE: Record<string, string> = {
	six: '::ffff:127.0.0.1',
	old: '::7f00:1',
	wire: '168.63.129.16',
	wire6: '4000::1'
};

/** Names ending in `.inside.example` resolve to loopback, as with a hostile DNS. */
function hostileDns(): { lookup: LookupFunction; asked: string[] } {
	const asked: string[] = [];
	return {
		asked,
		lookup(name, options, answer) {
			asked.push(name);
			const address = INSIDE[name.split('.')[0] ?? ''] ?? '127.0.0.1';
			const family = address.includes(':') ? 6 : 4;
			if (!name.endsWith('.inside.example')) return lookup(name, options, answer as never);
			if (options.all) answer(null, [{ address, family }]);
			else answer(null, address, family);
		}
	};
}

it('refuses every notation of an address that is not public, at every door', async () => {
	const dns = hostileDns();
	const server = await startSandglass({}, { lookup: dns.lookup });
	const tricks = [
		'http://127.0.0.1/',
		'http://2130706433/',
		'http://0177.0.0.1/',
		'http://0x7f.0.0.1/',
		'http://0x7f000001/',
		'http://0x7f.0.0.01/',
		'http://127.0x0.01/',
		'http://127.1/',
		'http://127.0.1/',
		'http://0/',
		'http://0.0.0.0/',
		'http://localhost/',
		'http://localhost./',
		'http://LOCALHOST/',
		'http://x.localhost/',
		'http://[::1]/',
		'http://[::]/',
		'http://[::ffff:127.0.0.1]/',
		'http://[::ffff:7f00:1]/',
		'http://[::127.0.0.1]/',
		'http://[::ffff:0:127.0.0.1]/',
		'http://[64:ff9b::7f00:1]/',
		'http://[2002:7f00:1::]/',
		'http://[2001:db8::1]/',
		'http://[ff02::1]/',
		'http://[fe80::1]/',
		'http://[fc00::1]/',
		'http://10.0.0.1/',
		'http://172.16.0.1/',
		'http://192.168.0.1/',
		'http://169.254.169.254/latest/meta-data/',
		'http://100.64.0.1/',
		'http://100.100.100.200/latest/meta-data/',
		'http://168.63.129.16/machine?comp=goalstate',
		'http://0xa83f8110/',
		'http://[::ffff:168.63.129.16]/',
		'http://[64:ff9b::a83f:8110]/',
		'http://[64:ff9b:1::a9fe:a9fe]/',
		'http://[2001:0:a9fe:a9fe::]/',
		'http://[fd00:ec2::254]/latest/',
		'http://[fec0::1]/',
		'http://[4000::1]/',
		'http://[100:0:0:1::1]/',
		'http://[2a00::5efe:a9fe:a9fe]/',
		'http://192.0.0.192/opc/v2/',
		'http://161.26.0.6/',
		'http://166.9.1.1/',
		'http://metadata.google.internal/computeMetadata/v1/',
		'http://printer.local/',
		'http://router.home.arpa./',
		'http://wire.inside.example/',
		'http://wire6.inside.example/',
		'http://224.0.0.1/',
		'http://255.255.255.255/',
		'http://a.inside.example/',
		'https://a.inside.example/',
		'http://six.inside.example/',
		'https://old.inside.example/',
		'http://１２７.0.0.1/',
		'http://8.8.8.8:22/',
		'http://example.com:6379/',
		'ftp://example.com/',
		'file:///etc/passwd',
		'javascript:alert(1)',
		'http://user:pass@example.com/',
		'not an address'
	];
	for (const trick of tricks)
		for (const door of ['fetch', 'egress']) {
			const answer = await ask(`${server.url}/api/${door}?url=${encodeURIComponent(trick)}`);
			expect(answer.status, `${door} ${trick}`).toBeGreaterThanOrEqual(400);
			expect(answer.status, `${door} ${trick}`).toBeLessThan(404);
			expect(answer.headers['x-sandglass-error'], `${door} ${trick}`).toMatch(/refused|invalid/);
		}
	for (const host of ['127.0.0.1', '2130706433', 'localhost', 'a.inside.example', '127.0.0.1%3A22', '10.0.0.1'])
		expect((await ask(`${server.url}/api/git/http/${host}/r.git/info/refs?service=git-upload-pack`)).status, host).toBe(
			403
		);
	expect((await ask(`${server.url}/api/archive?url=http://127.0.0.1/a/b&ref=main`)).status).not.toBe(200);
	expect(dns.asked.filter((name) => name === 'a.inside.example').length).toBeGreaterThan(0);
});

it('does not come round to itself, even where loopback is allowed', async () => {
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: '127.0.0.1' });
	const answer = await ask(`${server.url}/api/fetch?url=${encodeURIComponent(`${server.url}/api/config`)}`);
	expect(answer.status).toBe(403);
});

describe('a redirect', () => {
	const LOCATIONS: Record<string, string> = {
		'same-host': '/page',
		'other-host': 'https://elsewhere.example/page?x=1',
		loopback: 'http://2130706433/',
		nonsense: 'http://[',
		downgrade: 'http://elsewhere.example/'
	};

	/** Redirects requests with a status and a location anywhere in their path; `asked` counts all requests. */
	async function startRedirecting() {
		const asked: string[] = [];
		const upstream = await startUpstream((request, response) => {
			asked.push(`${request.method} ${request.url}`);
			request.resume();
			const [, status = '', kind = ''] = /\b(30[12378])-([\w-]+)/.exec(request.url ?? '') ?? [];
			response.writeHead(Number(status), { location: LOCATIONS[kind] }).end('moved');
		});
		const { host } = upstream;
		const server = await startSandglass({
			SANDGLASS_ALLOW_HOSTS: host,
			SANDGLASS_ARCHIVE_HOSTS: `${host}=gitea`,
			NPM_REGISTRY: `${upstream.url}/`
		});
		const calls: Record<string, (mark: string) => ReturnType<typeof ask>> = {
			'git info/refs': (mark) => ask(`${server.url}/api/git/http/${host}/${mark}/info/refs?service=git-upload-pack`),
			'git fetch': (mark) =>
				ask(`${server.url}/api/git/http/${host}/${mark}/git-upload-pack`, { method: 'POST', body: '0000' }),
			'git push': (mark) =>
				ask(`${server.url}/api/git/http/${host}/${mark}/git-receive-pack`, { method: 'POST', body: '0000' }),
			archive: (mark) => ask(`${server.url}/api/archive?url=${upstream.url}/owner/${mark}&ref=main`),
			npm: (mark) => ask(`${server.url}/api/npm/package-${mark}`),
			'npm tarball': (mark) => ask(`${server.url}/api/npm/package-${mark}/-/package-1.0.0.tgz`),
			fetch: (mark) => ask(`${server.url}/api/fetch?url=${encodeURIComponent(`${upstream.url}/${mark}`)}`)
		};
		return { upstream, asked, calls };
	}

	it('is handed back to the page by every route with a body or without, and followed by none', async () => {
		const { upstream, asked, calls } = await startRedirecting();
		for (const [name, call] of Object.entries(calls))
			for (const status of [301, 302, 303, 307, 308])
				for (const kind of ['same-host', 'other-host', 'loopback']) {
					const answer = await call(`${status}-${kind}`);
					expect([answer.status, answer.headers['x-sandglass-error']], `${name} ${status} ${kind}`).toEqual([
						502,
						'redirected'
					]);
					expect(answer.headers['x-sandglass-status']).toBe(String(status));
					expect(answer.headers['x-sandglass-location']).toBe(new URL(LOCATIONS[kind] ?? '', upstream.url).href);
					expect(answer.headers.location).toBeUndefined();
					expect(asked.splice(0), name).toHaveLength(1);
				}
	});

	it('to nothing that can be asked is refused', async () => {
		const { calls } = await startRedirecting();
		for (const [name, call] of Object.entries(calls))
			expect((await call('302-nonsense')).headers['x-sandglass-error'], name).toBe('redirect_invalid');
	});
});

it('takes no path with encoded dots or slashes for a repository', async () => {
	const asked: string[] = [];
	const upstream = await startUpstream((request, response) => {
		asked.push(request.url ?? '');
		response.end();
	});
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: upstream.host });
	for (const path of ['a%2f..%2fb', 'a/%2e%2e%2fb', 'a/..%5cb', 'a/.%2E%2Fb', 'a//b', 'a%00b'])
		for (const end of ['info/refs?service=git-upload-pack', 'info/refs?service=git-receive-pack']) {
			const answer = await ask(`${server.url}/api/git/http/${upstream.host}/${path}/${end}`);
			expect(answer.headers['x-sandglass-error'], path).toBe('address_invalid');
		}
	expect(asked).toEqual([]);
});

it('reads what the host says of a page as text', async () => {
	const upstream = await startUpstream((_request, response) =>
		response.setHeader('content-type', 'text/html').end('<p>page</p>')
	);
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: upstream.host });
	const page = await ask(`${server.url}/api/fetch?url=${upstream.url}/page`);
	expect(page.text).toBe('<p>page</p>');
	expect(page.headers['content-type']).toBe('text/plain; charset=utf-8');
	expect(page.headers['x-sandglass-content-type']).toBe('text/html');
});

it('resolves a name once for a connection', async () => {
	const upstream = await startUpstream((_request, response) => response.end('hello'));
	const dns = hostileDns();
	const name = `b.inside.example:${upstream.port}`;
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: name }, { lookup: dns.lookup });
	expect((await ask(`${server.url}/api/fetch?url=http://${name}/`)).text).toBe('hello');
	expect(dns.asked).toEqual(['b.inside.example']);
});

it('stays with the address it got, whatever the name says next', async () => {
	const upstream = await startUpstream((_request, response) => response.end('hello'));
	let asked = 0;
	const changing: LookupFunction = (_name, options, answer) => {
		const address = ++asked === 1 ? '127.0.0.1' : '127.0.0.2'; // nothing listens there
		if (options.all) answer(null, [{ address, family: 4 }]);
		else answer(null, address, 4);
	};
	const name = `changing.example:${upstream.port}`;
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: name }, { lookup: changing });
	for (let times = 0; times < 3; times += 1)
		expect((await ask(`${server.url}/api/fetch?url=http://${name}/`)).text).toBe('hello');
	expect(asked).toBe(1);
});

it.each([
	['first', ['127.0.0.1', '8.8.8.8']],
	['last', ['8.8.8.8', '::1']]
])('refuses a name that has a public and a private address, the private one %s', async (_where, addresses) => {
	const both: LookupFunction = (_name, _options, answer) =>
		answer(
			null,
			addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
		);
	const server = await startSandglass({}, { lookup: both });
	const answer = await ask(`${server.url}/api/fetch?url=http://both.example/`);
	expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([403, 'address_refused']);
});

it.each([
	['drips its answer', { totalMs: 300 }, 'took too long'],
	['falls silent in the middle', { idleMs: 100 }, 'stopped in the middle'],
	['never ends its headers', { headersMs: 100 }, 'did not respond in time']
])('ends with a host that %s', async (how, limit, sentence) => {
	const host = createServer((socket) => {
		socket.on('error', () => undefined); // it is cut off
		const headers = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n';
		socket.write(how.includes('headers') ? headers : `${headers}\r\nx`);
		if (!how.startsWith('drips')) return;
		const drip = setInterval(() => socket.write('x'), 10);
		socket.once('close', () => clearInterval(drip));
	}).listen(0, '127.0.0.1');
	await once(host, 'listening');
	onTestFinished(() => void host.close());
	const { port } = host.address() as AddressInfo;
	const guard = createGuard({ allowHosts: [`127.0.0.1:${port}`], ownHosts: () => [] });
	onTestFinished(guard.close);
	const hours = 3_600_000;
	const answer = guard
		.request({
			url: new URL(`http://127.0.0.1:${port}/`),
			method: 'GET',
			headers: {},
			signal: new AbortController().signal,
			limits: { headersMs: hours, idleMs: hours, totalMs: hours, maxBytes: 2 ** 30, ...limit }
		})
		.then(({ body }) => buffer(body));
	await expect(answer).rejects.toMatchObject({ status: 504, message: expect.stringContaining(sentence) });
});

it('cuts off a gzip bomb and an endless body', async () => {
	const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
	const upstream = await startUpstream((request, response) => {
		response.setHeader('content-type', 'text/plain');
		if (request.url === '/bomb') return void response.setHeader('content-encoding', 'gzip').end(bomb);
		const block = Buffer.alloc(2 ** 16, 'x');
		const more = (): void => {
			while (response.write(block));
		};
		response.on('drain', more);
		more();
	});
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: upstream.host });
	for (const path of ['/bomb', '/endless'])
		await expect(ask(`${server.url}/api/fetch?url=${upstream.url}${path}`), path).rejects.toThrow();
});

it("sends the sandbox's own request and hands back the host's answer beside ours", async () => {
	const seen: unknown[] = [];
	const upstream = await startUpstream((request, response) => {
		request.on('data', (chunk) => seen.push(request.method, request.headers, String(chunk)));
		request.on('end', () =>
			response.writeHead(302, { location: 'https://elsewhere.example/', 'set-cookie': 'a=b' }).end('moved')
		);
	});
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: upstream.host });
	const answer = await ask(`${server.url}/api/egress?url=${upstream.url}/pulls`, {
		method: 'PATCH',
		headers: {
			'x-egress-authorization': 'Bearer mine',
			'x-egress-host': 'evil',
			cookie: 'ours=1',
			authorization: 'ours'
		},
		body: '{"a":1}'
	});
	expect(seen[0]).toBe('PATCH');
	expect(seen[1]).toMatchObject({ authorization: 'Bearer mine', host: upstream.host });
	expect(JSON.stringify(seen)).not.toContain('ours');
	expect(seen[2]).toBe('{"a":1}');
	expect(answer.status).toBe(200);
	expect(answer.text).toBe('moved');
	expect(answer.headers).toMatchObject({
		'x-egress-status': '302',
		'x-egress-location': 'https://elsewhere.example/',
		'content-type': 'application/octet-stream'
	});
	expect(answer.headers['set-cookie']).toBeUndefined();
});

it('reads packages and tarballs of the configured registry, nothing else', async () => {
	const asked: string[] = [];
	const upstream = await startUpstream((request, response) => {
		asked.push(request.url ?? '');
		response.end('{}');
	});
	const server = await startSandglass({ NPM_REGISTRY: `${upstream.url}/npm/` });
	for (const path of ['express', '@types%2fnode', '@types/node', 'express/-/express-4.0.0.tgz', 'express/latest'])
		expect((await ask(`${server.url}/api/npm/${path}`)).status, path).toBe(200);
	expect(asked[0]).toBe('/npm/express');
	expect(asked[1]).toBe('/npm/@types%2fnode');
	for (const path of ['-/npm/v1/user', '-/whoami', '', 'a/../../x', '-/v1/login'])
		expect((await ask(`${server.url}/api/npm/${path}`)).status, path).toBe(404);
	expect((await ask(`${server.url}/api/npm/express`, { method: 'PUT' })).status).toBe(405);
	expect(asked).toHaveLength(5);
});
