/** The input is no HTTP/1.1; `code` is the one of Node's parser. */
export class HttpSyntaxError extends Error {
	constructor(
		readonly code: string,
		readonly reason: string
	) {
		super(`Parse Error: ${reason}`);
	}
}
