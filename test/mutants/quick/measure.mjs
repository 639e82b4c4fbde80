import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../server/prepare.mjs';
import { REAL_MACHINES } from '../rooms.mjs';
import { instrument } from '../sample.mjs';
import { collectKilled, decidedBefore, hashOf } from './killed.mjs';

/** A mutant that one test file notices is killed, whatever the others report. */
const RANKS = { NoCoverage: 0, Survived: 1, Timeout: 2, Killed: 3 };

/**
 * Tries every mutant of the files in processes that have their tests loaded: modules load once per test file, not per
 * mutant. The verdict is one of three: `Killed` (a test fails with the mutant and passes without it), `Timeout` (it
 * waits forever or loops endlessly) and `Survived`; `NoCoverage` means that no test reaches it, or reached it in time.
 *
 * @param {object} run
 * @param {string} run.name name of a folder below `.cache/mutants/`
 * @param {readonly string[]} run.files relative to the project
 * @param {Record<string, string>} run.own sources by the test file of the same name, which tries only these, and first
 * @param {readonly string[]} run.tests patterns of the test files that try the rest
 * @param {boolean} run.resume skips mutants of unchanged sources that earlier runs decided
 * @returns {Promise<import('@stryker-mutator/api/core').MutantResult[]>}
 */
export async function measureQuickly({ name, files, own, tests, resume }) {
	const folder = path.join(root, '.cache/mutants', name);
	const killed = collectKilled(folder, `${folder}-killed.json`);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const { sources, mutants } = await writeSources(files, folder);
	const fileOf = Object.fromEntries(mutants.map(({ id, fileName }) => [id, path.relative(root, fileName)]));
	const hashes = Object.fromEntries(files.map((file) => [file, hashOf(readFileSync(path.join(root, file), 'utf8'))]));
	const log = path.join(folder, 'verdicts.jsonl');
	const known = resume ? decidedBefore(killed, fileOf, hashes) : [];
	writeFileSync(log, known.map((line) => `${JSON.stringify(line)}\n`).join(''));
	const functions = mutants.filter(({ mutatorName }) => ['BlockStatement', 'ArrowFunction'].includes(mutatorName));
	const withFunctions = [...new Set(functions.map(({ id }) => fileOf[id]))];
	for (const stage of [
		{ tests: Object.keys(own), own },
		{ tests, own: {} }
	]) {
		if (stage.tests.length === 0) continue;
		const plan = { leftOut: REAL_MACHINES, sources, fileOf, hashes, withFunctions, own: stage.own };
		// A test file blocked by a mutant was ended with its process, and continues with the next mutant.
		for (let asked = stage.tests; asked.length > 0;) {
			const before = blockedFiles(log).length;
			writeFileSync(path.join(folder, 'plan.json'), JSON.stringify({ ...plan, tests: asked }));
			runVitest(folder);
			asked = [...new Set(blockedFiles(log).slice(before))];
		}
	}
	return withVerdicts(mutants, log);
}

/** @param {string} folder folder of the run */
function runVitest(folder) {
	const { status } = spawnSync(
		process.execPath,
		[
			path.join(root, 'node_modules/vitest/vitest.mjs'),
			'run',
			'--config',
			path.join(import.meta.dirname, 'vitest.config.ts'),
			'--root',
			root
		],
		{ stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, MUTANTS_FOLDER: folder } }
	);
	if (status === null) throw new Error('Vitest was killed before it had tried all mutants.');
}

/** Lists the test files blocked by mutants, one entry per mutant. @param {string} log @returns {string[]} */
function blockedFiles(log) {
	const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line)).flatMap(({ isBlocked, file }) => (isBlocked ? [file] : []));
}

/** @param {readonly string[]} files @param {string} folder folder for the changed sources */
async function writeSources(files, folder) {
	const result = await instrument(files.map((file) => path.join(root, file)));
	/** @type {Record<string, string>} */
	const sources = {};
	for (const [index, { name, content }] of result.files.entries()) {
		// Counting what is reached takes most of the time when mutants run: it ends after the first run.
		const counting = content.replace('function cover() {', 'function cover() { if (ns.isRepetition) return;');
		writeFileSync(path.join(folder, `${index}.ts`), counting);
		sources[name] = `${index}.ts`;
	}
	return { sources, mutants: result.mutants };
}

/** @param {import('@stryker-mutator/api/core').Mutant[]} mutants @param {string} log */
function withVerdicts(mutants, log) {
	/** @type {Map<string, keyof typeof RANKS>} */
	const verdicts = new Map();
	const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
	for (const { mutant, verdict, file, problem } of lines.map((line) => JSON.parse(line))) {
		if (problem) console.warn(`${file}: ${problem}`);
		else if (RANKS[verdicts.get(mutant) ?? 'NoCoverage'] < RANKS[/** @type {keyof typeof RANKS} */ (verdict)])
			verdicts.set(mutant, verdict);
	}
	return mutants.map(({ location: { start, end }, ...mutant }) => ({
		...mutant,
		// Positions of results start at 1, those of mutants at 0.
		location: {
			start: { line: start.line + 1, column: start.column + 1 },
			end: { line: end.line + 1, column: end.column + 1 }
		},
		status: verdicts.get(mutant.id) ?? /** @type {const} */ ('NoCoverage')
	}));
}
