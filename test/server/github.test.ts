import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

const CLIENT_ID = 'Iv1.0123456789abcdef';
const DEVICE = 'device-0123456789';
const answers = {
	code: {
		device_code: DEVICE,
		user_code: 'WDJB-MJHT',
		verification_uri: '',
		expires_in: 900,
		interval: 5
	},
	token: {}
};

/** A GitHub with the given answers, and a server that signs in to it. */
async function signIn(change: { code?: object; token?: unknown; status?: number } = {}) {
	const seen: { path: string; body: string }[] = [];
	const reply = (path: string, url: string): unknown =>
		path === '/login/device/code'
			? { ...answers.code, verification_uri: `${url}/login/device`, ...change.code }
			: (change.token ?? answers.token);
	const gitHub = await startUpstream((request: IncomingMessage, response: ServerResponse) => {
		let body = '';
		request.on('data', (chunk) => (body += String(chunk)));
		request.on('end', () => {
			const path = request.url ?? '';
			seen.push({ path, body });
			response.writeHead(change.status ?? 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(reply(path, `http://${request.headers.host}`)));
		});
	});
	const server = await startSandglass({ SANDGLASS_GITHUB_CLIENT_ID: CLIENT_ID, SANDGLASS_GITHUB_URL: gitHub.url });
	const post = (path: string, body = '') => ask(`${server.url}/api/github/${path}`, { method: 'POST', body });
	return { gitHub, server, seen, post };
}

describe('signing in to GitHub', () => {
	it('asks for a code with the operator’s client id, and hands on what the user needs', async () => {
		const { gitHub, post, seen } = await signIn();
		const answer = await post('code');
		expect(JSON.parse(answer.text)).toEqual({
			deviceCode: DEVICE,
			userCode: 'WDJB-MJHT',
			address: `${gitHub.url}/login/device`,
			expiresMs: 900_000,
			intervalMs: 5_000
		});
		expect(answer.headers['cache-control']).toBe('no-store');
		expect(seen).toEqual([{ path: '/login/device/code', body: `client_id=${CLIENT_ID}&scope=repo` }]);
	});

	it.each([
		[{ error: 'authorization_pending' }, { state: 'pending', intervalMs: null }],
		[
			{ error: 'slow_down', interval: 12 },
			{ state: 'pending', intervalMs: 12_000 }
		],
		[{ error: 'expired_token' }, { state: 'expired' }],
		[{ error: 'access_denied' }, { state: 'denied' }],
		[
			{ access_token: 'gho_ofThisTest', token_type: 'bearer', scope: 'repo' },
			{ state: 'done', token: 'gho_ofThisTest' }
		]
	])('tells the page what came of %j', async (token, expected) => {
		const { post, seen, server } = await signIn({ token });
		const answer = await post('token', JSON.stringify({ deviceCode: DEVICE }));
		expect(JSON.parse(answer.text)).toEqual(expected);
		expect(new URLSearchParams(seen[0]?.body).get('device_code')).toBe(DEVICE);
		// Neither the code nor the token is logged.
		expect(server.logged.join('\n')).not.toMatch(/gho_ofThisTest|device-0123456789/);
	});

	it.each([
		['an address of another site', { code: { verification_uri: 'https://github.example.net/login/device' } }],
		['no address', { code: { verification_uri: 'javascript:alert(1)' } }],
		['a code with other characters', { code: { user_code: '<b>WDJB</b>' } }],
		['an error page', { status: 500 }]
	])('refuses %s', async (_, change) => {
		const { post } = await signIn(change);
		const answer = await post('code');
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([502, 'github_failed']);
	});

	it.each([
		['a token with a line break', { access_token: 'gho_x\r\nx-evil: 1' }],
		['an unknown error', { error: 'incorrect_client_credentials', error_description: '<script>' }],
		['no object', 'gho_x']
	])('refuses %s', async (_, token) => {
		const { post } = await signIn({ token });
		const answer = await post('token', JSON.stringify({ deviceCode: DEVICE }));
		expect(answer.status).toBe(502);
		expect(answer.text).not.toMatch(/script|gho_/);
	});

	it('takes a device code and nothing else, from its own page', async () => {
		const { post, seen, server } = await signIn();
		for (const body of ['', '{}', '{"deviceCode":"a b"}', `{"deviceCode":"${'x'.repeat(600)}"}`])
			expect((await post('token', body)).status, body).toBe(400);
		expect((await post('token', 'x'.repeat(5000))).status).toBe(413);
		const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } };
		expect((await ask(`${server.url}/api/github/code`, foreign)).status).toBe(403);
		expect((await ask(`${server.url}/api/github/code`)).status).toBe(405);
		expect(seen).toEqual([]);
	});

	it('is not there without a client id', async () => {
		const server = await startSandglass();
		expect((await ask(`${server.url}/api/github/code`, { method: 'POST' })).status).toBe(404);
		expect(JSON.parse((await ask(`${server.url}/api/config`)).text).gitHubSignIn).toBe(null);
	});
});
