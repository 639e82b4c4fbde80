import { toHex } from '#environment/blob-id.ts';

/**
 * Removes browser globals that a program must not have: ways to create workers outside the process table, and storage
 * that opaque frames share in some browsers. Adds what Chromium omits in workers of an opaque origin.
 */
export function removeNativeGlobals(): void {
	const names = [
		'Worker',
		'SharedWorker',
		'BroadcastChannel',
		'caches',
		'CacheStorage',
		'Cache',
		'WebTransport',
		'close'
	];
	for (const name of names) {
		for (let holder: object | null = globalThis; holder; holder = Reflect.getPrototypeOf(holder)) {
			Reflect.deleteProperty(holder, name);
		}
	}
	if (typeof crypto.randomUUID !== 'function') {
		Object.defineProperty(crypto, 'randomUUID', { value: randomUuid, configurable: true, writable: true });
	}
}

/** A version 4 UUID, RFC 9562. */
function randomUuid(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	bytes[6] = (bytes[6]! & 0x0f) | 0x40;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = toHex(bytes);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
