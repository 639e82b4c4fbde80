/**
 * Makes a view into a larger buffer (a Buffer's pool, a WASM memory) an array of its own:
 * a message would carry the whole buffer otherwise. Other values stay as they are.
 */
export function ownBytes<T>(value: T): T | Uint8Array {
	if (!(value instanceof Uint8Array)) return value;
	const whole = value.constructor === Uint8Array && value.byteLength === value.buffer.byteLength;
	return whole && value.buffer instanceof ArrayBuffer ? value : new Uint8Array(value);
}
