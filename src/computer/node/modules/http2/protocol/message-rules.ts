import type { HeaderField } from './header-table.ts';

/** Decision on a received field: `ignored` ones are dropped, `refused` ones end the stream. */
export type Verdict = 'taken' | 'ignored' | 'refused';

const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const AUTHORITY = /^[!$%&'()*+,\-.0-9:;=@A-Z[\]_a-z~]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*$/;
const PATH = /^[^\x00-\x20\x7f]*$/;
const VALUE = /^[^\x00-\x08\x0a-\x1f\x7f]*$/;
const PADDED_VALUE = /^[\t ]|[\t ]$/;

/** Fields of the connection, which only HTTP/1 has. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
const REQUEST_NAMES = new Set([':authority', ':method', ':path', ':scheme', ':protocol', 'host']);

interface Rules {
	isServer: boolean;
	/** True if values may not start or end with white space. */
	isStrict: boolean;
	/** True if this side accepts extended CONNECT requests. */
	allowsProtocol: boolean;
}

/** Kind of a header block. */
export type BlockKind = 'request' | 'response' | 'trailers';

const lengthOf = (value: string): number | null => {
	const length = /^\d+$/.test(value) ? Number(value) : -1;
	return Number.isSafeInteger(length) && length >= 0 ? length : null;
};

/** Rules of HTTP for the messages of a stream (RFC 9113, section 8). */
export class MessageRules {
	readonly #seen = new Map<string, string>();
	#hasPlainFields = false;
	#method = '';
	#status: number | null = null;
	/** Declared length of the body, in bytes. */
	#length: number | null = null;
	#received = 0;
	#expectsFinal = false;

	/** @param isPushed for streams that the server opens */
	constructor(private readonly isPushed: boolean) {}

	/** True after an informational response. */
	get expectsFinal(): boolean {
		return this.#expectsFinal;
	}

	/** Records the method of a request that this side sends. */
	sent(fields: readonly HeaderField[]): void {
		this.#method = fields.find(({ name }) => name === ':method')?.value ?? '';
	}

	/** Starts a header block. */
	start(): void {
		this.#seen.clear();
		this.#hasPlainFields = false;
	}

	/** Checks a field. Names that are no tokens and values with control characters are ignored, as in Node. */
	check(field: HeaderField, kind: BlockKind, rules: Rules): Verdict {
		const { name } = field;
		if (!NAME.test(name)) {
			this.#hasPlainFields = true;
			return name.startsWith(':') || /[A-Z]/.test(name) ? 'refused' : 'ignored';
		}
		if (!this.#hasValidValue(field, rules)) {
			this.#hasPlainFields = true;
			return name.startsWith(':') ? 'refused' : 'ignored';
		}
		if (name.startsWith(':') && (kind === 'trailers' || this.#hasPlainFields)) return 'refused';
		const isRequest = rules.isServer || kind === 'request';
		const verdict = isRequest ? this.#requestField(field, rules) : this.#responseField(field);
		if (!name.startsWith(':')) this.#hasPlainFields = true;
		return verdict;
	}

	#hasValidValue({ name, value }: HeaderField, { isServer, isStrict }: Rules): boolean {
		if (name === ':method') return TOKEN.test(value);
		if (name === ':path') return PATH.test(value);
		if (name === ':scheme') return SCHEME.test(value);
		if ((name === ':authority' || name === 'host') && isServer) return AUTHORITY.test(value);
		return VALUE.test(value) && !(isStrict && PADDED_VALUE.test(value));
	}

	#requestField(field: HeaderField, { isServer, allowsProtocol }: Rules): Verdict {
		const { name, value } = field;
		if (REQUEST_NAMES.has(name)) {
			if (name === ':protocol' && !(isServer && allowsProtocol)) return 'refused';
			if (this.#seen.has(name) || value === '') return 'refused';
			this.#seen.set(name, value);
			if (name === ':method') this.#method = value;
			return name === ':method' && value === 'CONNECT' && this.isPushed ? 'refused' : 'taken';
		}
		if (name === 'content-length') return this.#takeLength(value);
		return this.#plainField(field);
	}

	#responseField(field: HeaderField): Verdict {
		const { name, value } = field;
		if (name === ':status') {
			if (this.#seen.has(name) || !/^\d{3}$/.test(value) || value === '101') return 'refused';
			this.#seen.set(name, value);
			this.#status = Number(value);
			return 'taken';
		}
		if (name !== 'content-length') return this.#plainField(field);
		const status = this.#status ?? 0;
		if (status === 204) {
			if (this.#length !== null || value !== '0') return 'refused';
			this.#length = 0;
			return 'ignored';
		}
		if (status >= 100 && status < 200) return 'refused';
		if (this.#method === 'CONNECT' && status >= 200 && status < 300) return 'ignored';
		return this.#takeLength(value);
	}

	#takeLength(value: string): Verdict {
		const length = lengthOf(value);
		if (this.#length !== null || length === null) return 'refused';
		this.#length = length;
		return 'taken';
	}

	#plainField({ name, value }: HeaderField): Verdict {
		if (OF_CONNECTION.has(name) || name.startsWith(':')) return 'refused';
		return name === 'te' && value.toLowerCase() !== 'trailers' ? 'refused' : 'taken';
	}

	/** Ends a header block. @returns whether the message is valid */
	ended(kind: BlockKind, isLast: boolean): boolean {
		if (kind === 'trailers') return isLast && this.#hasWholeBody();
		if (kind === 'request') return this.#isRequestValid() && (!isLast || this.#hasWholeBody());
		return this.#isResponseValid() && (!isLast || this.#hasWholeBody());
	}

	#isRequestValid(): boolean {
		const has = (name: string) => this.#seen.has(name);
		const isConnect = this.#method === 'CONNECT';
		if (isConnect && !has(':protocol')) {
			this.#length = null;
			return has(':authority') && !has(':scheme') && !has(':path');
		}
		if (!has(':method') || !has(':scheme') || !has(':path')) return false;
		if (!has(':authority') && !has('host')) return false;
		if (has(':protocol') && !(isConnect && has(':authority'))) return false;
		if (!this.#hasValidPath()) return false;
		// The length in a promise is that of a body that never comes.
		if (this.isPushed) this.#length = null;
		return true;
	}

	#hasValidPath(): boolean {
		if (!/^https?$/i.test(this.#seen.get(':scheme') ?? '')) return true;
		const path = this.#seen.get(':path') ?? '';
		return path.startsWith('/') || (path === '*' && this.#method === 'OPTIONS');
	}

	#isResponseValid(): boolean {
		const status = this.#status;
		if (!this.#seen.has(':status') || status === null) return false;
		this.#expectsFinal = status < 200;
		if (this.#expectsFinal) {
			this.#length = null;
			this.#status = null;
		} else if (this.#method === 'HEAD' || status === 304 || status === 204) this.#length = 0;
		else if (this.#method === 'CONNECT') this.#length = null;
		return true;
	}

	/** Counts received bytes of the body. @returns whether it may have them */
	received(bytes: number): boolean {
		this.#received += bytes;
		return !this.#expectsFinal && (this.#length === null || this.#received <= this.#length);
	}

	/** Checks the end of the body. @returns whether it has the declared length */
	finished(): boolean {
		return this.#hasWholeBody();
	}

	#hasWholeBody(): boolean {
		return !this.#expectsFinal && (this.#length === null || this.#length === this.#received);
	}
}
