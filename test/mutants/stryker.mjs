import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { root } from '../../server/prepare.mjs';
import { keyOf, NOT_DRAWN } from './drawn-checker.mjs';
import { REAL_MACHINES } from './rooms.mjs';

/** A test that waits forever fails by its limit: that is a timeout too, and no proof that a test would have noticed. */
const WAITED_IN_VAIN = /(?:Test|Hook) timed out in \d+ms/;

/**
 * Inserts one fault at a time into the files and runs the tests that reach it.
 *
 * @param {object} run
 * @param {string[]} run.files
 * @param {string[]} run.tests patterns of test files
 * @param {string} run.cache file below `.cache/mutants/`: unchanged results in it are reused
 * @param {boolean} run.force runs them again anyway
 * @param {readonly string[]} [run.drawn] keys of the only mutants to run; without it all of them run
 * @returns {Promise<import('@stryker-mutator/api/core').MutantResult[]>}
 */
export async function runStryker({ files, tests, cache, force, drawn }) {
	// Read by `vitest.config.ts` in the runner's process and by `drawn-checker.mjs` in the checker's.
	process.env.MUTANTS_TESTS = JSON.stringify(tests);
	process.env.MUTANTS_LEFT_OUT = JSON.stringify(REAL_MACHINES);
	process.env.MUTANTS_DRAWN = JSON.stringify(drawn ?? []);
	process.env.MUTANTS_ROOT = root;
	const incrementalFile = `.cache/mutants/${cache}.json`;
	forgetNotDrawn(incrementalFile);
	const results = await new Stryker({
		mutate: files,
		testRunner: 'vitest',
		plugins: ['@stryker-mutator/vitest-runner', './test/mutants/drawn-checker.mjs'],
		checkers: drawn ? ['drawn'] : [],
		vitest: { configFile: 'test/mutants/vitest.config.ts' },
		coverageAnalysis: 'perTest',
		concurrency: Number(process.env.MUTANTS_CONCURRENCY ?? 1),
		incremental: true,
		incrementalFile,
		force,
		// Generous: a busy machine must not look like a hang.
		timeoutMS: 20_000,
		timeoutFactor: 4,
		dryRunTimeoutMinutes: 30,
		ignorePatterns: ['/dist', '/.cache', '/test-results', '/test/{e2e,conformance}'],
		reporters: ['progress-append-only'],
		tempDirName: '.cache/stryker',
		allowConsoleColors: false
	}).runMutationTest();
	return results
		.filter((result) => !drawn || drawn.includes(keyOfResult(result)))
		.map((result) => (WAITED_IN_VAIN.test(result.statusReason ?? '') ? { ...result, status: 'Timeout' } : result));
}

/**
 * Key of a result's mutant. Lines and columns of results start at 1, those of mutants at 0.
 *
 * @param {import('@stryker-mutator/api/core').MutantResult} result
 */
export function keyOfResult({ location: { start, end }, ...mutant }) {
	const from0 = (/** @type {{ line: number, column: number }} */ { line, column }) => ({
		line: line - 1,
		column: column - 1
	});
	return keyOf({ ...mutant, location: { start: from0(start), end: from0(end) } });
}

/** Another sample may draw mutants that this one did not. @param {string} file */
function forgetNotDrawn(file) {
	if (!existsSync(file)) return;
	const report = JSON.parse(readFileSync(file, 'utf8'));
	for (const each of Object.values(report.files))
		each.mutants = each.mutants.filter(
			(/** @type {{ statusReason?: string }} */ mutant) => mutant.statusReason !== NOT_DRAWN
		);
	writeFileSync(file, JSON.stringify(report));
}
