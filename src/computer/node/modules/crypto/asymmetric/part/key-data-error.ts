/** Data that are not a valid key: distinguishes invalid external data from a bug. */
export class KeyDataError extends Error {
	override readonly name = 'KeyDataError';
}

/** Runs a parser of a library that has no error of its own for invalid data. @throws KeyDataError */
export function readingKey<Result>(run: () => Result): Result {
	try {
		return run();
	} catch (cause) {
		throw new KeyDataError('no key of this kind', { cause });
	}
}
