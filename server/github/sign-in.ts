import type { Readable } from 'node:stream';
import { z } from 'zod';
import { callerGone, type ServerApp, type ServerContext } from '../context.ts';
import { route } from '../methods.ts';
import type { Guard } from '../outbound/guard.ts';
import { apiHeaders } from '../page/headers.ts';
import { Refusal } from '../refusal.ts';
import { bodyBytes } from '../request-body.ts';

const LIMITS = { headersMs: 20_000, idleMs: 20_000, totalMs: 30_000, maxBytes: 64 * 1024 };
const MAX_REQUEST_BYTES = 4096;
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Codes and tokens are one word of visible ASCII: they become a header, and text that the user reads. */
const word = z.string().regex(/^[\x21-\x7e]{1,512}$/);
const Code = z.object({
	device_code: word,
	user_code: z.string().regex(/^[A-Za-z0-9-]{4,20}$/),
	verification_uri: z.url(),
	expires_in: z.number().positive(),
	interval: z.number().positive().default(5)
});
const Token = z.union([
	z.object({ access_token: word }),
	z.object({ error: z.string(), interval: z.number().positive().optional() })
]);
const Poll = z.object({ deviceCode: word });

/** The registered application of this server's operator. */
export interface GitHubApp {
	clientId: string;
	/** `https://github.com` or a GitHub Enterprise server, without a trailing slash. */
	url: string;
}

/** Response of `/api/github/code`. */
export interface SignInCode {
	deviceCode: string;
	userCode: string;
	/** Page of GitHub where the user enters the code. */
	address: string;
	expiresMs: number;
	intervalMs: number;
}

/** Response of `/api/github/token`. */
export type SignInState =
	{ state: 'pending'; intervalMs: number | null } | { state: 'expired' | 'denied' } | { state: 'done'; token: string };

/**
 * `/api/github/code` and `/api/github/token`: the two calls of GitHub's device flow, whose responses a page cannot read
 * itself. They are neither stored nor logged here.
 */
export function gitHubRoutes(app: ServerApp, guard: Guard, gitHub: GitHubApp): void {
	const call = async (c: ServerContext, path: string, fields: Record<string, string>): Promise<unknown> => {
		const url = new URL(gitHub.url + path);
		const host = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
		c.set('log', { to: host });
		const body = new TextEncoder().encode(new URLSearchParams({ client_id: gitHub.clientId, ...fields }).toString());
		const headers = {
			accept: 'application/json',
			'content-type': 'application/x-www-form-urlencoded',
			'content-length': String(body.byteLength),
			'user-agent': 'sandglass'
		};
		const answer = await guard.request(
			{ url, method: 'POST', headers, body, signal: callerGone(c), limits: LIMITS },
			host
		);
		if (answer.status === 200) return parsed(await text(answer.body));
		answer.body.destroy();
		throw unexpected();
	};
	route(app, '/api/github/code', {
		POST: async (c) => {
			// Reading and pushing private repositories, and pull requests, have no narrower scope.
			const code = Code.safeParse(await call(c, '/login/device/code', { scope: 'repo' }));
			if (!code.success || new URL(code.data.verification_uri).origin !== new URL(gitHub.url).origin)
				throw unexpected();
			const { device_code, user_code, verification_uri, expires_in, interval } = code.data;
			const answer: SignInCode = {
				deviceCode: device_code,
				userCode: user_code,
				address: verification_uri,
				expiresMs: expires_in * 1000,
				intervalMs: interval * 1000
			};
			return c.json(answer, 200, apiHeaders);
		}
	});
	route(app, '/api/github/token', {
		POST: async (c) => {
			const asked = Poll.safeParse(parsed(new TextDecoder().decode(await bodyBytes(c, MAX_REQUEST_BYTES))));
			if (!asked.success) throw new Refusal(400, 'body_invalid', 'Send {"deviceCode": "…"} of /api/github/code.');
			const fields = { device_code: asked.data.deviceCode, grant_type: GRANT };
			const token = Token.safeParse(await call(c, '/login/oauth/access_token', fields));
			if (!token.success) throw unexpected();
			return c.json(stateOf(token.data), 200, apiHeaders);
		}
	});
}

function stateOf(answer: z.output<typeof Token>): SignInState {
	if ('access_token' in answer) return { state: 'done', token: answer.access_token };
	switch (answer.error) {
		case 'authorization_pending':
			return { state: 'pending', intervalMs: null };
		case 'slow_down':
			return { state: 'pending', intervalMs: (answer.interval ?? 10) * 1000 };
		case 'expired_token':
			return { state: 'expired' };
		case 'access_denied':
			return { state: 'denied' };
		default:
			throw unexpected();
	}
}

/** Omits the host's own message, which could be anything. */
const unexpected = (): Refusal =>
	new Refusal(
		502,
		'github_failed',
		'GitHub did not accept the request. The operator can check SANDGLASS_GITHUB_CLIENT_ID.'
	);

async function text(body: Readable): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array));
	return Buffer.concat(chunks).toString();
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return null;
	}
}
