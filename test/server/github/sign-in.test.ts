import { describe, expect, it } from 'vitest';
import { gitHubRoutes } from '#server/github/sign-in.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { standInGuard } from '../proxy/stand-in-guard.ts';
import { startRoutes } from '../start.ts';

const CODE = {
	device_code: 'device-0123456789',
	user_code: 'WDJB-MJHT',
	verification_uri: 'https://github.com/login/device',
	expires_in: 900
};

/** Sign-in routes for `url`, where every request gets this answer. */
async function start(answer: unknown = CODE, url = 'https://github.com') {
	const { guard, state } = standInGuard({ body: JSON.stringify(answer) });
	const routes = await startRoutes((app) => gitHubRoutes(app, guard, { clientId: 'Iv1.0123456789abcdef', url }));
	const post = async (path: string, body?: string) => {
		const { status, headers, text } = await ask(`${routes.url}/api/github/${path}`, { method: 'POST', body });
		return { status, code: headers['x-sandglass-error'], json: JSON.parse(text) };
	};
	return { ...routes, state, post };
}

describe('a request to GitHub', () => {
	it('is a form with its length, for an answer in JSON, in the name of this program', async () => {
		const { post, state } = await start();
		expect((await post('code')).status).toBe(200);
		const [asked] = state.asked;
		expect(asked).toMatchObject({ method: 'POST', sent: 'client_id=Iv1.0123456789abcdef&scope=repo' });
		expect(asked?.headers).toEqual({
			accept: 'application/json',
			'content-type': 'application/x-www-form-urlencoded',
			'content-length': '41',
			'user-agent': 'sandglass'
		});
	});

	it.each([
		['https://github.com', 'github.com:443'],
		['http://github.example', 'github.example:80'],
		['https://github.example:8443', 'github.example:8443']
	])('at %s may go to %s, which the log names', async (url, host) => {
		const { post, state, logged } = await start({ ...CODE, verification_uri: `${url}/login/device` }, url);
		expect((await post('code')).status).toBe(200);
		expect(state.asked.map(({ url: { href }, alsoAllowed }) => [href, alsoAllowed])).toEqual([
			[`${url}/login/device/code`, host]
		]);
		await expect.poll(() => logged).toMatchObject([{ to: host }]);
	});

	it('for a token names the flow that it belongs to', async () => {
		const { post, state } = await start({ error: 'slow_down' });
		const { json } = await post('token', '{"deviceCode":"device-0123456789"}');
		expect(json).toEqual({ state: 'pending', intervalMs: 10_000 });
		expect(state.asked[0]?.url.href).toBe('https://github.com/login/oauth/access_token');
		expect(Object.fromEntries(new URLSearchParams(state.asked[0]?.sent))).toEqual({
			client_id: 'Iv1.0123456789abcdef',
			device_code: 'device-0123456789',
			grant_type: 'urn:ietf:params:oauth:grant-type:device_code'
		});
	});
});

describe('an answer of GitHub', () => {
	it.each(['<b>WDJB-MJHT', 'WDJB-MJHT<b>', 'WDJ', 'W'.repeat(21)])('has no code such as %s', async (user_code) => {
		const { post } = await start({ ...CODE, user_code });
		expect(await post('code')).toMatchObject({
			status: 502,
			code: 'github_failed',
			json: {
				error: {
					message: 'GitHub did not accept the request. The operator can check SANDGLASS_GITHUB_CLIENT_ID.'
				}
			}
		});
	});

	it('has a code that lasts, and a pause of five seconds where it names none', async () => {
		expect((await (await start()).post('code')).json).toMatchObject({ expiresMs: 900_000, intervalMs: 5_000 });
		for (const wrong of [{ expires_in: 0 }, { interval: 0 }, { interval: -1 }])
			expect((await (await start({ ...CODE, ...wrong })).post('code')).status).toBe(502);
	});
});

it('says what to send for a token', async () => {
	const { post, state } = await start();
	for (const body of ['', '{}', '{"deviceCode":"a b"}'])
		expect(await post('token', body)).toMatchObject({
			status: 400,
			code: 'body_invalid',
			json: { error: { message: 'Send {"deviceCode": "…"} of /api/github/code.' } }
		});
	expect(state.asked).toEqual([]);
});
