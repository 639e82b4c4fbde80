type Value = string | number | boolean | bigint | null | undefined;

/** `node:querystring`. */
export function parse(
	text: string,
	separator = '&',
	equals = '=',
	options?: { maxKeys?: number; decodeURIComponent?: (text: string) => string }
) {
	const result: Record<string, string | string[]> = Object.create(null);
	const decode = options?.decodeURIComponent ?? unescape;
	const limit = options?.maxKeys ?? 1000;
	const pairs = String(text ?? '').split(separator);
	for (const pair of limit > 0 ? pairs.slice(0, limit) : pairs) {
		if (!pair) continue;
		const at = pair.indexOf(equals);
		const key = decode((at < 0 ? pair : pair.slice(0, at)).replaceAll('+', ' '));
		const value = at < 0 ? '' : decode(pair.slice(at + equals.length).replaceAll('+', ' '));
		const before = result[key];
		result[key] = before === undefined ? value : [before, value].flat();
	}
	return result;
}

export function stringify(
	values: Record<string, Value | Value[]>,
	separator = '&',
	equals = '=',
	options?: { encodeURIComponent?: (text: string) => string }
) {
	const encode = options?.encodeURIComponent ?? escape;
	const shown = (value: Value) => (value === null || value === undefined ? '' : encode(String(value)));
	return Object.entries(values ?? {})
		.flatMap(([key, value]) => [value].flat().map((one) => `${encode(key)}${equals}${shown(one)}`))
		.join(separator);
}

export function escape(text: string): string {
	return encodeURIComponent(text);
}

export function unescape(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		// Malformed escapes stay as they are.
		return text;
	}
}

export { parse as decode, stringify as encode };
