import type { MessageHead } from '#computer/http/parser.ts';
import { HttpSyntaxError } from '#computer/http/syntax-error.ts';
import { headerValues } from '#computer/http/header-values.ts';
import { HTTPParser } from 'http-parser-js';
import { inspect } from 'node-inspect-extracted';
import { nodeError } from '../../runtime/errors.ts';

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers of which only the first occurrence counts. */
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
export function validateHeaderValue(name: string, value: unknown, kind = 'header'): void {
	if (value === undefined) {
		throw nodeError(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "undefined" for header "${name}"`);
	}
	for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
		if (INVALID_VALUE.test(String(one))) {
			throw nodeError(TypeError, 'ERR_INVALID_CHAR', `Invalid character in ${kind} content ["${name}"]`);
		}
	}
}

// As in Node, the parser only calls `kOnHeadersComplete` after this property was read once.
void HTTPParser.kOnExecute;

/** `node:_http_common`, for packages that check headers or parse messages with it, like `nock` and `msw`. */
export const createHttpCommon = (METHODS: unknown): Record<string, unknown> => ({
	HTTPParser,
	METHODS,
	methods: METHODS,
	CRLF: '\r\n',
	chunkExpression: /(?:^|\W)chunked(?:$|\W)/i,
	continueExpression: /(?:^|\W)100-continue(?:$|\W)/i,
	_checkIsHttpToken: (value: string) => TOKEN.test(value),
	_checkInvalidHeaderChar: (value: string) => INVALID_VALUE.test(value)
});

export type IncomingHeaders = Record<string, string | string[]>;

/** Adds a header in the form of `message.headers`: lower case, joined, `set-cookie` as a list. */
export function addHeader(joined: IncomingHeaders, name: string, value: string, joinsAll = false): void {
	const key = name.toLowerCase();
	const known = joined[key];
	if (key === 'set-cookie') joined[key] = [...(Array.isArray(known) ? known : []), value];
	else if (known === undefined) joined[key] = value;
	else if (joinsAll || !SINGLE.has(key)) joined[key] = `${String(known)}${key === 'cookie' ? '; ' : ', '}${value}`;
}

/** Joins headers in the form of `message.headers`. */
export function joinHeaders(pairs: [string, string][], joinsAll = false): IncomingHeaders {
	const joined = Object.create(null) as IncomingHeaders;
	for (const [name, value] of pairs) addHeader(joined, name, value, joinsAll);
	// Code that prints them expects a plain object, and a header may be called `__proto__`.
	return Object.setPrototypeOf(joined, Object.prototype) as IncomingHeaders;
}

/** Headers in the form of `message.headersDistinct`. */
export function distinctHeaders(pairs: [string, string][]): Record<string, string[]> {
	const distinct = Object.create(null) as Record<string, string[]>;
	for (const [name, value] of pairs) (distinct[name.toLowerCase()] ??= []).push(value);
	return distinct;
}

/** Parses header objects, lists of pairs and flat lists, as accepted by `writeHead` and `request`. */
export function headerEntries(given: unknown): [string, unknown][] {
	if (given === null || typeof given !== 'object') return [];
	if (!Array.isArray(given)) return 'entries' in given && given instanceof Headers ? [...given] : Object.entries(given);
	const list = given as unknown[];
	if (!Array.isArray(list[0]) && list.length % 2 !== 0) {
		const words = `The argument 'headers' is invalid. Received ${inspect(list)}`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
	if (Array.isArray(list[0])) return list as [string, unknown][];
	return list.flatMap((name, at): [string, unknown][] => (at % 2 === 0 ? [[String(name), list[at + 1]]] : []));
}

type Headers = Pick<MessageHead, 'headers'>;

/** Returns whether a message's headers request an upgrade to another protocol. */
export function asksForUpgrade(head: Headers): boolean {
	if (headerValues(head.headers, 'upgrade').length === 0) return false;
	return /(^|,\s*)upgrade(\s*,|$)/i.test(headerValues(head.headers, 'connection').join());
}

/**
 * Checks that a message specifies its length unambiguously.
 * @throws HttpSyntaxError for headers that could hide a second message
 */
export function checkHead(head: Headers): void {
	if (head.headers.some(([, value]) => value.includes('\r'))) {
		throw new HttpSyntaxError('HPE_LF_EXPECTED', 'Missing expected LF after header value');
	}
	if (headerValues(head.headers, 'content-length').length > 1) {
		throw new HttpSyntaxError('HPE_UNEXPECTED_CONTENT_LENGTH', 'Content-Length already present');
	}
}
