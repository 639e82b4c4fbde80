import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { ServerContext, ServerEnvironment } from './context.ts';
import { cookiesNamed } from './cookies.ts';
import { Refusal } from './refusal.ts';

/** Checks whether an accepted entry matches: `host` matches any port, `host:port` only that one. */
export function hostAccepted(host: string | undefined, accepted: readonly string[]): boolean {
	if (!host) return false;
	const named = host.toLowerCase();
	return accepted.includes(named) || accepted.includes(named.replace(/:\d+$/, ''));
}

/** Prevents DNS rebinding: a foreign name that resolves to this server is not accepted. */
export const checkHost = (accepted: () => readonly string[]) =>
	createMiddleware<ServerEnvironment>(async (c, next) => {
		if (!hostAccepted(c.req.header('host'), accepted()))
			throw new Refusal(
				403,
				'host_refused',
				`This server does not accept that host name. Open ${accepted()[0] ?? 'its own name'}, or ask its operator to add the name to SANDGLASS_HOSTS.`
			);
		await next();
	});

/**
 * Allows our own page and programs that are not browsers. Code in the sandbox has an opaque origin (`Origin:
 * null`), another port of localhost is *same-site*: both are refused. So is a `<script>`, `<img>`, worker or
 * frame that names an API address.
 */
export const checkCaller = createMiddleware<ServerEnvironment>(async (c, next) => {
	const site = c.req.header('sec-fetch-site');
	const origin = c.req.header('origin');
	const destination = c.req.header('sec-fetch-dest');
	if (site !== undefined && site !== 'same-origin' && site !== 'none') throw stranger();
	if (origin !== undefined && !isOwnOrigin(origin, c.req.header('host') ?? '')) throw stranger();
	if (destination !== undefined && destination !== 'empty' && destination !== 'document') throw stranger();
	await next();
});

const stranger = (): Refusal =>
	new Refusal(403, 'caller_refused', 'Only the Sandglass page of this server may request this. Open the page itself.');

/**
 * Checks whether an `Origin` is the one of this `Host`. The scheme is not compared: behind a proxy that terminates TLS
 * we do not know ours.
 */
export function isOwnOrigin(origin: string, host: string): boolean {
	if (!URL.canParse(origin)) return false;
	const { protocol, host: named } = new URL(origin);
	return (protocol === 'http:' || protocol === 'https:') && named === new URL(`${protocol}//${host}`).host;
}

const COOKIE = 'sandglass_token';
/** Browsers let only this exact host set a cookie with that prefix, and only over TLS. */
const SECURE_COOKIE = `__Host-${COOKIE}`;
const cookieValue = (token: string): string => createHmac('sha256', token).update(COOKIE).digest('hex');

/** Checks whether the browser uses TLS, according to the proxy in front. */
const isOverTls = (c: ServerContext): boolean => c.req.header('x-forwarded-proto') === 'https';

/** Checks all cookies of that name, so that one planted by another port or a subdomain cannot hide ours. */
const hasTokenCookie = (c: ServerContext, token: string): boolean =>
	cookiesNamed(c.req.header('cookie'), isOverTls(c) ? SECURE_COOKIE : COOKIE).some((value) =>
		same(value, cookieValue(token))
	);

function setTokenCookie(c: ServerContext, token: string): void {
	const options = { httpOnly: true, sameSite: 'Strict', maxAge: 30 * 86_400 } as const;
	if (isOverTls(c)) setCookie(c, SECURE_COOKIE, cookieValue(token), { ...options, path: '/', secure: true });
	else setCookie(c, COOKIE, cookieValue(token), { ...options, path: '/api' });
}

function same(a: string, b: string): boolean {
	const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}

/**
 * Requires the access token if one is set: `X-Sandglass-Token`, exchanged for an HttpOnly cookie (derived from
 * the token, so that the cookie does not reveal it).
 */
export const checkToken = (token: string | undefined, onWrongToken: (c: ServerContext) => Promise<void>) =>
	createMiddleware<ServerEnvironment>(async (c, next) => {
		if (token === undefined) return next();
		const header = c.req.header('x-sandglass-token');
		if (header !== undefined && same(header, token)) setTokenCookie(c, token);
		else if (!hasTokenCookie(c, token)) {
			if (header !== undefined) await onWrongToken(c);
			throw new Refusal(
				401,
				'token_needed',
				'This server requires a token. Enter the one that its operator set as SANDGLASS_TOKEN.'
			);
		}
		await next();
	});
