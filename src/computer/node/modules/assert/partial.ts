import { isDeepEqual } from '../util/comparisons.ts';

/** Returns whether everything in `part` is also in `whole`. */
export function isPartOf(part: unknown, whole: unknown): boolean {
	if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) {
		return isDeepEqual(part, whole, true);
	}
	if (part instanceof Set && whole instanceof Set) {
		return [...part].every((value) => [...whole].some((other) => isDeepEqual(value, other, true)));
	}
	if (part instanceof Map && whole instanceof Map) {
		return [...part].every(([key, value]) => whole.has(key) && isPartOf(value, whole.get(key)));
	}
	if (Array.isArray(part)) {
		if (!Array.isArray(whole)) return false;
		let at = 0;
		return part.every((value) => {
			while (at < whole.length && !isPartOf(value, whole[at])) at++;
			return at++ < whole.length;
		});
	}
	if (part instanceof Date || part instanceof RegExp || part instanceof Error || ArrayBuffer.isView(part)) {
		return isDeepEqual(part, whole, true);
	}
	return Object.keys(part).every((key) => key in whole && isPartOf(Reflect.get(part, key), Reflect.get(whole, key)));
}
