import { Buffer } from 'buffer';
import { invalidArgument } from '../../runtime/errors.ts';
import { checkBytes } from './checks.ts';
import { checkEncoding, encodingOf } from './encodings.ts';

const VALUE = 'one of type number or string or an instance of Buffer or Uint8Array';
const [LOWEST, HIGHEST] = [-0x80000000, 0x7fffffff];

interface Search {
	isForward: boolean;
	/** First position to check; a negative one counts from the end. */
	from: number;
	encoding: BufferEncoding;
}

/**
 * Position at which a search for `count` bytes starts, with Node's rules for positions beyond the ends; -1 if there is
 * none.
 */
function startOf(length: number, { from, isForward }: Search, count: number): number {
	if (from < 0) return from + length >= 0 ? from + length : isForward || count === 0 ? 0 : -1;
	if (from + count <= length) return from;
	return count === 0 ? length : isForward ? -1 : length - 1;
}

function searchNumber(bytes: Uint8Array, value: number, search: Search): number {
	const start = startOf(bytes.length, search, 1);
	if (start < 0 || bytes.length === 0) return -1;
	const find = search.isForward ? Uint8Array.prototype.indexOf : Uint8Array.prototype.lastIndexOf;
	return find.call(bytes, value & 0xff, start);
}

function searchBytes(bytes: Uint8Array, wanted: Uint8Array, search: Search): number {
	const { length } = wanted;
	const start = startOf(bytes.length, search, length);
	if (length === 0) return start;
	const last = bytes.length - length;
	if (start < 0 || last < 0 || (search.isForward && start > last)) return -1;
	// Text with two bytes per character is only found at character boundaries.
	const step = search.encoding === 'utf16le' ? 2 : 1;
	if (step === 2 && length < 2) return -1;
	const isAt = (place: number): boolean => {
		for (let at = 1; at < length; at++) if (bytes[place + at] !== wanted[at]) return false;
		return true;
	};
	const first = wanted[0] ?? 0;
	const next = search.isForward
		? (from: number) => bytes.indexOf(first, from)
		: (from: number) => (from < 0 ? -1 : bytes.lastIndexOf(first, from));
	let place = next(search.isForward ? start - (start % step) : Math.min(start, last));
	while (place >= 0 && place <= last) {
		if (place % step === 0 && isAt(place)) return place;
		place = next(search.isForward ? place + 1 : place - 1);
	}
	return -1;
}

/** Searches by Node's rules. @throws ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING */
function search(bytes: unknown, value: unknown, offset: unknown, encoding: unknown, isForward: boolean): number {
	checkBytes(bytes, 'buffer');
	const name = typeof offset === 'string' ? offset : encoding;
	const given = typeof offset === 'string' ? NaN : Math.min(Math.max(Number(offset), LOWEST), HIGHEST);
	const from = Number.isNaN(given) ? (isForward ? 0 : bytes.length) : Math.trunc(given);
	if (typeof value === 'number') return searchNumber(bytes, value >>> 0, { isForward, from, encoding: 'utf8' });
	if (typeof value === 'string') {
		const known = name === undefined ? 'utf8' : checkEncoding(name);
		return searchBytes(bytes, Buffer.from(value, known), { isForward, from, encoding: known });
	}
	if (!(value instanceof Uint8Array)) throw invalidArgument('value', VALUE, value);
	return searchBytes(bytes, value, { isForward, from, encoding: encodingOf(name) ?? 'utf8' });
}

/** Adds `indexOf`, `lastIndexOf` and `includes` to `Buffer`, which accept any Uint8Array and may be called on one. */
export function defineSearching(): void {
	Object.assign(Buffer.prototype, {
		indexOf(value: unknown, offset?: unknown, encoding?: unknown) {
			return search(this, value, offset, encoding, true);
		},
		lastIndexOf(value: unknown, offset?: unknown, encoding?: unknown) {
			return search(this, value, offset, encoding, false);
		},
		includes(value: unknown, offset?: unknown, encoding?: unknown) {
			return search(this, value, offset, encoding, true) !== -1;
		}
	});
}
