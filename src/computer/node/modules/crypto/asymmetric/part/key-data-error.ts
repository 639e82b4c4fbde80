/** Data that are no key: tells what comes from outside and is wrong from a bug. */
export class KeyDataError extends Error {
	override readonly name = 'KeyDataError';
}

/** Runs a reader of a library that has no error of its own for data. @throws KeyDataError */
export function readingKey<Result>(run: () => Result): Result {
	try {
		return run();
	} catch (cause) {
		throw new KeyDataError('no key of this kind', { cause });
	}
}
