import { nodeError } from '../runtime/errors.ts';
import * as querystring from './querystring.ts';

/** Protocols whose URLs have `//` and a host. */
const SLASHED = /^(https?|ftp|gopher|file|wss?):?$/;
/** Characters that end a host and belong to the path, although they do not start one. */
const NOT_IN_HOST = /[\t\n\r "%';<>\\^`{|}]/;
const FORBIDDEN_IN_HOST = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const FORBIDDEN_IN_IPV6 = /[\0\t\n\r #%/<>?@\\^|]/;
const MAX_HOST = 255;
/** Characters escaped everywhere after the host. */
const ESCAPED = /[\t\n\r "'<>\\^`{|}]/g;

const escape = (text: string) =>
	text.replace(ESCAPED, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** `url.Url`: a parsed URL, as by `url.parse`, which predates `URL`. */
export class Url {
	protocol: string | null = null;
	slashes: boolean | null = null;
	auth: string | null = null;
	host: string | null = null;
	port: string | null = null;
	hostname: string | null = null;
	hash: string | null = null;
	search: string | null = null;
	query: unknown = null;
	pathname: string | null = null;
	path: string | null = null;
	href = '';

	/** @throws ERR_INVALID_URL, URIError */
	parse(text: string, parseQuery = false, slashesDenoteHost = false): this {
		const trimmed = text.trim();
		const question = trimmed.search(/[?#]/);
		const before = question < 0 ? trimmed : trimmed.slice(0, question);
		let rest = before.replaceAll('\\', '/') + trimmed.slice(before.length);
		if (!slashesDenoteHost && !/[#@]/.test(rest) && /^\/\/?(?!\/)[^?\s]*(\?\S*)?$/.test(rest)) {
			this.href = rest;
			this.#parsePath(rest, parseQuery);
			return this;
		}
		const protocol = /^[a-z0-9.+-]+:/i.exec(rest)?.[0] ?? '';
		const lower = protocol.toLowerCase();
		if (protocol !== '') {
			this.protocol = lower;
			rest = rest.slice(protocol.length);
		}
		const isHostless = lower === 'javascript:';
		const mayHaveHost = slashesDenoteHost || protocol !== '' || /^\/\/[^@/]+@[^@/]+/.test(rest);
		if (mayHaveHost && rest.startsWith('//') && !isHostless) {
			rest = rest.slice(2);
			this.slashes = true;
		}
		if (!isHostless && (this.slashes === true || (protocol !== '' && !SLASHED.test(protocol)))) {
			rest = this.#takeHost(rest, trimmed);
		}
		this.#parsePath(isHostless ? rest : escape(rest), parseQuery);
		const hasPath = SLASHED.test(lower) || this.hostname?.includes(':');
		if (hasPath && this.hostname && this.pathname === null) this.pathname = '/';
		if (this.pathname !== null || this.search !== null) this.path = (this.pathname ?? '') + (this.search ?? '');
		this.href = this.format();
		return this;
	}

	format(): string {
		const auth = this.auth ? `${encodeURIComponent(this.auth).replace(/%3A/gi, ':')}@` : '';
		const protocol = this.protocol ? this.protocol.replace(/:?$/, ':') : '';
		const name = this.hostname?.includes(':') && !this.hostname.startsWith('[') ? `[${this.hostname}]` : this.hostname;
		const port = this.port ? `:${this.port}` : '';
		let host = this.host ? auth + this.host : name ? auth + name + port : '';
		let pathname = (this.pathname ?? '').replace(/#/g, '%23').replace(/\?/g, '%3F');
		const isObject = typeof this.query === 'object' && this.query !== null;
		const query = isObject ? querystring.stringify(this.query as Record<string, string>) : '';
		const search = this.search || (query === '' ? '' : `?${query}`);
		if (this.slashes || SLASHED.test(protocol)) {
			if (this.slashes || host !== '') {
				if (pathname !== '' && !pathname.startsWith('/')) pathname = `/${pathname}`;
				host = `//${host}`;
			} else if (protocol === 'file:') host = '//';
		}
		const hash = this.hash ? this.hash.replace(/^#?/, '#') : '';
		return protocol + host + pathname + search.replace(/^(?=[^?])/, '?').replaceAll('#', '%23') + hash;
	}

	/** @returns what follows the host */
	#takeHost(text: string, whole: string): string {
		const end = text.search(/[#/?]/);
		const authority = end < 0 ? text : text.slice(0, end);
		const at = authority.lastIndexOf('@');
		if (at >= 0) this.auth = decodeURIComponent(authority.slice(0, at));
		const own = authority.slice(at + 1);
		const stop = own.search(NOT_IN_HOST);
		let host = stop < 0 ? own : own.slice(0, stop);
		let rest = text.slice(at + 1 + host.length);
		const port = /:\d*$/.exec(host)?.[0];
		if (port !== undefined) {
			if (port !== ':') this.port = port.slice(1);
			host = host.slice(0, -port.length);
		}
		const isIpv6 = host.startsWith('[') && host.endsWith(']');
		const colon = isIpv6 ? -1 : host.indexOf(':');
		if (colon >= 0) {
			rest = `/${host.slice(colon)}${rest}`;
			host = host.slice(0, colon);
		}
		host = host.length > MAX_HOST ? '' : host.toLowerCase();
		if ((isIpv6 ? FORBIDDEN_IN_IPV6 : FORBIDDEN_IN_HOST).test(host)) throw invalid(whole);
		if (/[^\0-\x7f]/.test(host)) host = asciiHost(host, whole);
		this.hostname = isIpv6 ? host.slice(1, -1) : host;
		this.host = host + (this.port === null ? '' : `:${this.port}`);
		return rest;
	}

	#parsePath(rest: string, parseQuery: boolean): void {
		const [, pathname = '', search, hash] = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(rest) ?? [];
		this.hash = hash ?? null;
		if (search !== undefined) {
			this.search = search;
			this.query = parseQuery ? querystring.parse(search.slice(1)) : search.slice(1);
		} else if (parseQuery) this.query = Object.create(null);
		this.pathname = pathname === '' ? null : pathname;
		if (this.pathname !== null || this.search !== null) this.path = (this.pathname ?? '') + (this.search ?? '');
	}
}

function asciiHost(host: string, whole: string): string {
	try {
		return new URL(`http://${host}`).hostname;
	} catch {
		throw invalid(whole);
	}
}

const invalid = (input: string) => Object.assign(nodeError(TypeError, 'ERR_INVALID_URL', 'Invalid URL'), { input });
