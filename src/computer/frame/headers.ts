/** Headers as data, so that the production server and Vite's serve the same. */

/** Headers of the page and everything it loads: cross-origin isolation, which shared memory requires. */
export const PAGE_ISOLATION: Record<string, string> = {
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Cross-Origin-Resource-Policy': 'same-origin'
};

/** Headers of all our frames: Firefox blocks a sandboxed frame whose CORP is `same-origin`. */
const FRAME = {
	'Content-Type': 'text/html; charset=utf-8',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Cross-Origin-Resource-Policy': 'cross-origin',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff'
};

/** Headers of `/runner`: an opaque origin whose code can reach nothing. Its workers inherit the policy. */
export const RUNNER_HEADERS: Record<string, string> = {
	...FRAME,
	'Content-Security-Policy': [
		'sandbox allow-scripts',
		"default-src 'none'",
		"script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
		'worker-src blob: data:',
		"connect-src 'none'"
	].join('; ')
};
