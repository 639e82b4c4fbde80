import type { Configuration } from '../configuration/load.ts';
import { connectOrigins } from './connect-origins.ts';

/** On every answer of the server, whatever it is. */
const always = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-resource-policy': 'same-origin'
} as const;

/**
 * On every API answer. Some carry bytes of strangers: `sandbox` takes our origin from them should a
 * browser ever show one as a document.
 */
export const apiHeaders = {
	...always,
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'"
} as const;

const WEBCONTAINER_FRAMES = 'https://stackblitz.com https://*.webcontainer-api.io';

/**
 * The page's headers.
 * @param host the checked `Host` of this request: `frame-src` names the two frames by their full
 *   addresses, since Firefox and WebKit let a frame that matches `'self'` go on to our other pages
 */
export function pageHeaders(
	configuration: Configuration,
	host: string,
	preview: string | null
): Record<string, string> {
	const { SANDGLASS_WEBCONTAINER } = configuration;
	const frames = [`${host}/runner`, `${host}/preview-frame`];
	if (preview !== null) frames.push(preview);
	if (SANDGLASS_WEBCONTAINER) frames.push(WEBCONTAINER_FRAMES);
	return {
		...always,
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-embedder-policy': 'require-corp',
		'content-security-policy': [
			"default-src 'self'",
			"img-src 'self' data: blob:",
			"style-src 'self' 'unsafe-inline'",
			"script-src 'self' 'wasm-unsafe-eval'",
			"worker-src 'self' blob:",
			["connect-src 'self'", ...connectOrigins(configuration)].join(' '),
			`frame-src ${frames.join(' ')}`,
			"object-src 'none'",
			"base-uri 'none'",
			"form-action 'self'",
			"frame-ancestors 'none'"
		].join('; ')
	};
}
