import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

export type Verdict = 'passed' | 'failed' | 'skipped';

/** Output of `jest --json`, as far as it is used. */
const jestReport = z.object({
	testResults: z.array(
		z.object({
			name: z.string(),
			assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() }))
		})
	)
});
/** A suite's line in uvu's report: its name, if any, a mark for each test, and the numbers of passed and all tests. */
const UVU_SUITE = /^(?: (.*?) )?\s*((?:[•✘] )+)\s+\(\d+ \/ \d+\)$/;

/** Start of a suite, written by Node's runner before its tests, or by vitest around them. */
const SUBTEST = /^( *)(?:# Subtest: (.*)|(?:not )?ok \d+ - (.*?)(?: # time=\S+)? \{)$/;
const RESULT = /^( *)(not )?ok \d+(?: - | )?(.*?)(?: +# time=\S+)?(?: +# (SKIP|TODO)\b.*)?$/i;
const INDENT = 4;
const INSIDE = ' > ';

/** A line of `pytest -rA`. */
const PYTEST = /^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) ([^\s[]+::[^\s[]+(?:\[.*?\](?= - |$))?)(?: - .*)?$/;

/**
 * Parses the verdicts of a report by the tests' full names: TAP, or the output of `jest --json`, uvu or `pytest -rA`.
 */
export function parseVerdicts(text: string): Map<string, Verdict> {
	if (text.startsWith('{"')) return parseJest(text);
	const plain = stripVTControlCharacters(text);
	if (plain.split('\n').some((line) => PYTEST.test(line))) return parsePytest(plain);
	return plain.split('\n').some((line) => UVU_SUITE.test(line)) ? parseUvu(plain) : parseTap(text);
}

function parseJest(text: string): Map<string, Verdict> {
	const verdicts = new Map<string, Verdict>();
	for (const { name, assertionResults } of jestReport.parse(JSON.parse(text)).testResults)
		for (const { fullName, status } of assertionResults) {
			const verdict = status === 'passed' || status === 'failed' ? status : 'skipped';
			verdicts.set(unused(verdicts, `${name}${INSIDE}${fullName}`), verdict);
		}
	return verdicts;
}

function parsePytest(text: string): Map<string, Verdict> {
	const verdicts = new Map<string, Verdict>();
	for (const line of text.split('\n')) {
		const [, word, name] = PYTEST.exec(line) ?? [];
		if (name === undefined) continue;
		const verdict = word === 'PASSED' ? 'passed' : word === 'FAILED' || word === 'ERROR' ? 'failed' : 'skipped';
		verdicts.set(unused(verdicts, name), verdict);
	}
	return verdicts;
}

/** uvu only names failing tests: here all are numbered, per suite. */
function parseUvu(text: string): Map<string, Verdict> {
	const verdicts = new Map<string, Verdict>();
	for (const line of text.split('\n')) {
		const [, suite = '', marks = ''] = UVU_SUITE.exec(line) ?? [];
		for (const mark of marks.split(' ').filter((one) => one !== ''))
			verdicts.set(unused(verdicts, `${suite}${INSIDE}test`), mark === '•' ? 'passed' : 'failed');
	}
	return verdicts;
}

/**
 * Parses the verdicts of a TAP report by the tests' full names. Suites are omitted, since they only summarize; repeated
 * names get a number.
 */
export function parseTap(text: string): Map<string, Verdict> {
	const verdicts = new Map<string, Verdict>();
	const around: string[] = [];
	const suites = new Set<string>();
	for (const line of text.split('\n')) {
		const [, subtestIndent = '', above, before] = SUBTEST.exec(line) ?? [];
		const subtest = above ?? before;
		if (subtest !== undefined) {
			around.length = Math.min(around.length, depthOf(subtestIndent));
			around.push(subtest);
			continue;
		}
		const [, indent, not, title = '', directive] = RESULT.exec(line) ?? [];
		if (indent === undefined) continue;
		const parents = around.slice(0, depthOf(indent));
		for (let depth = 1; depth <= parents.length; depth++) suites.add(parents.slice(0, depth).join(INSIDE));
		const name = unused(verdicts, [...parents, title].join(INSIDE));
		verdicts.set(name, directive ? 'skipped' : not ? 'failed' : 'passed');
	}
	for (const suite of suites) verdicts.delete(suite);
	return verdicts;
}

const depthOf = (indent: string) => Math.floor(indent.length / INDENT);

function unused(verdicts: Map<string, Verdict>, name: string): string {
	let candidate = name;
	for (let number = 2; verdicts.has(candidate); number++) candidate = `${name} (${number})`;
	return candidate;
}

export interface Comparison {
	/** Number of tests that pass natively. */
	native: number;
	/** Of these, the number that also pass here. */
	same: number;
	/** Pass natively, fail here. */
	red: string[];
	/** Pass natively, and have no verdict here. */
	missing: string[];
	/** Fail natively, pass here. */
	green: string[];
}

export function compareVerdicts(native: Map<string, Verdict>, here: Map<string, Verdict>): Comparison {
	const names = (wanted: Verdict, found: Verdict | undefined) =>
		[...native].flatMap(([name, verdict]) => (verdict === wanted && here.get(name) === found ? [name] : []));
	const same = names('passed', 'passed').length;
	const red = names('passed', 'failed');
	const missing = [...names('passed', undefined), ...names('passed', 'skipped')];
	return { native: same + red.length + missing.length, same, red, missing, green: names('failed', 'passed') };
}
