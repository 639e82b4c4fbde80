import * as z from 'zod/mini';

const Word = z.string().check(z.regex(/^[\x21-\x7e]{1,512}$/));
const Code = z.object({
	deviceCode: Word,
	userCode: z.string().check(z.regex(/^[A-Za-z0-9-]{4,20}$/)),
	address: z.url(),
	expiresMs: z.number().check(z.positive()),
	intervalMs: z.number().check(z.positive())
});
const State = z.discriminatedUnion('state', [
	z.object({ state: z.literal('pending'), intervalMs: z.nullable(z.number().check(z.positive())) }),
	z.object({ state: z.enum(['expired', 'denied']) }),
	z.object({ state: z.literal('done'), token: Word })
]);

/** Code that the user enters, and the URL of the page to enter it on. */
export type SignInCode = z.infer<typeof Code>;

/** Reason why a sign-in ended without a token. */
export type SignInFailure = 'expired' | 'denied' | 'failed';

export class SignInError extends Error {
	override readonly name = 'SignInError';
	constructor(readonly reason: SignInFailure) {
		super(reason);
	}
}

/** Waits; rejects when the signal aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Starts the device flow.
 *
 * @param origin origin of the GitHub instance that the server signs users in to: the user is sent nowhere else
 * @throws SignInError
 */
export async function beginSignIn(origin: string, signal: AbortSignal): Promise<SignInCode> {
	const code = z.safeParse(Code, await post('code', undefined, signal));
	if (!code.success || new URL(code.data.address).origin !== origin) throw new SignInError('failed');
	return code.data;
}

/**
 * Polls for the token until the user has entered the code, at the interval that GitHub sets.
 *
 * @throws SignInError, or the signal's reason
 */
export async function awaitToken(code: SignInCode, signal: AbortSignal, wait: Wait = waitFor): Promise<string> {
	let { intervalMs } = code;
	for (let waitedMs = 0; waitedMs < code.expiresMs; waitedMs += intervalMs) {
		await wait(intervalMs, signal);
		const state = z.safeParse(State, await post('token', { deviceCode: code.deviceCode }, signal));
		if (!state.success) throw new SignInError('failed');
		if (state.data.state === 'done') return state.data.token;
		if (state.data.state !== 'pending') throw new SignInError(state.data.state);
		intervalMs = state.data.intervalMs ?? intervalMs;
	}
	throw new SignInError('expired');
}

async function post(step: 'code' | 'token', body: object | undefined, signal: AbortSignal): Promise<unknown> {
	const response = await fetch(`/api/github/${step}`, {
		method: 'POST',
		signal,
		...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
	});
	if (!response.ok) throw new SignInError('failed');
	return response.json();
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const abort = (): void => {
			clearTimeout(timer);
			reject(signal.reason instanceof Error ? signal.reason : new DOMException('Cancelled', 'AbortError'));
		};
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', abort);
			resolve();
		}, ms);
		signal.addEventListener('abort', abort, { once: true });
	});
}
