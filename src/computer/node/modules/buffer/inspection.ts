import { Buffer } from 'buffer';
import { inspect, type InspectOptions } from 'node-inspect-extracted';

/** `buffer.INSPECT_MAX_BYTES`, which programs can set. */
export const inspection = { maxBytes: 50 };

/** Formats bytes as `<Buffer 01 02 ... 3 more bytes>`, with the properties a program added to the object. */
function show(this: Buffer, _depth?: number, options?: InspectOptions): string {
	const { maxBytes } = inspection;
	const shown = Array.from(this.subarray(0, maxBytes), (byte) => byte.toString(16).padStart(2, '0'));
	const left = this.length - maxBytes;
	if (left > 0) shown.push(`... ${left} more byte${left > 1 ? 's' : ''}`);
	const own = options ? Object.keys(this).filter((key) => !/^\d+$/.test(key)) : [];
	const extras = own.map((key) => {
		const text = inspect(
			{ [key]: Reflect.get(this, key) as unknown },
			{ ...options, breakLength: Infinity, compact: true }
		);
		return text.slice(2, -2);
	});
	return `<${this.constructor.name} ${[shown.join(' '), ...extras].filter(Boolean).join(', ')}>`;
}

/** Adds the hook for `util.inspect` to `Buffer`. */
export function defineInspection(): void {
	Object.assign(Buffer.prototype, { [Symbol.for('nodejs.util.inspect.custom')]: show, inspect: show });
}
