import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { clearForeignCookies, cookiesNamed, maxHeaderBytes } from '#server/cookies.ts';
import type { ServerEnvironment } from '#server/context.ts';

it('finds all values that were sent under a name', () => {
	expect(cookiesNamed('a=1; b=2;a=3; aa=4; xa=5', 'a')).toEqual(['1', '3']);
	expect(cookiesNamed('a=x=y', 'a')).toEqual(['x=y']);
	expect(cookiesNamed('a=1; b=2', 'b')).toEqual(['2']);
	expect(cookiesNamed(undefined, 'a')).toEqual([]);
});

it('has the browser drop its cookies once they are more than ours could be', async () => {
	const app = new Hono<ServerEnvironment>();
	app.use(clearForeignCookies);
	app.get('/', (c) => c.text('ok'));
	const clears = async (cookie?: string): Promise<string | null> => {
		const answer = await app.request('/', cookie === undefined ? {} : { headers: { cookie } });
		expect(answer.status).toBe(200);
		return answer.headers.get('clear-site-data');
	};
	expect(await clears()).toBeNull();
	expect(await clears('x'.repeat(12 * 1024))).toBeNull();
	expect(await clears('x'.repeat(12 * 1024 + 1))).toBe('"cookies"');
});

it('accepts what a browser can store on this machine, and Node’s own limit elsewhere', () => {
	expect(maxHeaderBytes('127.0.0.1')).toBe(1024 * 1024);
	expect(maxHeaderBytes('0.0.0.0')).toBeUndefined();
});
