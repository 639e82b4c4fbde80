import { networkPolicies } from './network-policies.ts';

const SHARED = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'origin-agent-cluster': '?1',
	'cross-origin-embedder-policy': 'require-corp',
	'cross-origin-resource-policy': 'cross-origin',
	...networkPolicies('(response-origin)')
} as const;

/**
 * Policies of every response of the service worker: the site reaches only itself, and only our page embeds it.
 */
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

/** Policies of the document that contains the site's frame. */
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
			// Not `'self'`: a displayed site could embed a second host document.
			`frame-ancestors ${pageHosts.join(' ')}`
		].join('; ')
	};
}

/** Policies of the worker's script, and of every request that should not have reached the server. */
export const closedPolicies: Record<string, string> = {
	...SHARED,
	'cache-control': 'no-cache',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
};
