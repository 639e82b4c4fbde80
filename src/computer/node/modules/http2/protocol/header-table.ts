/** Header field, with one byte per character. */
export interface HeaderField {
	name: string;
	value: string;
	/** Set for a value that no table may contain. */
	isSensitive?: boolean;
}

/** Static table, from index 1 (RFC 7541, appendix A): names, with values behind `=`. */
const STATIC = `:authority
:method=GET
:method=POST
:path=/
:path=/index.html
:scheme=http
:scheme=https
:status=200
:status=204
:status=206
:status=304
:status=400
:status=404
:status=500
accept-charset
accept-encoding=gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`
	.split('\n')
	.map((line): HeaderField => {
		const [name = '', value = ''] = line.split('=');
		return { name, value };
	});

const staticIndexes = new Map<string, number>();
for (const [place, { name, value }] of STATIC.entries()) {
	if (!staticIndexes.has(name)) staticIndexes.set(name, place + 1);
	staticIndexes.set(`${name}\n${value}`, place + 1);
}

/** Bytes that a field counts in a table, besides its text. */
const OVERHEAD_BYTES = 32;

/** Size of a field in a table and in the size of a header list. */
export const fieldBytes = ({ name, value }: HeaderField): number => name.length + value.length + OVERHEAD_BYTES;

/** Place of a field in the tables. */
export interface Found {
	index: number;
	/** False if only the name is the same. */
	hasValue: boolean;
}

/** Static and dynamic table of one direction of a connection. */
export class HeaderTable {
	/** Newest first. */
	readonly #fields: HeaderField[] = [];
	#bytes = 0;

	/** @param maxBytes size of the dynamic table */
	constructor(public maxBytes: number) {}

	/** Bytes of the dynamic table. */
	get bytes(): number {
		return this.#bytes;
	}

	resize(maxBytes: number): void {
		this.maxBytes = maxBytes;
		this.#shrinkTo(maxBytes);
	}

	/** Adds a field, and drops the oldest ones beyond the size; one that is larger than the table empties it. */
	add(field: HeaderField): void {
		const bytes = fieldBytes(field);
		this.#shrinkTo(this.maxBytes - bytes);
		if (bytes > this.maxBytes) return;
		this.#fields.unshift({ name: field.name, value: field.value });
		this.#bytes += bytes;
	}

	/** Field of an index; undefined outside of the tables. */
	get(index: number): HeaderField | undefined {
		return index <= STATIC.length ? STATIC[index - 1] : this.#fields[index - STATIC.length - 1];
	}

	/** @param byName does not search for the value */
	find({ name, value }: HeaderField, byName: boolean): Found | null {
		const exact = byName ? undefined : staticIndexes.get(`${name}\n${value}`);
		if (exact !== undefined) return { index: exact, hasValue: true };
		const same = byName ? -1 : this.#fields.findIndex((field) => field.name === name && field.value === value);
		if (same >= 0) return { index: STATIC.length + 1 + same, hasValue: true };
		const named = staticIndexes.get(name);
		if (named !== undefined) return { index: named, hasValue: false };
		const place = this.#fields.findIndex((field) => field.name === name);
		return place < 0 ? null : { index: STATIC.length + 1 + place, hasValue: false };
	}

	#shrinkTo(bytes: number): void {
		while (this.#bytes > Math.max(0, bytes)) {
			const last = this.#fields.pop();
			if (!last) return;
			this.#bytes -= fieldBytes(last);
		}
	}
}
