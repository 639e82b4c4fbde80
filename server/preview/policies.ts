import { networkPolicies } from './network-policies.ts';

const SHARED = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'origin-agent-cluster': '?1',
	'cross-origin-embedder-policy': 'require-corp',
	'cross-origin-resource-policy': 'cross-origin',
	...networkPolicies('(response-origin)')
} as const;

/** On every answer the service worker makes: the site reaches itself and nothing else, and only our page embeds it. */
export function sitePolicies(pageHosts: readonly string[]): Record<string, string> {
	return {
		...SHARED,
		'content-security-policy': [
			"default-src 'self' data: blob:",
			"script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data:",
			"style-src 'self' 'unsafe-inline' data: blob:",
			"connect-src 'self' data: blob:",
			"frame-src 'self' data: blob:",
			"worker-src 'self' blob:",
			"form-action 'self'",
			"object-src 'none'",
			`frame-ancestors 'self' ${pageHosts.join(' ')}`
		].join('; ')
	};
}

/** Of the document that holds the site's frame. */
export function hostPolicies(pageHosts: readonly string[]): Record<string, string> {
	return {
		...SHARED,
		'cache-control': 'no-cache',
		'content-security-policy': [
			"default-src 'none'",
			"script-src 'unsafe-inline'",
			"style-src 'unsafe-inline'",
			"worker-src 'self'",
			"frame-src 'self'",
			"form-action 'none'",
			"base-uri 'none'",
			// Not `'self'`: a shown site could hold a second host document.
			`frame-ancestors ${pageHosts.join(' ')}`
		].join('; ')
	};
}

/** Of the worker's script, and of anything that should never have reached the server. */
export const closedPolicies: Record<string, string> = {
	...SHARED,
	'cache-control': 'no-cache',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
};
