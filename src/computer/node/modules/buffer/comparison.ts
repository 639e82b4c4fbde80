import { Buffer } from 'buffer';
import { checkBytes, checkOffset } from './checks.ts';

function order(one: Uint8Array, other: Uint8Array): -1 | 0 | 1 {
	const shared = Math.min(one.length, other.length);
	let at = 0;
	while (at < shared && one[at] === other[at]) at++;
	const difference = at < shared ? (one[at] ?? 0) - (other[at] ?? 0) : one.length - other.length;
	return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

/** Adds the comparison methods to `Buffer`, with Node's checks. */
export function defineComparison(): void {
	Object.assign(Buffer, {
		compare(buf1: unknown, buf2: unknown) {
			checkBytes(buf1, 'buf1');
			checkBytes(buf2, 'buf2');
			return order(buf1, buf2);
		}
	});
	Object.assign(Buffer.prototype, {
		compare(this: Uint8Array, target: unknown, targetStart?: unknown, targetEnd?: unknown, ...source: unknown[]) {
			checkBytes(target, 'target');
			const [sourceStart, sourceEnd] = source;
			const [from, to] = stretch('target', targetStart, targetEnd, target.length);
			const [ownFrom, ownTo] = stretch('source', sourceStart, sourceEnd, this.length);
			if (ownFrom >= ownTo) return from >= to ? 0 : -1;
			return from >= to ? 1 : order(this.subarray(ownFrom, ownTo), target.subarray(from, to));
		},
		equals(this: Uint8Array, other: unknown) {
			checkBytes(other, 'otherBuffer');
			return this === other || (this.byteLength === other.byteLength && order(this, other) === 0);
		}
	});
}

function stretch(name: string, start: unknown = 0, end: unknown, length: number): [number, number] {
	const last = end === undefined ? length : end;
	checkOffset(start, `${name}Start`);
	checkOffset(last, `${name}End`, length);
	return [start, last];
}
