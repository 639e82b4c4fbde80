import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { awaitToken, beginSignIn, type SignInCode } from '#page/token/github-sign-in.ts';

const ORIGIN = 'https://github.com';
const CODE: SignInCode = {
	deviceCode: 'd-1',
	userCode: 'WDJB-MJHT',
	address: `${ORIGIN}/login/device`,
	expiresMs: 60_000,
	intervalMs: 5_000
};

/** A server that gives these answers, repeating the last one. */
function serverWith(...answers: unknown[]) {
	const asked: { url: string; body: unknown }[] = [];
	const fetch = async (url: string, init: RequestInit) => {
		asked.push({ url, body: init.body });
		const answer = answers.length > 1 ? answers.shift() : answers[0];
		return answer instanceof Response ? answer : Response.json(answer);
	};
	vi.stubGlobal('fetch', fetch);
	onTestFinished(() => void vi.unstubAllGlobals());
	return asked;
}

/** Waits without real time, and records the requested time. */
function clock() {
	const waits: number[] = [];
	const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
		signal.throwIfAborted();
		waits.push(ms);
	};
	return { waits, wait };
}

const { signal } = new AbortController();

describe('signing in to GitHub', () => {
	it('asks at the pace that GitHub sets, and slower when told to', async () => {
		const asked = serverWith(
			{ state: 'pending', intervalMs: null },
			{ state: 'pending', intervalMs: 12_000 },
			{ state: 'done', token: 'gho_x' }
		);
		const { waits, wait } = clock();
		expect(await awaitToken(CODE, signal, wait)).toBe('gho_x');
		expect(waits).toEqual([5_000, 5_000, 12_000]);
		expect(asked[0]).toEqual({ url: '/api/github/token', body: '{"deviceCode":"d-1"}' });
	});

	it('ends when the code has expired, or the user said no', async () => {
		serverWith({ state: 'pending', intervalMs: null });
		const { waits, wait } = clock();
		await expect(awaitToken(CODE, signal, wait)).rejects.toMatchObject({ reason: 'expired' });
		expect(waits).toHaveLength(12);
		serverWith({ state: 'denied' });
		await expect(awaitToken(CODE, signal, wait)).rejects.toMatchObject({ reason: 'denied' });
	});

	it('asks no more once it is cancelled', async () => {
		const asked = serverWith({ state: 'pending', intervalMs: null });
		const abort = new AbortController();
		const waiting = awaitToken(CODE, abort.signal);
		abort.abort();
		await expect(waiting).rejects.toThrow();
		expect(asked).toEqual([]);
	});

	it.each([
		['another site', { ...CODE, address: 'https://github.example.net/login/device' }],
		['a script', { ...CODE, address: 'javascript:alert(1)' }],
		['an unreadable code', { ...CODE, userCode: '\u202eWDJB' }],
		['an error', new Response('', { status: 502 })]
	])('sends the user to no other place: %s', async (_, answer) => {
		serverWith(answer);
		await expect(beginSignIn(ORIGIN, signal)).rejects.toMatchObject({ reason: 'failed' });
	});

	it('takes no token that could not be a header', async () => {
		serverWith({ state: 'done', token: 'gho_x\r\nx: y' });
		await expect(awaitToken(CODE, signal, clock().wait)).rejects.toMatchObject({ reason: 'failed' });
	});
});
