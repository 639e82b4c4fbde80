/** Headers as data, so that the production server and Vite's serve the same. */

/** On the page and all it loads: cross-origin isolation, without which there is no shared memory. */
export const PAGE_ISOLATION: Record<string, string> = {
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Embedder-Policy': 'require-corp',
	'Cross-Origin-Resource-Policy': 'same-origin'
};
