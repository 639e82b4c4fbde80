/**
 * A request this server refuses, with the message its caller sees. Sent as `{ error: { type: code, message } }`
 * with `X-Sandglass-Error: <code>`, so that the page can distinguish our refusal from a response of the
 * upstream host.
 */
export class Refusal extends Error {
	override readonly name = 'Refusal';

	/**
	 * @param status HTTP status, 4xx, or 502/504 when the upstream host failed
	 * @param code short machine-readable code, `snake_case`
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
