import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '#server/configuration/load.ts';
import { apiHeaders, pageHeaders } from '#server/page/headers.ts';
import { PAGE_FEATURES } from '#server/page/permissions-policy.ts';
import { closedPolicies, hostPolicies, sitePolicies } from '#server/preview/policies.ts';

/** Sources of each directive of a policy. */
function directives(headers: Readonly<Record<string, string>>): Record<string, string> {
	const policy = headers['content-security-policy'] ?? '';
	return Object.fromEntries(
		policy.split('; ').map((directive) => {
			const [name = '', ...sources] = directive.split(' ');
			return [name, sources.join(' ')];
		})
	);
}

const page = (environment: Record<string, string> = {}, previews: string[] = []) =>
	pageHeaders(loadConfiguration(environment), 'http://localhost:5173', previews);

describe('the page', () => {
	it('runs its own code alone, in a policy that names its frames and trusted types', () => {
		expect(directives(page({}, ['http://localhost:5174']))).toEqual({
			'default-src': "'self'",
			'img-src': "'self' data: blob:",
			'style-src': "'self' 'unsafe-inline'",
			'script-src': "'self' 'wasm-unsafe-eval'",
			'worker-src': "'self' blob:",
			'connect-src':
				"'self' https://api.anthropic.com https://api.openai.com https://generativelanguage.googleapis.com",
			'frame-src': 'http://localhost:5173/runner http://localhost:5173/preview-frame http://localhost:5174',
			'object-src': "'none'",
			'base-uri': "'none'",
			'form-action': "'self'",
			'frame-ancestors': "'none'",
			'require-trusted-types-for': "'script'",
			'trusted-types': 'svelte-trusted-html dompurify sandglass-storage sandglass-offline sandglass-inert'
		});
	});

	it('is isolated, sends no referrer and takes no type but the one that is said', () => {
		const { 'content-security-policy': _policy, 'permissions-policy': features, ...others } = page();
		expect(others).toEqual({
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cross-origin-resource-policy': 'same-origin',
			'cross-origin-opener-policy': 'same-origin',
			'cross-origin-embedder-policy': 'require-corp'
		});
		expect(features).toBe(PAGE_FEATURES);
	});

	it('connects to the providers only where users may bring keys, and to what the operator names, once', () => {
		const connects = (environment: Record<string, string>) => directives(page(environment))['connect-src'];
		expect(connects({ SANDGLASS_OWN_KEYS: '0' })).toBe("'self'");
		expect(connects({ SANDGLASS_OWN_KEYS: '0', SANDGLASS_CONNECT_HOSTS: 'a.example b.example a.example' })).toBe(
			"'self' a.example b.example"
		);
		expect(connects({ SANDGLASS_CONNECT_HOSTS: 'https://api.openai.com' })?.split(' ')).toHaveLength(4);
	});

	it('embeds WebContainer only where the operator chose it', () => {
		const frames = (environment: Record<string, string>) => directives(page(environment))['frame-src'];
		expect(frames({})).not.toContain('stackblitz');
		expect(frames({ SANDGLASS_WEBCONTAINER: '1' })).toMatch(
			/ https:\/\/stackblitz\.com https:\/\/\*\.webcontainer-api\.io$/
		);
	});
});

it('lets no document of the API keep our origin', () => {
	expect(apiHeaders).toEqual({
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		'cross-origin-resource-policy': 'same-origin',
		'cache-control': 'no-store',
		'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'"
	});
});

describe('a preview', () => {
	const hosts = ['http://localhost:5173', 'http://127.0.0.1:5173'];
	const SHARED = {
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		'origin-agent-cluster': '?1',
		'cross-origin-embedder-policy': 'require-corp',
		'cross-origin-resource-policy': 'cross-origin',
		'connection-allowlist': '(response-origin)',
		'x-dns-prefetch-control': 'off'
	};

	it('is a site that reaches only itself, and that only our page embeds', () => {
		const { 'content-security-policy': _policy, ...others } = sitePolicies(hosts);
		expect(others).toEqual(SHARED);
		expect(directives(sitePolicies(hosts))).toEqual({
			'default-src': "'self' data: blob:",
			'script-src': "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob: data:",
			'style-src': "'self' 'unsafe-inline' data: blob:",
			'connect-src': "'self' data: blob:",
			'frame-src': "'self' data: blob:",
			'worker-src': "'self' blob:",
			'form-action': "'self'",
			'object-src': "'none'",
			'frame-ancestors': `'self' ${hosts.join(' ')}`
		});
	});

	it('is held by a document that no site can embed a second time', () => {
		const { 'content-security-policy': _policy, ...others } = hostPolicies(hosts);
		expect(others).toEqual({ ...SHARED, 'cache-control': 'no-cache' });
		expect(directives(hostPolicies(hosts))).toEqual({
			'default-src': "'none'",
			'script-src': "'unsafe-inline'",
			'style-src': "'unsafe-inline'",
			'worker-src': "'self'",
			'frame-src': "'self'",
			'form-action': "'none'",
			'base-uri': "'none'",
			'frame-ancestors': hosts.join(' ')
		});
	});

	it('has nothing on the server itself', () => {
		expect(closedPolicies).toEqual({
			...SHARED,
			'cache-control': 'no-cache',
			'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
		});
	});
});
