/**
 * A request this server will not serve, in the words its caller gets to see.
 * Answered as `{ error: { type: code, message } }` with `X-Sandglass-Error: <code>`, so that the page
 * can tell our refusal from an answer of the host behind us.
 */
export class Refusal extends Error {
	override readonly name = 'Refusal';

	/**
	 * @param status HTTP status, 4xx, or 502/504 when the host behind us failed
	 * @param code short word for programs, `snake_case`
	 * @param message a sentence and a next step, without secrets
	 * @param headers further response headers, such as `Retry-After`
	 * @param cause for the log only
	 */
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly headers: Readonly<Record<string, string>> = {},
		cause?: unknown
	) {
		super(message, { cause });
	}
}
