import type { Configuration } from '../configuration/load.ts';
import { PAGE_FEATURES } from './permissions-policy.ts';
import { connectOrigins } from './connect-origins.ts';

/** Headers of every response of the server. */
const always = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-resource-policy': 'same-origin'
} as const;

/**
 * Headers of every API response. Some carry foreign bytes: `sandbox` takes our origin from them if a browser
 * ever displays one as a document.
 */
export const apiHeaders = {
	...always,
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'"
} as const;

/** Trusted Types policies of the page's own code and of the two libraries that write HTML. */
const TRUSTED_TYPES = [
	'svelte-trusted-html',
	'dompurify',
	'sandglass-storage',
	'sandglass-offline',
	'sandglass-inert'
].join(' ');

const WEBCONTAINER_FRAMES = 'https://stackblitz.com https://*.webcontainer-api.io';

/**
 * The page's headers.
 * @param host the checked `Host` of this request: `frame-src` names the two frames by their full addresses,
 *   since Firefox and WebKit let a frame that matches `'self'` navigate to our other pages
 * @param previews origins that previews are served from
 */
export function pageHeaders(
	configuration: Configuration,
	host: string,
	previews: readonly string[]
): Record<string, string> {
	const { SANDGLASS_WEBCONTAINER } = configuration;
	const frames = [`${host}/runner`, `${host}/preview-frame`, ...previews];
	if (SANDGLASS_WEBCONTAINER) frames.push(WEBCONTAINER_FRAMES);
	return {
		...always,
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-embedder-policy': 'require-corp',
		'permissions-policy': PAGE_FEATURES,
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
			"frame-ancestors 'none'",
			"require-trusted-types-for 'script'",
			`trusted-types ${TRUSTED_TYPES}`
		].join('; ')
	};
}
