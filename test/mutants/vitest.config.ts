import { defineConfig } from 'vitest/config';

/** Patterns of test files, set by `run.mjs` for each area. */
const tests: unknown = JSON.parse(process.env['MUTANTS_TESTS'] ?? '[]');

/** In Node only: each mutant starts its tests again, which a browser would turn into minutes. */
export default defineConfig({
	test: {
		name: 'node',
		include: Array.isArray(tests) ? tests.map(String) : [],
		exclude: ['**/*.browser.test.ts', '**/node_modules/**'],
		// Half of the usual: a fault that makes a test wait in vain costs this.
		testTimeout: 30_000,
		hookTimeout: 30_000
	}
});
