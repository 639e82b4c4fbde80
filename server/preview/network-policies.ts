/**
 * Headers that close the network paths which a Content-Security-Policy leaves open: navigations (their target
 * is resolved and connected to before `frame-src` refuses it), resource hints and WebRTC.
 * `Connection-Allowlist` stops all of them in Chromium 152 and later; other browsers ignore it.
 * @param allowed addresses a document may reach: `()` for none, `(response-origin)` for its own origin
 * @see https://wicg.github.io/connection-allowlists/
 */
export const networkPolicies = (allowed: '()' | '(response-origin)') =>
	({
		'connection-allowlist': allowed,
		'x-dns-prefetch-control': 'off'
	}) as const;
