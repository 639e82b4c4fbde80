// `npm run mutants [-- room] [--files pattern,pattern] [--force]`: changes the code, one fault at a time, and counts
// which faults the tests notice. Results are stored per file, so that a run of some files renews only their rows.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import picomatch from 'picomatch';
import { root } from '../../server/prepare.mjs';
import { ROOMS } from './rooms.mjs';
import { summarize, table } from './table.mjs';

const RESULTS = path.join(root, 'test/mutants/results.json');
const EQUIVALENT = path.join(root, 'test/mutants/equivalent.json');
const PAGE = path.join(root, 'docs/mutants.md');
const TABLE = '<!-- The rest of this page is written by `npm run mutants`. -->';

/** Types and re-exports alone: nothing in them runs. */
const NOT_CODE = picomatch('src/**/{index,contract,types,contract-types}.ts');

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { files: { type: 'string' }, force: { type: 'boolean', default: false } }
});
process.chdir(root);

for (const room of positionals.length > 0 ? positionals : Object.keys(ROOMS)) {
	const areas = ROOMS[room];
	if (!areas) throw new Error(`There is no room "${room}". Choose one of ${Object.keys(ROOMS).join(', ')}.`);
	for (const { files, tests } of groups(areas)) await mutate(room, files, tests);
}
writePage();

/**
 * Groups the files that are asked for: those with a test file of the same name run that alone, the others all tests
 * of their area.
 *
 * @param {import('./rooms.mjs').Area[]} areas a file belongs to the first whose pattern it matches
 * @returns {{ files: string[], tests: string[] }[]}
 */
function groups(areas) {
	const isAsked = picomatch(values.files?.split(',') ?? '**');
	const sources = ['src', 'server']
		.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => path.posix.join(folder, String(name))))
		.filter((file) => file.endsWith('.ts') && !NOT_CODE(file));
	const taken = new Set();
	return areas.flatMap(({ files, tests }) => {
		const own = sources.filter((file) => !taken.has(file) && picomatch.isMatch(file, files));
		for (const file of own) taken.add(file);
		const asked = own.filter((file) => isAsked(file));
		const narrow = asked.filter((file) => existsSync(testOf(file)));
		const wide = asked.filter((file) => !existsSync(testOf(file)));
		return [
			{ files: narrow, tests: narrow.map(testOf) },
			{ files: wide, tests }
		].filter((group) => group.files.length > 0);
	});
}

/** @param {string} file */
function testOf(file) {
	return file.replace(/^(?:src\/)?/, 'test/').replace(/\.ts$/, '.test.ts');
}

/** @param {string} room @param {string[]} files @param {string[]} tests */
async function mutate(room, files, tests) {
	// Read by `vitest.config.ts` in the runner's process.
	process.env.MUTANTS_TESTS = JSON.stringify(tests);
	const mutants = await new Stryker({
		mutate: files,
		testRunner: 'vitest',
		plugins: ['@stryker-mutator/vitest-runner'],
		vitest: { configFile: 'test/mutants/vitest.config.ts' },
		coverageAnalysis: 'perTest',
		concurrency: Number(process.env.MUTANTS_CONCURRENCY ?? 1),
		incremental: true,
		incrementalFile: `.cache/mutants/${room}.json`,
		force: values.force,
		// Generous: a busy machine must not look like a fault that hangs.
		timeoutMS: 60_000,
		timeoutFactor: 4,
		dryRunTimeoutMinutes: 30,
		ignorePatterns: [
			'/dist',
			'/.cache',
			'/test-results',
			'/docs',
			'/public',
			'/deploy',
			'/src/page',
			'/test/{e2e,conformance}'
		],
		reporters: ['progress-append-only'],
		tempDirName: '.cache/stryker',
		allowConsoleColors: false
	}).runMutationTest();
	const results = readResults();
	const date = new Date().toISOString().slice(0, 10);
	for (const [file, row] of Object.entries(summarize(mutants)))
		if (files.includes(file)) results[file] = { room, date, ...row };
	writeFileSync(RESULTS, JSON.stringify(Object.fromEntries(Object.entries(results).sort())));
}

function writePage() {
	const [introduction = ''] = readFileSync(PAGE, 'utf8').split(TABLE);
	writeFileSync(PAGE, `${introduction}${TABLE}\n\n${table(readResults(), readEquivalent())}`);
	const prettier = path.join(root, 'node_modules/.bin/prettier');
	spawnSync(prettier, ['--write', '--log-level', 'warn', PAGE, RESULTS], { stdio: 'inherit' });
}

/** @returns {Record<string, import('./table.mjs').Row>} */
function readResults() {
	return JSON.parse(readFileSync(RESULTS, 'utf8'));
}

/** @returns {import('./table.mjs').Equivalent[]} */
function readEquivalent() {
	return JSON.parse(readFileSync(EQUIVALENT, 'utf8'));
}
