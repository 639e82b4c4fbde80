import { plainOutput } from '#agent/tools/plain-output.ts';
import { commandOf } from '#session/share/shown-command.ts';
import type { ItemOf } from './items.ts';
import { exitCodeOf } from './output.ts';
import { runsTests } from './runs-tests.ts';

/** Result of a test run. */
export interface TestResult {
	failed: number;
	/** Skipped and pending ones do not count. */
	passed: number;
}

/** Parsers for the summaries of common runners: node:test and TAP, jest, vitest, pytest, mocha, unittest, cargo. */
const RUNNERS: readonly ((output: string) => TestResult | null)[] = [
	(output) => both(last(output, /^(?:ℹ|#) pass (\d+)$/gm), last(output, /^(?:ℹ|#) fail (\d+)$/gm)),
	(output) => counted(lastLine(output, /^\s*Tests:? +(?=\d).*$/gm)),
	(output) => counted(lastLine(output, /^(?:=+ )?(?=.*\d+ (?:passed|failed))[^\n]* in [\d.]+s.*$/gm)),
	(output) => {
		const passed = last(output, /^\s*(\d+) passing\b.*$/gm);
		return passed === null ? null : { passed, failed: last(output, /^\s*(\d+) failing\b.*$/gm) ?? 0 };
	},
	(output) => {
		const ran = last(output, /^Ran (\d+) tests? in /gm);
		if (ran === null) return null;
		const bad = lastLine(output, /^FAILED \(.*\)$/gm) ?? '';
		const failed = sum(bad, /(?:failures|errors)=(\d+)/g);
		return { passed: Math.max(0, ran - failed - sum(bad, /skipped=(\d+)/g)), failed };
	},
	(output) => counted(lastLine(output, /^test result: .*$/gm))
];

/** Failures may be listed after a summary, so more than the last lines is searched; no summary has longer lines. */
const LOOKED_AT = 100_000;
const LONGEST_LINE = 200;

/** Parses the summary at the end of a test runner's output; `null` if there is none. */
export function readTestResult(output: string): TestResult | null {
	const lines = output.slice(-LOOKED_AT).split('\n');
	const text = lines.filter(({ length }) => length <= LONGEST_LINE).join('\n');
	for (const read of RUNNERS) {
		const result = read(text);
		if (result && result.passed + result.failed > 0) return result;
	}
	return null;
}

const known = new WeakMap<ItemOf<'tool'>, TestResult | null>();

/** Test result of a finished command; `null` if it ran no tests or reported no result. */
export function testResultOf(item: ItemOf<'tool'>): TestResult | null {
	if (item.tool !== 'shell' || (item.status !== 'done' && item.status !== 'failed')) return null;
	let result = known.get(item);
	if (result === undefined) {
		result = runsTests(commandOf(item.arguments)) ? readTestResult(plainOutput(item.output)) : null;
		// A runner that failed says so in its summary; otherwise the summary belongs to another program.
		if (result && result.failed === 0 && (exitCodeOf(item.details) ?? 0) !== 0) result = null;
		known.set(item, result);
	}
	return result;
}

function both(passed: number | null, failed: number | null): TestResult | null {
	return passed === null || failed === null ? null : { passed, failed };
}

/** Parses `3 failed`, `21 passed` in one line, in any order. */
function counted(line: string | null): TestResult | null {
	if (line === null) return null;
	return { passed: sum(line, /(\d+) passed/g), failed: sum(line, /(\d+) (?:failed|errors?)\b/g) };
}

function lastLine(text: string, pattern: RegExp): string | null {
	return [...text.matchAll(pattern)].at(-1)?.[0] ?? null;
}

function last(text: string, pattern: RegExp): number | null {
	const found = [...text.matchAll(pattern)].at(-1)?.[1];
	return found === undefined ? null : Number(found);
}

function sum(text: string, pattern: RegExp): number {
	return [...text.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
}
