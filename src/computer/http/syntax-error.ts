/** The input is not HTTP/1.1; `code` is that of Node's parser. */
export class HttpSyntaxError extends Error {
	constructor(
		readonly code: string,
		readonly reason: string
	) {
		super(`Parse Error: ${reason}`);
	}
}
