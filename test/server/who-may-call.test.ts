import { expect, it } from 'vitest';
import { hostAccepted, isOwnOrigin } from '#server/who-may-call.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass } from './start.ts';

const TOKEN = 'a-long-random-word-1234';

it('accepts our page and programs, and refuses every other caller', async () => {
	const server = await startSandglass();
	const host = new URL(server.url).host;
	const cases: [Record<string, string>, number][] = [
		[{}, 200],
		[{ 'sec-fetch-site': 'same-origin', origin: server.url }, 200],
		[{ 'sec-fetch-site': 'none' }, 200],
		[{ 'sec-fetch-dest': 'empty' }, 200],
		[{ 'sec-fetch-dest': 'document' }, 200],
		[{ origin: `https://${host}` }, 200], // TLS ends at a proxy
		[{ origin: `ftp://${host}` }, 403],
		[{ 'sec-fetch-site': 'same-site' }, 403], // another port of localhost
		[{ 'sec-fetch-site': 'cross-site' }, 403],
		[{ origin: 'null' }, 403], // code in the sandbox
		[{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 403],
		[{ origin: 'https://evil.example' }, 403],
		[{ origin: 'http://127.0.0.1:1' }, 403],
		[{ origin: `file://${host}` }, 403],
		[{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' }, 403],
		[{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'serviceworker' }, 403],
		[{ host: 'evil.example' }, 403], // DNS rebinding
		[{ host: `evil.example:${new URL(server.url).port}`, origin: 'http://evil.example' }, 403],
		[{ host: `localhost:${new URL(server.url).port}` }, 200]
	];
	for (const [headers, status] of cases) {
		const answer = await ask(`${server.url}/api/config`, { headers });
		expect(answer.status, JSON.stringify(headers)).toBe(status);
		expect(answer.headers['access-control-allow-origin']).toBeUndefined();
	}
	expect((await ask(`${server.url}/api/health`, { headers: { host: 'probe.internal' } })).status).toBe(200);
	expect((await ask(`${server.url}/`, { headers: { host: 'evil.example' } })).status).toBe(403);
});

it.each([
	['a.example', true],
	['A.EXAMPLE:8080', true],
	['b.example:81', true],
	['b.example', false],
	['b.example:8', false],
	['a.example.evil', false],
	['a:1.example', false],
	['a.example:x', false],
	['', false],
	[undefined, false]
])('takes the host %s for one of its own: %s', (host, isAccepted) => {
	expect(hostAccepted(host, ['a.example', 'b.example:81'])).toBe(isAccepted);
});

it.each([
	['http://a.example', 'a.example', true],
	['https://a.example', 'a.example:443', true],
	['http://a.example', 'a.example:80', true],
	['https://a.example', 'a.example:80', false],
	['https://a.example:8443', 'a.example:8443', true],
	['https://a.example:8443', 'a.example', false],
	['https://b.example', 'a.example', false],
	['ftp://a.example', 'a.example', false],
	['null', 'a.example', false]
])('takes the origin %s at the host %s for its own: %s', (origin, host, isOwn) => {
	expect(isOwnOrigin(origin, host)).toBe(isOwn);
});

it('says of a host, a caller and a token what is wrong', async () => {
	const server = await startSandglass({ SANDGLASS_TOKEN: TOKEN, SANDGLASS_HOSTS: 'first.example second.example' });
	const refused = async (headers: Record<string, string>) =>
		JSON.parse((await ask(`${server.url}/api/config`, { headers })).text).error;
	expect(await refused({ host: 'evil.example' })).toEqual({
		type: 'host_refused',
		message:
			'This server does not accept that host name. Open first.example, or ask its operator to add the name to SANDGLASS_HOSTS.'
	});
	expect(await refused({ origin: 'null' })).toEqual({
		type: 'caller_refused',
		message: 'Only the Sandglass page of this server may request this. Open the page itself.'
	});
	expect(await refused({})).toEqual({
		type: 'token_needed',
		message: 'This server requires a token. Enter the one that its operator set as SANDGLASS_TOKEN.'
	});
});

it('asks for the token, gives a cookie for it, and slows down guessing', async () => {
	const server = await startSandglass({ SANDGLASS_TOKEN: TOKEN }, { rateLimits: { wrongTokens: 2 } });
	const config = (headers: Record<string, string>) => ask(`${server.url}/api/config`, { headers });
	expect((await config({})).status).toBe(401);
	const right = await config({ 'x-sandglass-token': TOKEN });
	expect(right.status).toBe(200);
	const cookie = right.headers['set-cookie']?.[0] ?? '';
	expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/api', 'SameSite=Strict']);
	expect(cookie).not.toContain(TOKEN);
	expect((await config({ cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
	expect((await config({ cookie: `sandglass_token=${TOKEN}` })).status).toBe(401);
	const wrong = [];
	for (let i = 0; i < 3; i += 1) wrong.push((await config({ 'x-sandglass-token': 'guess' })).status);
	expect(wrong).toEqual([401, 401, 429]);
});

it('knows its own cookie among planted ones, and over TLS only one that cannot be planted', async () => {
	const server = await startSandglass({ SANDGLASS_TOKEN: TOKEN });
	const config = (headers: Record<string, string>) => ask(`${server.url}/api/config`, { headers });
	const cookieFor = async (headers: Record<string, string>) =>
		(await config({ 'x-sandglass-token': TOKEN, ...headers })).headers['set-cookie']?.[0] ?? '';
	const tls = { 'x-forwarded-proto': 'https' };
	const plain = (await cookieFor({})).split(';')[0] ?? '';
	const whole = await cookieFor(tls);
	expect(whole).toMatch(/^__Host-sandglass_token=[0-9a-f]{64}; /);
	expect(whole.split('; ').slice(1).sort()).toEqual([
		'HttpOnly',
		'Max-Age=2592000',
		'Path=/',
		'SameSite=Strict',
		'Secure'
	]);
	const secure = whole.split(';')[0] ?? '';
	const cases: [cookie: string, headers: Record<string, string>, status: number][] = [
		[`sandglass_token=planted; ${plain}`, {}, 200],
		[`${plain}; sandglass_token=planted`, {}, 200],
		['sandglass_token=planted; sandglass_token=; x', {}, 401],
		[secure, tls, 200],
		[`sandglass_token=planted; ${secure}`, tls, 200],
		// A site that can set cookies for the parent domain can set that one.
		[plain, tls, 401]
	];
	for (const [cookie, headers, status] of cases)
		expect((await config({ ...headers, cookie })).status, cookie).toBe(status);
});

it('answers the page however many cookies were planted, and has the browser drop them', async () => {
	const flood = Array.from({ length: 180 }, (_, index) => `flood${index}=${'x'.repeat(4000)}`).join('; ');
	const own = await startSandglass();
	for (const path of ['/api/config', '/', '/api/health']) {
		const answer = await ask(own.url + path, { headers: { cookie: flood } });
		expect([path, answer.status]).toEqual([path, path === '/' ? 404 : 200]);
	}
	const flooded = await ask(`${own.url}/api/config`, { headers: { cookie: flood } });
	expect(flooded.headers['clear-site-data']).toBe('"cookies"');
	expect(
		(await ask(`${own.url}/api/config`, { headers: { cookie: 'a=b' } })).headers['clear-site-data']
	).toBeUndefined();
	// Many clients could fill the memory of a public server with headers of that size.
	const open = await startSandglass({ HOST: '0.0.0.0' });
	const refused = await ask(`${open.url}/api/config`, { headers: { cookie: flood } });
	expect(refused.status).toBe(431);
	expect(refused.headers['clear-site-data']).toBe('"cookies"');
	expect(refused.text).toContain('load the page again');
});
