/** Fields of errors from OpenSSL. */
export interface OpensslError extends Error {
	library: string;
	reason: string;
	code: string;
	opensslErrorStack?: string[];
}

/**
 * Creates an error like those of OpenSSL.
 *
 * @param number library and reason in eight digits
 * @param prefix the library's name in the code, if the code contains it
 * @param before errors that caused it
 */
export function opensslError(
	number: string,
	library: string,
	reason: string,
	prefix = '',
	before: readonly string[] = []
): OpensslError {
	const error = new Error(`error:${number}:${library}::${reason}`);
	const code = `ERR_OSSL_${prefix && `${prefix}_`}${reason.toUpperCase().replace(/ /g, '_')}`;
	if (before.length > 0) Object.assign(error, { opensslErrorStack: [...before] });
	return Object.assign(error, { library, reason, code });
}
