import { expect, it } from 'vitest';
import { readSettings, unhonoured } from '#computer/test-runners/settings.ts';
import { TOOLS } from '#computer/test-runners/tool.ts';

const { jest, vitest } = TOOLS;

it('names the keys of a configuration that tests depend on and that do not count', () => {
	const config = {
		testMatch: ['<rootDir>/test/**/*.js'],
		roots: ['test'],
		testRegex: 'test/.*',
		testPathIgnorePatterns: ['old'],
		clearMocks: true,
		verbose: true,
		collectCoverageFrom: ['src'],
		preset: null
	};
	expect(unhonoured(jest, config)).toEqual(['clearMocks', 'roots', 'testPathIgnorePatterns', 'testRegex']);
	expect(readSettings(jest, config).include).toEqual(['test/**/*.js']);
	const test = { include: ['a.test.ts'], alias: {}, coverage: {}, retry: 2, globalSetup: './setup.ts' };
	expect(unhonoured(vitest, { plugins: [], test })).toEqual(['globalSetup', 'retry']);
});

it('names none where there is nothing to name', () => {
	for (const config of [null, undefined, {}, 'text', { testTimeout: 1_000 }])
		expect(unhonoured(jest, config)).toEqual([]);
	for (const config of [null, {}, { plugins: [] }, { test: { globals: true } }])
		expect(unhonoured(vitest, config)).toEqual([]);
});
