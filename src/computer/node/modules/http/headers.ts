import { nodeError } from '../../runtime/errors.ts';

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers of which only the first one counts. */
const SINGLE = new Set(
	(
		'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since ' +
		'last-modified location max-forwards proxy-authorization referer retry-after server user-agent'
	).split(' ')
);

/** @throws ERR_INVALID_HTTP_TOKEN */
export function validateHeaderName(name: unknown, label = 'Header name'): asserts name is string {
	if (typeof name === 'string' && TOKEN.test(name)) return;
	throw nodeError(TypeError, 'ERR_INVALID_HTTP_TOKEN', `${label} must be a valid HTTP token ["${String(name)}"]`);
}

/** @throws ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR */
export function validateHeaderValue(name: string, value: unknown): void {
	if (value === undefined) {
		throw nodeError(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "undefined" for header "${name}"`);
	}
	for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
		if (INVALID_VALUE.test(String(one))) {
			throw nodeError(TypeError, 'ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
		}
	}
}

export type IncomingHeaders = Record<string, string | string[]>;

/** Headers as `message.headers` has them: lower case, joined, `set-cookie` a list. */
export function joinHeaders(pairs: [string, string][]): IncomingHeaders {
	const joined = Object.create(null) as IncomingHeaders;
	for (const [name, value] of pairs) {
		const key = name.toLowerCase();
		const known = joined[key];
		if (key === 'set-cookie') joined[key] = [...(Array.isArray(known) ? known : []), value];
		else if (known === undefined) joined[key] = value;
		else if (!SINGLE.has(key)) joined[key] = `${String(known)}${key === 'cookie' ? '; ' : ', '}${value}`;
	}
	// What prints them expects a plain object, and a header may be called `__proto__`.
	return Object.setPrototypeOf(joined, Object.prototype) as IncomingHeaders;
}

/** Headers as `message.headersDistinct` has them. */
export function distinctHeaders(pairs: [string, string][]): Record<string, string[]> {
	const distinct = Object.create(null) as Record<string, string[]>;
	for (const [name, value] of pairs) (distinct[name.toLowerCase()] ??= []).push(value);
	return distinct;
}

/** Header objects, lists of pairs and flat lists, as `writeHead` and `request` take them. */
export function headerEntries(given: unknown): [string, unknown][] {
	if (given === null || typeof given !== 'object') return [];
	if (!Array.isArray(given)) return 'entries' in given && given instanceof Headers ? [...given] : Object.entries(given);
	const list = given as unknown[];
	if (Array.isArray(list[0])) return list as [string, unknown][];
	return list.flatMap((name, at): [string, unknown][] => (at % 2 === 0 ? [[String(name), list[at + 1]]] : []));
}

/** Reports whether a message's headers ask to go on in another protocol. */
export function asksForUpgrade(headers: IncomingHeaders): boolean {
	return /(^|,\s*)upgrade(\s*,|$)/i.test(String(headers['connection'] ?? '')) && headers['upgrade'] !== undefined;
}
