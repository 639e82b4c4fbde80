/**
 * Parses the delay that a provider requests, from `retry-after-ms` or `retry-after` (seconds or an HTTP date).
 * @param headers of the response
 * @param now ms since 1970
 * @returns ms, or `undefined` if the headers contain none
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
	// Header values have no surrounding whitespace.
	const milliseconds = headers.get('retry-after-ms');
	if (milliseconds !== null && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
	const value = headers.get('retry-after');
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Parses the delay in Gemini's body: a `RetryInfo` detail with `"retryDelay": "31s"`. */
export function retryDelayInBody(body: string): number | undefined {
	const match = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body);
	return match ? Number(match[1]) * 1000 : undefined;
}
