import { headerValues } from './header-values.ts';
import { HttpSyntaxError } from './syntax-error.ts';

/** Control characters except the tab, and CR, which is refused separately. */
const FORBIDDEN = /[\0-\x08\x0a-\x0c\x0e-\x1f\x7f]/;
const INVALID_VALUE = 'Invalid header value char';

/**
 * Refuses lines of a request that do not end in CR and LF (RFC 9112, 2.2): another server on the way might see
 * different lines.
 * @param text first line and headers, including the empty line
 * @throws HttpSyntaxError
 */
export function checkLines(text: string): void {
	const [first = '', ...lines] = text.split('\n').slice(0, -1);
	if (!first.endsWith('\r') && first.includes(' HTTP/'))
		throw new HttpSyntaxError('HPE_INVALID_VERSION', 'Expected CRLF after version');
	if (lines.some((line) => /^[ \t]/.test(line)))
		throw new HttpSyntaxError('HPE_INVALID_HEADER_TOKEN', 'Unexpected whitespace after header value');
	const wrong = lines.find((line) => !line.endsWith('\r'));
	if (wrong === undefined) return;
	if (wrong === '') throw new HttpSyntaxError('HPE_INVALID_HEADER_TOKEN', 'Invalid header field char');
	if (/:[ \t]*$/.test(wrong)) throw new HttpSyntaxError('HPE_INVALID_HEADER_TOKEN', INVALID_VALUE);
	throw new HttpSyntaxError('HPE_CR_EXPECTED', 'Missing expected CR after header value');
}

/** Refuses headers of a request that servers could interpret in different ways. @throws HttpSyntaxError */
export function checkHeaders(headers: readonly [string, string][]): void {
	if (headers.some(([, value]) => FORBIDDEN.test(value)))
		throw new HttpSyntaxError('HPE_INVALID_HEADER_TOKEN', INVALID_VALUE);
	for (const length of headerValues(headers, 'content-length')) {
		if (length === '') throw new HttpSyntaxError('HPE_INVALID_CONTENT_LENGTH', 'Empty Content-Length');
		if (!/^\d{1,15}$/.test(length))
			throw new HttpSyntaxError('HPE_INVALID_CONTENT_LENGTH', 'Invalid character in Content-Length');
	}
	const encodings = headerValues(headers, 'transfer-encoding').flatMap((value) =>
		value.split(',').map((one) => one.trim())
	);
	if (encodings.slice(0, -1).some((encoding) => encoding.toLowerCase() === 'chunked'))
		throw new HttpSyntaxError('HPE_INVALID_TRANSFER_ENCODING', 'Invalid `Transfer-Encoding` header value');
}
