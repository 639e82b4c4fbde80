// `npm run mutants [-- room] [--files pattern,pattern] [--force]`: changes the code, one fault at a time, and counts
// which faults the tests notice. Results are stored per file, so that a run of some files only renews their rows. With
// `--quick` every mutant is tried in processes that have its tests loaded, many times as fast; with
// `--tests pattern,pattern` only these tests run, and what they do not notice is printed and not stored.
// `--quick --resume` skips what earlier quick runs killed, even interrupted ones, if the source is the same. With
// `--sample 150 --seed 1` it draws that many of the faults of the whole room, to estimate its score.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import picomatch from 'picomatch';
import { root } from '../../server/prepare.mjs';
import { keyOf } from './drawn-checker.mjs';
import { REAL_MACHINES, ROOMS } from './rooms.mjs';
import { allMutants, draw } from './sample.mjs';
import { keyOfResult, runStryker } from './stryker.mjs';
import { measureQuickly } from './quick/measure.mjs';
import { summarize, table } from './table.mjs';

const RESULTS = path.join(root, 'test/mutants/results.json');
const SAMPLES = path.join(root, 'test/mutants/samples.json');
const EQUIVALENT = path.join(root, 'test/mutants/equivalent.json');
const PAGE = path.join(root, 'docs/mutants.md');
const TABLE = '<!-- The rest of this page is written by `npm run mutants`. -->';

/** Only types and re-exports: nothing in them runs. */
const NOT_CODE = picomatch('src/**/{index,contract,types,contract-types}.ts');

/**
 * @typedef {object} Group files of an area
 * @property {string[]} files
 * @property {string[]} tests
 * @property {boolean} isNarrow whether each file has a test file of the same name
 */

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		files: { type: 'string' },
		force: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
		resume: { type: 'boolean', default: false },
		tests: { type: 'string' },
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' }
	}
});
process.chdir(root);

for (const room of positionals.length > 0 ? positionals : Object.keys(ROOMS)) {
	const areas = ROOMS[room];
	if (!areas) throw new Error(`There is no room "${room}". Choose one of ${Object.keys(ROOMS).join(', ')}.`);
	if (values.quick) await measureRoom(room, areas);
	else if (values.sample) await measureSample(room, areas, Number(values.sample), Number(values.seed));
	else for (const group of areas.flatMap((area) => groups(area.files, areas))) await measureAll(room, group);
}
if (!values.tests) writePage();

/**
 * Groups the requested files: those with a test file of the same name only run that, the others all tests of their
 * area.
 *
 * @param {string} pattern pattern of the area
 * @param {import('./rooms.mjs').Area[]} areas a file belongs to the first one whose pattern matches it
 * @returns {Group[]}
 */
function groups(pattern, areas) {
	const isAsked = picomatch(values.files === undefined ? '**' : patterns(values.files));
	const area = areas.find(({ files }) => files === pattern);
	const asked = sources().filter(
		(file) => isAsked(file) && areas.find(({ files }) => picomatch.isMatch(file, files)) === area
	);
	const narrow = asked.filter(hasTest);
	const wide = asked.filter((file) => !hasTest(file));
	return [
		{ files: narrow, tests: narrow.map(testOf), isNarrow: true },
		{ files: wide, tests: area?.tests ?? [], isNarrow: false }
	].filter((group) => group.files.length > 0);
}

function sources() {
	return ['src', 'server']
		.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => path.posix.join(folder, String(name))))
		.filter((file) => file.endsWith('.ts') && !NOT_CODE(file))
		.sort();
}

/** Splits at commas, except those within braces. @param {string} list */
function patterns(list) {
	return list.split(/,(?![^{]*})/);
}

/** @param {string} file */
function testOf(file) {
	return file.replace(/^(?:src\/)?/, 'test/').replace(/\.ts$/, '.test.ts');
}

/** @param {string} file */
function hasTest(file) {
	return existsSync(testOf(file)) && !picomatch.isMatch(testOf(file), REAL_MACHINES);
}

/** @param {string} room @param {Group} group */
async function measureAll(room, { files, tests }) {
	store(room, files, await runStryker({ files, tests, cache: room, force: values.force }));
}

/**
 * Tries all mutants of the room's files: first by the tests of the same names, then by those of the files' areas.
 *
 * @param {string} room
 * @param {import('./rooms.mjs').Area[]} areas
 */
async function measureRoom(room, areas) {
	const asked = areas.flatMap((area) => groups(area.files, areas));
	const files = asked.flatMap((group) => group.files);
	const named = asked.filter(({ isNarrow }) => isNarrow).flatMap((group) => group.files);
	const results = await measureQuickly({
		name: values.tests ? `quick-${room}-tests` : `quick-${room}`,
		files,
		resume: values.resume,
		own: values.tests ? {} : Object.fromEntries(named.map((file) => [testOf(file), file])),
		tests:
			(values.tests === undefined ? undefined : patterns(values.tests)) ??
			areas
				.filter(({ files: pattern }) => files.some((file) => picomatch.isMatch(file, pattern)))
				.flatMap(({ tests }) => tests)
	});
	if (values.tests) printSurvivors(results);
	else store(room, files, results);
}

/** @param {readonly import('@stryker-mutator/api/core').MutantResult[]} results */
function printSurvivors(results) {
	for (const [file, { mutants, killed, timedOut, survivors }] of Object.entries(summarize(results))) {
		console.log(`${file}: ${killed} of ${mutants} killed, ${timedOut} timed out`);
		for (const { line, code, replacement } of survivors) console.log(`\t${line}: ${code}  =>  ${replacement}`);
	}
}

/** @param {string} room @param {string[]} files @param {readonly import('@stryker-mutator/api/core').MutantResult[]} mutants */
function store(room, files, mutants) {
	const results = readJson(RESULTS);
	for (const [file, row] of Object.entries(summarize(mutants)))
		if (files.includes(file)) results[file] = { room, date: today(), ...row };
	writeFileSync(RESULTS, JSON.stringify(Object.fromEntries(Object.entries(results).sort())));
}

/**
 * Draws from all mutants of the room. Mutants not noticed by the tests of the same name also run the tests of their
 * area.
 *
 * @param {string} room
 * @param {import('./rooms.mjs').Area[]} areas
 * @param {number} count
 * @param {number} seed
 */
async function measureSample(room, areas, count, seed) {
	const all = await allMutants(areas.flatMap((area) => groups(area.files, areas).flatMap(({ files }) => files)));
	const keys = draw(all, count, seed).map(keyOf);
	/** @type {Map<string, import('@stryker-mutator/api/core').MutantResult>} */
	const results = new Map();
	/** @param {string[]} files @param {string[]} tests @param {string} width */
	const measure = async (files, tests, width) => {
		const isOf = (/** @type {string} */ key) => files.some((file) => key.startsWith(`${file} `));
		const drawn = keys.filter((key) => isOf(key) && results.get(key)?.status !== 'Killed');
		const changed = files.filter((file) => drawn.some((key) => key.startsWith(`${file} `)));
		if (drawn.length === 0) return;
		const cache = `${room}-${width}`;
		for (const mutant of await runStryker({ files: changed, tests, cache, force: values.force, drawn }))
			results.set(keyOfResult(mutant), mutant);
	};
	const narrow = areas
		.flatMap((area) => groups(area.files, areas))
		.filter(({ isNarrow }) => isNarrow)
		.flatMap(({ files }) => files);
	await measure(narrow, narrow.map(testOf), 'narrow');
	for (const [index, area] of areas.entries())
		await measure(
			groups(area.files, areas).flatMap(({ files }) => files),
			area.tests,
			`wide-${index}`
		);
	if (results.size !== keys.length)
		throw new Error(`${keys.length} mutants were drawn, and ${results.size} have results.`);
	const rows = summarize([...results.values()]);
	writeFileSync(
		SAMPLES,
		JSON.stringify([
			...readJson(SAMPLES).filter(
				(/** @type {import('./table.mjs').Sample} */ old) => old.room !== room || old.seed !== seed
			),
			{ room, seed, date: today(), all: all.length, files: rows }
		])
	);
}

function today() {
	return new Date().toISOString().slice(0, 10);
}

function writePage() {
	const [introduction = ''] = readFileSync(PAGE, 'utf8').split(TABLE);
	const tables = table(readJson(RESULTS), readJson(SAMPLES), readJson(EQUIVALENT));
	writeFileSync(PAGE, `${introduction}${TABLE}\n\n${tables}`);
	const prettier = path.join(root, 'node_modules/.bin/prettier');
	spawnSync(prettier, ['--write', '--log-level', 'warn', PAGE, RESULTS, SAMPLES], { stdio: 'inherit' });
}

/** @param {string} file */
function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}
