/**
 * Copies a view of a larger buffer (a Buffer's pool, a WASM memory) into an array of its own: a message would carry the
 * whole buffer otherwise. Other values are returned unchanged.
 */
export function ownBytes<T>(value: T): T | Uint8Array {
	if (!(value instanceof Uint8Array)) return value;
	const whole = value.constructor === Uint8Array && value.byteLength === value.buffer.byteLength;
	return whole && value.buffer instanceof ArrayBuffer ? value : new Uint8Array(value);
}
