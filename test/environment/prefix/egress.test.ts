import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { collected } from '#environment/prefix/collected.ts';
import { PrefixExecutionEnvironment } from '#environment/prefix/environment.ts';
import { PrefixEgress } from '#environment/prefix/egress.ts';
import { Prefix } from '#environment/prefix/prefix.ts';
import { channelPair } from '#environment/remote/channel.ts';
import { LinkAcceptor } from '#environment/remote/accept.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { EnvironmentHost } from '#environment/remote/host.ts';
import { egressOf, type AnswerEgress, type EgressRequest } from '#environment/remote/egress.ts';
import { serversOf } from '#environment/remote/servers.ts';
import { createAuthority } from '#server/machines/authority.ts';
import { ConfinedPod, noPods } from '#test/server/machines/kubernetes/confined-pod.ts';

const reason = await noPods();
const MANIFEST = {
	command: ['sh', '-c', 'while :; do sleep 3600; done'],
	env: {},
	workingDir: '/workspace',
	mounts: ['/workspace', '/tmp'].map((path) => ({ path, size: String(2 ** 26) }))
};
const text = (body: string): Uint8Array => new TextEncoder().encode(body);
const respond = (body: string, status = 200): Awaited<ReturnType<AnswerEgress>> => ({
	status,
	statusText: 'Said',
	headers: [
		['content-type', 'text/plain'],
		['set-cookie', 'a=1'],
		['set-cookie', 'b=2'],
		['content-encoding', 'gzip'],
		['connection', 'keep-alive']
	],
	body: text(body)
});

describe.skipIf(reason !== undefined)(
	`the proxy of a machine without a network${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		let pod: ConfinedPod;
		let environment: PrefixExecutionEnvironment;
		const asked: EgressRequest[] = [];
		let answer: AnswerEgress = async () => respond('');
		beforeAll(async () => {
			pod = await ConfinedPod.start(MANIFEST);
			environment = new PrefixExecutionEnvironment({
				prefix: pod.words([], false),
				workingDirectory: '/workspace',
				servers: true,
				egress: true,
				createAuthority
			});
			await environment.initialize();
			egressOf(environment)?.serve(async (request) => {
				asked.push(request);
				return answer(request);
			});
		});
		afterAll(async () => {
			await environment.cleanup();
			await pod.stop();
		});

		it('hands each request to the page, with its body, and the answer back', async ({ skip }) => {
			if ((await environment.exec('command -v curl')).exitCode !== 0) skip('There is no curl.');
			asked.length = 0;
			answer = async ({ body }) => respond(`got ${body.length}`, 207);
			const { stdout } = await environment.exec(
				'head -c 300000 /dev/zero > body; curl -s -i -H "X-Own: yes" --data-binary @body "http://example.org/a?b=c"'
			);
			expect(stdout).toMatch(/^HTTP\/1.1 207 Said\r\n/);
			expect(stdout).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/i);
			expect(stdout).not.toMatch(/content-encoding|keep-alive/i);
			expect(stdout).toMatch(/\r\n\r\ngot 300000$/);
			expect(asked.map(({ method, url, body }) => [method, url, body.length])).toEqual([
				['POST', 'http://example.org/a?b=c', 300_000]
			]);
			const names = asked[0]?.headers.map(([name]) => name.toLowerCase());
			expect(names).toContain('x-own');
			expect(names).not.toContain('proxy-connection');
		});

		it('says to the program why a request was refused', async () => {
			answer = async () => {
				throw new Error('example.org was not allowed.');
			};
			const { stdout } = await environment.exec('curl -s -w "%{http_code}" http://example.org/');
			expect(stdout).toBe('example.org was not allowed.\n403');
		});

		it('says that it carries no encrypted tunnel where there is no authority', async () => {
			const prefix = await Prefix.open(pod.words([], false));
			const egress = await PrefixEgress.start(prefix);
			onTestFinished(() => egress?.stop());
			egress?.serve(async ({ url }) => respond(url));
			const curl = prefix.run('curl -sS --max-time 10 --retry 5 --retry-connrefused -x "$1" https://example.org/', [
				`http://127.0.0.1:${egress?.port}`
			]);
			const { code, stderr } = await collected(curl, { beginning: prefix.beginning });
			expect(code).not.toBe(0);
			expect(stderr).toContain('501');
		});

		it.each([
			['curl', 'curl -sS -X PUT -H "X-Own: yes" --data-binary sent "https://example.org:8443/a?b=c"'],
			[
				'python3',
				`python3 -c 'import urllib.request as u; print(u.urlopen(u.Request("https://example.org:8443/a?b=c", b"sent", {"X-Own": "yes"}, method="PUT")).read().decode(), end="")'`
			],
			[
				'openssl',
				'printf "PUT /a?b=c HTTP/1.1\\r\\nHost: EXAMPLE.org:8443\\r\\nX-Own: yes\\r\\nContent-Length: 4\\r\\n\\r\\nsent" | openssl s_client -quiet -verify_return_error -verify_hostname example.org -x509_strict -CAfile $SSL_CERT_FILE -servername example.org -connect example.org:8443 -proxy ${https_proxy#http://} 2>/dev/null | sed "1,/^.$/d"'
			]
		])('hands requests over https of %s to the page', async (program, command) => {
			if ((await environment.exec(`command -v ${program}`)).exitCode !== 0) return;
			asked.length = 0;
			answer = async ({ body }) => respond(`got ${body.length}`);
			expect(await environment.exec(command)).toMatchObject({ stdout: 'got 4', exitCode: 0 });
			expect(asked).toMatchObject([{ method: 'PUT', url: 'https://example.org:8443/a?b=c' }]);
			expect(Buffer.from(asked[0]?.body ?? []).toString()).toBe('sent');
			expect(asked[0]?.headers.map(([name]) => name.toLowerCase())).toContain('x-own');
		});

		it('carries many requests over https at once, and more than a megabyte each', async () => {
			const large = 'x'.repeat(1_500_000);
			answer = async ({ url }) => respond(url + large);
			const { stdout } = await environment.exec(
				'for i in $(seq 20); do (curl -sS https://example.org/$i | wc -c) & done; wait'
			);
			const expected = Array.from({ length: 20 }, (_, index) => `https://example.org/${index + 1}`.length + 1_500_000);
			expect(stdout.trim().split('\n').map(Number).sort()).toEqual(expected.sort());
		});

		/** Sends text through a tunnel to `example.org`. */
		const inTunnel = async (request: string, options = '-servername example.org') => {
			asked.length = 0;
			answer = async ({ url }) => respond(url);
			const { stdout } = await environment.exec(
				`printf '${request}' | timeout 20 openssl s_client -quiet ${options} -connect example.org:443 -proxy \${https_proxy#http://} 2>/dev/null`
			);
			return stdout;
		};

		it('makes the tunnel, the handshake and the request agree on one host', async () => {
			const get = (host: string, target = '/') => `GET ${target} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n`;
			expect(await inTunnel(get('example.org'))).toMatch(/^HTTP\/1.1 200 /);
			expect(asked.map(({ url }) => url)).toEqual(['https://example.org/']);
			expect(await inTunnel(get('example.org'), '-servername example.net')).toBe('');
			expect(asked).toEqual([]);
			const others = ['example.net', 'example.org:8443', 'example.org\\r\\nHost: example.net', ''];
			for (const host of others) {
				expect(await inTunnel(get(host))).toMatch(/^HTTP\/1.1 4(21|00) /);
				expect(asked).toEqual([]);
			}
			for (const target of ['https://example.net/', 'http://example.org/', 'https://example.org:8443/', '*']) {
				expect(await inTunnel(get('example.org', target))).toMatch(/^HTTP\/1.1 421 /);
				expect(asked).toEqual([]);
			}
			await inTunnel(get('example.org', '//example.net/@example.net'));
			expect(asked.map(({ url }) => new URL(url).host)).toEqual(['example.org']);
		});

		it('has a certificate for the host of the tunnel only', async () => {
			const { stderr, exitCode } = await environment.exec(
				'curl -sS --connect-to example.net:443:example.org:443 https://example.net/'
			);
			expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('curl: (')]);
			expect(exitCode).not.toBe(0);
			const strict = '-servername example.org -verify_return_error -CAfile $SSL_CERT_FILE -verify_hostname';
			const get = 'GET / HTTP/1.1\\r\\nHost: example.org\\r\\n\\r\\n';
			expect(await inTunnel(get, `${strict} example.net`)).toBe('');
			expect(asked).toEqual([]);
			expect(await inTunnel(get, `${strict} example.org`)).toMatch(/^HTTP\/1.1 200 /);
			// Only this machine trusts it.
			const ending = { SSL_CERT_FILE: '', CURL_CA_BUNDLE: '' };
			expect((await environment.exec('curl -s https://example.org/', { env: ending })).exitCode).not.toBe(0);
		});

		it('opens no tunnel to an address, in a tunnel or to nothing', async () => {
			asked.length = 0;
			const targets = [
				...['127.0.0.1:443', '10.0.0.1:443', '169.254.169.254:80', '8.8.8.8:443', '2130706433:443', '0x7f.1:443'],
				...['[::1]:443', '[fd00::1]:443', 'example.org', 'example.org:0', 'example.org:65536', 'a@b:443', 'a..b:443']
			];
			for (const target of targets) {
				const { stdout } = await environment.exec(
					`bash -c 'exec 3<>/dev/tcp/127.0.0.1/\${http_proxy##*:}; printf "CONNECT ${target} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" >&3; cat <&3'`
				);
				expect([target, stdout]).toEqual([target, expect.stringMatching(/^HTTP\/1.1 40[03] /)]);
			}
			const nested = 'CONNECT example.net:443 HTTP/1.1\\r\\nHost: example.net:443\\r\\n\\r\\n';
			expect(await inTunnel(nested)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[^]*no tunnel in a tunnel/);
			// More refusals than the connection limit do not use up connections.
			await environment.exec('for i in $(seq 20); do curl -s --max-time 20 https://8.8.8.8/ & done; wait');
			expect(asked).toEqual([]);
			expect((await environment.exec('curl -s --max-time 20 https://example.org/')).stdout).toBe(
				'https://example.org/'
			);
		});

		it('refuses WebSockets and HTTP/2 with a sentence', async () => {
			const upgrade = 'Connection: Upgrade\\r\\nUpgrade: websocket\\r\\n';
			expect(await inTunnel(`GET / HTTP/1.1\\r\\nHost: example.org\\r\\n${upgrade}\\r\\n`)).toMatch(
				/^HTTP\/1.1 501 [^]*carries no WebSockets/
			);
			expect(await inTunnel('PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n')).toMatch(
				/^HTTP\/1.1 505 [^]*speaks HTTP\/1.1 only/
			);
			expect(asked).toEqual([]);
			// A client that only speaks another protocol gets no connection.
			const plain = 'GET / HTTP/1.1\\r\\nHost: example.org\\r\\n\\r\\n';
			expect(await inTunnel(plain, '-servername example.org -alpn h2')).toBe('');
		});

		it('carries many requests at once, and more than a megabyte each', async () => {
			const large = 'x'.repeat(1_500_000);
			answer = async ({ url }) => respond(url + large);
			const { stdout } = await environment.exec(
				'for i in $(seq 40); do (curl -s http://example.org/$i | wc -c) & done; wait'
			);
			const sizes = stdout.trim().split('\n').map(Number);
			const expected = Array.from(
				{ length: 40 },
				(_, index) => `http://example.org/${index + 1}`.length + large.length
			);
			expect(sizes.sort()).toEqual(expected.sort());
			// No connections are left.
			await expect
				.poll(async () => (await environment.exec('ls /tmp/sandglass-egress-*')).stdout, { timeout: 10_000 })
				.toBe('authority.pem\n');
		});

		it('refuses what is no request for a proxy, and does not pass it on', async () => {
			asked.length = 0;
			const { stdout } = await environment.exec('curl -s --noproxy "*" $http_proxy/etc/passwd');
			expect(stdout).toBe('A proxy takes absolute addresses.\n');
			const { stdout: file } = await environment.exec(
				'bash -c \'exec 3<>/dev/tcp/127.0.0.1/${http_proxy##*:}; printf "GET file:///etc/passwd HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" >&3; cat <&3\''
			);
			expect(file).toMatch(/^HTTP\/1.1 400 /);
			expect(asked).toEqual([]);
		});

		it('is no server of the session', async ({ skip }) => {
			if ((await environment.exec('command -v python3')).exitCode !== 0) skip('python3 is not installed.');
			const servers = serversOf(environment);
			if (!servers) throw new Error('Servers of this machine are out of reach.');
			const stop = servers.onPorts(() => undefined);
			const server = await environment.start('exec python3 -m http.server --bind 127.0.0.1 8099');
			// When this one is found, the socket table has been read.
			await expect.poll(() => servers.ports.map(({ port }) => port), { timeout: 30_000 }).toContain(8099);
			expect(servers.ports.map(({ port }) => port)).toEqual([8099]);
			await server.kill();
			stop();
		});

		it.each(['perl', 'python3'])('listens with %s', async (program) => {
			const other = await ConfinedPod.start(MANIFEST);
			onTestFinished(() => other.stop());
			const prefix = await Prefix.open(other.words([], false));
			const isThere = (await collected(prefix.run(`command -v ${program}`))).code === 0;
			const egress = await PrefixEgress.start(prefix, { listeners: program });
			expect(egress !== undefined).toBe(isThere);
			if (!egress) return;
			egress.serve(async ({ url }) => respond(url));
			const proxy = `http://127.0.0.1:${egress.port}`;
			const curls =
				'for i in 1 2 3; do curl -s --max-time 5 --retry 5 --retry-connrefused -x "$1" http://example.org/$i; echo; done';
			const { stdout } = await collected(prefix.run(curls, [proxy]), { beginning: prefix.beginning });
			expect(stdout).toBe('http://example.org/1\nhttp://example.org/2\nhttp://example.org/3\n');
			egress.stop();
			// Nothing is listening anymore.
			const listens = async () => (await collected(prefix.run('curl -s --max-time 5 "$1"', [proxy]))).code;
			await expect.poll(listens, { timeout: 10_000 }).toBe(7);
		});

		it('asks the page over the connection to the machine', async () => {
			const other = await ConfinedPod.start(MANIFEST);
			onTestFinished(() => other.stop());
			const acceptor = new LinkAcceptor({
				open: async (_id, link) => {
					const there = new PrefixExecutionEnvironment({
						prefix: other.words([], false),
						workingDirectory: '/workspace',
						egress: true
					});
					await there.initialize();
					return new EnvironmentHost(there, link);
				}
			});
			onTestFinished(() => acceptor.close());
			const page = new RemoteExecutionEnvironment({
				connect: async () => {
					const [near, far] = channelPair();
					acceptor.accept(far);
					return near;
				}
			});
			await page.initialize();
			const fetched = async () => (await page.exec('curl -s --data-binary sent http://example.org/')).stdout;
			expect(await fetched()).toBe('No page is there to ask whether this request may leave.\n');
			const large = 'y'.repeat(3_000_000);
			await page.serveEgress(async ({ url, body }) => respond(`${new TextDecoder().decode(body)} to ${url} ${large}`));
			expect(await fetched()).toBe(`sent to http://example.org/ ${large}`);
			await page.serveEgress(async () => {
				throw new Error('You did not allow it.');
			});
			expect(await fetched()).toBe('You did not allow it.\n');
			await page.serveEgress(async () => ({ ...respond(''), headers: [['a\r\nb', 'c']] }));
			expect(await fetched()).toBe('The page could not answer this request.\n');
			await page.cleanup();
		});

		it('is none where nothing can listen', async () => {
			expect(await PrefixEgress.start(await Prefix.open(pod.words([], false)), { listeners: 'none' })).toBeUndefined();
		});
	}
);
