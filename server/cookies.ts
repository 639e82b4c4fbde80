import { createMiddleware } from 'hono/factory';
import { isLoopback } from './configuration/load.ts';
import type { ServerContext, ServerEnvironment } from './context.ts';

/** Removes every cookie that the browser sends here, no matter who set it. */
export const CLEAR_COOKIES = { 'clear-site-data': '"cookies"' } as const;

/**
 * Size above which foreign cookies are assumed: our only cookie has 100 bytes; anything larger was set by others and
 * approaches Node's limit of 16 KB.
 */
const TOO_MANY_BYTES = 12 * 1024;
/** 180 cookies of 4 KB, the most a browser stores for a site, plus the other headers. */
const LOCAL_HEADER_BYTES = 1024 * 1024;

/**
 * Maximum bytes of request headers for a server on `HOST`. On this machine every port may set cookies for the
 * page, so the server has to accept all that a browser can store in order to clear them. A public server keeps
 * Node's own limit, since large headers of many clients would fill its memory.
 */
export const maxHeaderBytes = (HOST: string): number | undefined => (isLoopback(HOST) ? LOCAL_HEADER_BYTES : undefined);

/** All values sent under a name: a browser sends one for each domain and path that set it. */
export function cookiesNamed(header: string | undefined, name: string): string[] {
	const pairs = (header ?? '').split(';').map((pair) => pair.trim());
	return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

export const hasTooManyCookies = (c: ServerContext): boolean => (c.req.header('cookie')?.length ?? 0) > TOO_MANY_BYTES;

/**
 * Tells the browser to drop its cookies for this site when there are more than ours: other ports and subdomains
 * can plant them.
 */
export const clearForeignCookies = createMiddleware<ServerEnvironment>(async (c, next) => {
	if (hasTooManyCookies(c)) for (const [name, value] of Object.entries(CLEAR_COOKIES)) c.header(name, value);
	await next();
});
