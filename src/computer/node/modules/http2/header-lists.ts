import { connectionHeader, http2Error, invalidPseudoHeader, invalidToken, singleValue } from './errors.ts';
import type { HeaderField } from './protocol/header-table.ts';

/** `http2.sensitiveHeaders`: key of the names of headers that are not compressed. */
export const sensitiveHeaders = Symbol('sensitiveHeaders');

/** Headers of a message. Values that were received are text, except for `:status` and `set-cookie`. */
export type Headers = Record<string, unknown> & { [sensitiveHeaders]?: string[] };

/** Headers as a list of names and values. */
export type HeaderList = unknown[] & { [sensitiveHeaders]?: string[] };

const PSEUDO = new Set([':status', ':method', ':authority', ':scheme', ':path', ':protocol']);

/** Headers that have one value. */
const SINGLE = new Set([
	...PSEUDO,
	...`access-control-allow-credentials access-control-max-age access-control-request-method age authorization
		content-encoding content-language content-length content-location content-md5 content-range content-type date dnt
		etag expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location
		max-forwards proxy-authorization range referer retry-after tk upgrade-insecure-requests user-agent
		x-content-type-options`.split(/\s+/)
]);

const OF_CONNECTION = new Set(
	'connection upgrade http2-settings keep-alive proxy-connection transfer-encoding'.split(' ')
);

const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/;

export const isToken = (name: unknown): boolean => TOKEN.test(String(name));

/** Checks the name of a pseudo-header. @throws ERR_HTTP2_INVALID_PSEUDOHEADER */
export type PseudoCheck = (name: string) => void;

export const requestPseudo: PseudoCheck = (name) => {
	if (!PSEUDO.has(name)) throw invalidPseudoHeader(name);
};

export const responsePseudo: PseudoCheck = (name) => {
	if (name !== ':status') throw invalidPseudoHeader(name);
};

export const trailerPseudo: PseudoCheck = (name) => {
	throw invalidPseudoHeader(name);
};

/** Bytes of a text, one for each character. */
const byteText = (value: unknown): string =>
	String(value).replace(/[^\0-\xff]/g, (one) => String.fromCharCode(one.charCodeAt(0) & 255));

/**
 * Converts headers to fields, pseudo-headers first.
 *
 * @param headers object, or list of names and values
 * @throws ERR_HTTP2_HEADER_SINGLE_VALUE, ERR_HTTP2_INVALID_CONNECTION_HEADERS, ERR_HTTP2_INVALID_PSEUDOHEADER,
 * ERR_INVALID_HTTP_TOKEN
 */
export function fieldsOf(headers: Headers | HeaderList, checkPseudo: PseudoCheck = requestPseudo): HeaderField[] {
	const pseudo: HeaderField[] = [];
	const plain: HeaderField[] = [];
	const seen = new Set<string>();
	const sensitive = new Set((headers[sensitiveHeaders] ?? []).map((name) => name.toLowerCase()));
	for (const [given, value] of entriesOf(headers)) {
		if (value === undefined || given === '') continue;
		const name = given.toLowerCase();
		const values: unknown[] = Array.isArray(value) ? value : [value];
		if (values.length === 0) continue;
		if (SINGLE.has(name) && (values.length > 1 || seen.has(name))) throw singleValue(name);
		seen.add(name);
		const isPseudo = name.startsWith(':');
		if (isPseudo) checkPseudo(name);
		else if (!isToken(name)) throw invalidToken(name);
		if (!isPseudo) checkConnectionHeader(name, value);
		for (const one of values) {
			const field: HeaderField = { name: byteText(name), value: byteText(one) };
			if (sensitive.has(name)) field.isSensitive = true;
			(isPseudo ? pseudo : plain).push(field);
		}
	}
	return [...pseudo, ...plain];
}

function checkConnectionHeader(name: string, value: unknown): void {
	const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	if (OF_CONNECTION.has(name) || (name === 'te' && String(only) !== 'trailers')) throw connectionHeader(name);
}

function entriesOf(headers: Headers | HeaderList): [string, unknown][] {
	if (!Array.isArray(headers)) return Object.entries(headers);
	const list = headers;
	return list.flatMap((name, at): [string, unknown][] => (at % 2 === 0 ? [[String(name), list[at + 1]]] : []));
}

/** Converts received fields to headers. */
export function headersOf(fields: readonly HeaderField[]): Headers {
	const headers = Object.create(null) as Headers;
	const sensitive: string[] = [];
	for (const { name, value, isSensitive } of fields) {
		if (isSensitive) sensitive.push(name);
		const shown = name === ':status' ? Number(value) | 0 : value;
		const known = headers[name];
		if (known === undefined) headers[name] = name === 'set-cookie' ? [shown] : shown;
		else if (SINGLE.has(name)) continue;
		else if (Array.isArray(known)) known.push(shown);
		else headers[name] = `${String(known)}${name === 'cookie' ? '; ' : ', '}${value}`;
	}
	headers[sensitiveHeaders] = sensitive;
	return headers;
}

/** Converts received fields to a list of names and values. */
export const rawHeadersOf = (fields: readonly HeaderField[]): string[] =>
	fields.flatMap(({ name, value }) => [name, value]);

/** Authority of a request; HTTP/1 has it in `host`. */
export const authorityOf = (headers: Headers): unknown => headers[':authority'] ?? headers['host'];

/** Request with the pseudo-headers that it lacks. */
export interface PreparedRequest {
	fields: HeaderField[];
	/** Set for headers that were given as an object. */
	headers?: Headers;
	/** Set for those that were given as a list. */
	list?: HeaderList;
	scheme: unknown;
	authority: unknown;
	method: unknown;
}

/** Values for a request that does not specify them. */
export interface RequestDefaults {
	authority: string;
	scheme: string;
}

/** Completes the headers of a request. @throws as {@link fieldsOf}, and ERR_HTTP2_CONNECT_… */
export function preparedRequest(given: Headers | HeaderList, defaults: RequestDefaults): PreparedRequest {
	const isList = Array.isArray(given);
	const headers = isList ? pseudoOf(given) : (Object.assign(Object.create(null), given) as Headers);
	const added: Headers = {};
	const add = (name: string, value: unknown) => {
		if (headers[name] === undefined) headers[name] = added[name] = value;
	};
	add(':method', 'GET');
	if (headers[':method'] !== 'CONNECT' || headers[':protocol'] !== undefined) {
		if (authorityOf(headers) === undefined) add(':authority', defaults.authority);
		add(':scheme', defaults.scheme);
		add(':path', '/');
	} else checkConnect(headers);
	const { ':scheme': scheme, ':method': method } = headers;
	const prepared = { scheme, method, authority: authorityOf(headers) };
	if (!isList) return { ...prepared, headers, fields: fieldsOf(headers) };
	const list: HeaderList = [...Object.entries(added).flat(), ...given];
	if (given[sensitiveHeaders] !== undefined) list[sensitiveHeaders] = given[sensitiveHeaders];
	return { ...prepared, list, fields: fieldsOf(list) };
}

function checkConnect(headers: Headers): void {
	if (headers[':authority'] === undefined) throw http2Error('CONNECT_AUTHORITY');
	if (headers[':scheme'] !== undefined) throw http2Error('CONNECT_SCHEME');
	if (headers[':path'] !== undefined) throw http2Error('CONNECT_PATH');
}

/** Pseudo-headers of a list. */
function pseudoOf(list: HeaderList): Headers {
	const headers = Object.create(null) as Headers;
	for (const [given, value] of entriesOf(list)) {
		const name = given.toLowerCase();
		if (PSEUDO.has(name)) headers[name] = value;
	}
	return headers;
}

/** Converts a list of names and values to an object; values of the same name become a list. */
export function headersOfList(list: HeaderList): Headers {
	const headers = Object.create(null) as Headers;
	for (const [name, value] of entriesOf(list)) {
		const known = headers[name];
		if (known === undefined) headers[name] = value;
		else if (Array.isArray(known)) known.push(value);
		else headers[name] = [known, value];
	}
	if (list[sensitiveHeaders] !== undefined) headers[sensitiveHeaders] = list[sensitiveHeaders];
	return headers;
}
