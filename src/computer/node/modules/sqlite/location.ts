import { wrongScheme, wrongType } from './errors.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the name of a database as SQLite gets it: a path, or a `file:` address, whose parameters are for SQLite.
 *
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_URL_SCHEME
 */
export function databaseName(given: unknown): string {
	const refused = () => wrongType('path', 'a string, Uint8Array, or URL without null bytes');
	if (given instanceof Uint8Array) {
		if (given.includes(0)) throw refused();
		return decoder.decode(given);
	}
	const name = typeof given === 'object' && given !== null ? (Reflect.get(given, 'href') as unknown) : given;
	if (typeof name !== 'string' || name.includes('\0')) throw refused();
	if (name !== given && !name.startsWith('file:')) throw wrongScheme();
	return name;
}
