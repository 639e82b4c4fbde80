import { ShareError } from './errors.ts';

/** Maximum number of values in one share's JSON: a session of 10,000 tool calls has about 1,000,000. */
export const MAX_JSON_VALUES = 8_000_000;
/**
 * Maximum nesting of arrays and objects: enough for a tool's arguments, plus some margin. Parsing and copying recurse
 * this deep.
 */
export const MAX_JSON_DEPTH = 100;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts values and nesting of JSON in one pass over its bytes, before it is parsed: a few compressed kilobytes
 * can unpack to hundreds of millions of tiny objects, or to objects nested deeply enough to overflow the stack.
 *
 * @throws ShareError `too_complex` past the limits
 */
export function assertJsonWithinLimits(
	json: Uint8Array,
	{ values = MAX_JSON_VALUES, depth = MAX_JSON_DEPTH }: { values?: number; depth?: number } = {}
): void {
	let [seen, nesting, inString] = [0, 0, false];
	for (let index = 0; index < json.length; index++) {
		const byte = json[index];
		if (inString) {
			if (byte === BACKSLASH) index++;
			else if (byte === QUOTE) inString = false;
		} else if (byte === QUOTE) inString = true;
		else if (byte === COMMA || byte === COLON) seen++;
		else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
			seen++;
			nesting++;
			if (nesting > depth) throw new ShareError('too_complex', `nested more than ${depth} deep`);
		} else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) nesting--;
		if (seen > values) throw new ShareError('too_complex', `more than ${values} values`);
	}
}
