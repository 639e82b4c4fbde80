import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserCommand } from 'vitest/node';
import { environmentOf, prepareNative, runNatively } from './native.ts';
import { casesOf, joinParts, keepPart, partOf } from './parts.ts';
import { writeReport } from './report.ts';
import { unpackSource } from './source-package.ts';
import { type Answer, type Case, CASE_LIMIT_MS, type LoadedSuite, type Suite } from './suite.ts';
import { suites } from './suites.ts';

/** A suite as sent to the tab. */
export interface ShippedSuite {
	root: string;
	limitMs: number;
	files: LoadedSuite['files'];
	binaries: NonNullable<LoadedSuite['binaries']>;
	cases: (Case & { env: Record<string, string> })[];
}

interface Opened {
	suite: Suite;
	loaded: LoadedSuite;
	root: string;
	native: (Answer | null)[];
	peer: Answer[];
}

/** Number of cases that the real shell runs in parallel: many of them only wait. */
const NATIVE_AT_ONCE = 4;

const opened = new Map<string, Opened>();
/** Names of cases to run, or `failing`, while working on them; the report is only written for complete runs. */
const only = process.env['CONFORMANCE_ONLY'];

/** Runs only a part of the cases; the report is written after the last part. */
const part = partOf(process.env['CONFORMANCE_PART']);

const limitOf = (suite: Suite) => suite.limitMs ?? CASE_LIMIT_MS;

function isWanted(suite: Suite): (name: string) => boolean {
	if (only !== 'failing') return (name) => only === undefined || new RegExp(only).test(name);
	const failing = new Set(readFileSync(`test/conformance/${suite.name}.failing.txt`, 'utf8').split('\n'));
	return (name) => failing.has(name) || [...failing].some((one) => one.startsWith(`${name} `));
}

function folderOf(suite: Suite): string {
	const given = process.env[suite.place];
	if (given) return given;
	const folder = path.resolve('.cache/conformance', suite.name);
	if (suite.sourcePackage) unpackSource(suite.sourcePackage, folder);
	else if (!existsSync(folder)) {
		const { status } = spawnSync('git', ['clone', '--depth', '1', suite.repository, folder], { stdio: 'inherit' });
		if (status !== 0) throw new Error(`${suite.title}: set ${suite.place} to a folder that holds ${suite.repository}.`);
	}
	return folder;
}

const conformanceSuites: BrowserCommand<[]> = () => {
	const wanted = (process.env['CONFORMANCE_SUITES'] ?? '').split(' ').filter(Boolean);
	for (const name of wanted) if (!suites.has(name)) throw new Error(`There is no suite ${name}.`);
	return wanted.length ? wanted : [...suites.keys()];
};

const openConformance: BrowserCommand<[name: string]> = async (_context, name): Promise<ShippedSuite> => {
	const suite = suites.get(name);
	if (!suite) throw new Error(`There is no suite ${name}.`);
	const all = await suite.load(folderOf(suite));
	const wanted = isWanted(suite);
	const chosen = all.cases.filter(({ name }) => wanted(name));
	const loaded = { ...all, cases: part ? casesOf(chosen, part) : chosen };
	const root = `/tmp/conformance-${process.pid}-${name}`;
	await prepareNative(loaded, root);
	opened.set(name, { suite, loaded, root, native: [], peer: [] });
	const cases = loaded.cases.map((one, index) => ({ ...one, env: environmentOf(loaded, root, index) }));
	return { root, limitMs: limitOf(suite), files: loaded.files, binaries: loaded.binaries ?? {}, cases };
};

/** Runs a range of cases in the real shell, twice: an answer that differs is not used (null). */
const answerNatively: BrowserCommand<[name: string, from: number, to: number]> = async (_context, name, from, to) => {
	const run = opened.get(name);
	if (!run) return;
	const left = run.loaded.cases.slice(from, to).entries();
	const work = async () => {
		for (const [offset, one] of left) {
			const index = from + offset;
			const answer = await runNatively(run.loaded, run.root, index, one, limitOf(run.suite));
			run.native[index] = null;
			if (run.loaded.isCase?.(answer) === false) continue;
			const again = await runNatively(run.loaded, run.root, index, one, limitOf(run.suite));
			if (isSame(run.loaded, answer, again)) run.native[index] = answer;
			if (run.suite.peer) run.peer[index] = await run.suite.peer.answer(run.root, one.name, limitOf(run.suite));
		}
	};
	await Promise.all(Array.from({ length: NATIVE_AT_ONCE }, work));
};

/** Tells whether the real program answers the same twice: identical output, or the same passed assertions. */
function isSame({ assertions }: LoadedSuite, one: Answer, other: Answer): boolean {
	if (!assertions) return one.stdout === other.stdout && one.status === other.status;
	const [first, second] = [assertions(one), assertions(other)];
	return first.size === second.size && [...first].every((name) => second.has(name));
}

/** Compares both sides. Returns a one-line summary of the run. */
const reportConformance: BrowserCommand<[name: string, answers: Answer[]]> = async (_context, name, answers) => {
	const run = opened.get(name);
	if (!run) throw new Error(`The suite ${name} was not opened.`);
	if (!part) return writeReport({ ...run, answers, isWhole: only === undefined });
	await keepPart(name, part, { native: run.native, answers, peer: run.peer });
	const all = await run.suite.load(folderOf(run.suite));
	const joined = await joinParts(name, part, all.cases);
	if (!joined) return `${run.suite.title}: part ${part.number} of ${part.of}`;
	return writeReport({ ...run, loaded: all, ...joined, isWhole: only === undefined });
};

export const conformanceCommands = { conformanceSuites, openConformance, answerNatively, reportConformance };
