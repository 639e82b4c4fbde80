/** The browser's `crypto`. A program's global of that name may be the module, as in `node -e`. */
export const web = globalThis.crypto;

/** Fills in pieces: `getRandomValues` accepts 64 KiB at a time. */
export function fill(target: Uint8Array): Uint8Array {
	for (let at = 0; at < target.length; at += 65_536) {
		const part = new Uint8Array(Math.min(65_536, target.length - at));
		target.set(web.getRandomValues(part), at);
	}
	return target;
}

/** Returns random bytes. */
export const random = (size: number): Uint8Array => fill(new Uint8Array(size));
