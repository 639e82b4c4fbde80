import type { Config } from '../config/config.ts';

/**
 * Value of the last of several settings that is set; null if none is.
 *
 * @param parsers by the settings' names in lower case; each may throw for an invalid value
 */
export function lastSetting<Value>(
	config: Config,
	parsers: Readonly<Record<string, (text: string) => Value>>
): Value | null {
	let found: Value | null = null;
	for (const { key, value } of config.all()) {
		const parse = Object.hasOwn(parsers, key) ? parsers[key] : undefined;
		if (parse) found = parse(value);
	}
	return found;
}
