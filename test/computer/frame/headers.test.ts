import { expect, it } from 'vitest';
import { PAGE_ISOLATION, RUNNER_HEADERS } from '#computer/frame/headers.ts';

/** Sources of each directive. */
const directives = (policy: string): Record<string, string[]> =>
	Object.fromEntries(
		policy.split(';').map((directive) => {
			const [name = '', ...sources] = directive.trim().split(/\s+/);
			return [name, sources];
		})
	);

it('gives the page shared memory, and lets no other site embed what it loads', () => {
	expect(PAGE_ISOLATION).toEqual({
		'Cross-Origin-Opener-Policy': 'same-origin',
		'Cross-Origin-Embedder-Policy': 'require-corp',
		'Cross-Origin-Resource-Policy': 'same-origin'
	});
});

it('lets the frame of the sandbox run scripts and start workers, and neither load, connect nor keep an origin', () => {
	const { 'Content-Security-Policy': policy = '', ...others } = RUNNER_HEADERS;
	expect(directives(policy)).toEqual({
		sandbox: ['allow-scripts'],
		'default-src': ["'none'"],
		'script-src': ["'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", 'blob:'],
		'worker-src': ['blob:', 'data:'],
		'connect-src': ["'none'"]
	});
	expect(others).toEqual({
		'Content-Type': 'text/html; charset=utf-8',
		'Cross-Origin-Embedder-Policy': 'require-corp',
		// Firefox refuses a sandboxed frame with `same-origin`.
		'Cross-Origin-Resource-Policy': 'cross-origin',
		'Referrer-Policy': 'no-referrer',
		'X-Content-Type-Options': 'nosniff'
	});
});
