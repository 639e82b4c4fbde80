import { Buffer } from 'buffer';
import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import { checkBytes, checkNumber, MAX_LENGTH } from './checks.ts';
import { encodingOf, checkEncoding } from './encodings.ts';

const integer = (value: unknown, fallback: number) => (value === undefined ? fallback : Math.trunc(Number(value)) || 0);

function copy(this: unknown, target: unknown, targetStart?: unknown, sourceStart?: unknown, sourceEnd?: unknown) {
	checkBytes(this, 'source');
	if (!ArrayBuffer.isView(target)) throw invalidArgument('target', 'an instance of Buffer or Uint8Array', target);
	const to = integer(targetStart, 0);
	if (to < 0) throw outOfRange('targetStart', '>= 0', to);
	const from = integer(sourceStart, 0);
	if (from < 0 || from > this.length) throw outOfRange('sourceStart', `>= 0 && <= ${this.length}`, from);
	const end = integer(sourceEnd, this.length);
	if (end < 0) throw outOfRange('sourceEnd', '>= 0', end);
	if (to >= target.byteLength || from >= end) return 0;
	const part = this.subarray(from, Math.min(end, this.length, from + target.byteLength - to));
	new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(part, to);
	return part.length;
}

/** Bytes that `fill` repeats. @throws ERR_INVALID_ARG_VALUE for an empty pattern */
function pattern(value: unknown, encoding: BufferEncoding): Uint8Array {
	const bytes = typeof value === 'string' ? Buffer.from(value, encoding) : (value as Uint8Array);
	if (bytes.length > 0) return bytes;
	const shown = typeof value === 'string' ? `'${value}'` : '<Buffer >';
	throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The argument 'value' is invalid. Received ${shown}`);
}

function fill(this: Uint8Array, value: unknown, offset?: unknown, end?: unknown, given?: unknown): Uint8Array {
	let [start, stop, name] = [offset, end, given];
	if (typeof value === 'string') {
		if (start === undefined || typeof start === 'string') [start, stop, name] = [undefined, undefined, start];
		else if (typeof stop === 'string') [stop, name] = [undefined, stop];
		if (name !== undefined && name !== null && typeof name !== 'string')
			throw invalidArgument('encoding', 'of type string', name);
		if (typeof name === 'string' && name !== '') checkEncoding(name);
	}
	if (start === undefined) [start, stop] = [0, stop ?? this.length];
	checkNumber(start, 'offset', 0, MAX_LENGTH);
	stop ??= this.length;
	checkNumber(stop, 'end', 0, this.length);
	if (start >= stop) return this;
	if (value === '') value = 0;
	const isBytes = typeof value === 'string' || value instanceof Uint8Array;
	if (!isBytes) return Uint8Array.prototype.fill.call(this, Number(value) & 255, start, stop);
	const bytes = pattern(value, encodingOf(name || 'utf8') ?? 'utf8');
	for (let at = Math.trunc(start), index = 0; at < stop; at++, index = (index + 1) % bytes.length)
		this[at] = bytes[index] ?? 0;
	return this;
}

/** Adds the copying methods to `Buffer`, with Node's checks. */
export function defineCopying(): void {
	Object.assign(Buffer.prototype, { copy, fill });
	Object.assign(Buffer, {
		copyBytesFrom: (view: unknown, offset = 0, length?: number) => {
			if (!ArrayBuffer.isView(view) || view instanceof DataView)
				throw invalidArgument('view', 'an instance of TypedArray', view);
			const part = (view as Uint8Array).slice(offset, length === undefined ? undefined : offset + length);
			return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
		}
	});
}
