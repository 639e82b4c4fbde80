import { defineConfig } from 'vitest/config';

/** Patterns of test files, set by `run.mjs` for each area. */
const tests: unknown = JSON.parse(process.env['MUTANTS_TESTS'] ?? '[]');
/** Patterns of those that never run for mutants. */
const leftOut: unknown = JSON.parse(process.env['MUTANTS_LEFT_OUT'] ?? '[]');

/** In Node only: each mutant starts its tests again, which would take minutes in a browser. */
export default defineConfig({
	test: {
		name: 'node',
		include: Array.isArray(tests) ? tests.map(String) : [],
		// Loads the modules once per mutant, not per file: more than twice as fast.
		isolate: false,
		exclude: ['**/*.browser.test.ts', '**/node_modules/**', ...(Array.isArray(leftOut) ? leftOut.map(String) : [])],
		testTimeout: 60_000,
		hookTimeout: 60_000
	}
});
