import { isCancelled, type FailureReport } from './failure.ts';

/** Event of a test run for its reporter; between processes, one line of JSON each. */
export type TestEvent =
	| { type: 'start'; name: string; nesting: number }
	| TestResult
	| { type: 'diagnostic'; message: string; nesting: number }
	| { type: 'output'; text: string }
	| { type: 'summary'; counts: TestCounts; durationMs: number; success: boolean };

export interface TestResult {
	type: 'result';
	name: string;
	nesting: number;
	passed: boolean;
	suite: boolean;
	skip: string | true | null;
	todo: string | true | null;
	durationMs: number;
	/** `file:line:column`. */
	place: string | null;
	failure: FailureReport | null;
	/** Set if it only failed because of a nested test. */
	inherited: boolean;
}

export interface TestCounts {
	tests: number;
	suites: number;
	pass: number;
	fail: number;
	cancelled: number;
	skipped: number;
	todo: number;
}

export const noCounts = (): TestCounts => ({
	tests: 0,
	suites: 0,
	pass: 0,
	fail: 0,
	cancelled: 0,
	skipped: 0,
	todo: 0
});

export function count(counts: TestCounts, result: TestResult): void {
	if (result.suite) {
		counts.suites++;
		return;
	}
	counts.tests++;
	if (result.skip) counts.skipped++;
	else if (result.todo) counts.todo++;
	else if (result.failure && isCancelled(result.failure)) counts.cancelled++;
	else if (result.passed) counts.pass++;
	else counts.fail++;
}

/** Returns whether a result makes the run fail. */
export const isFatal = ({ passed, todo }: TestResult): boolean => !passed && !todo;

/** Prefix of an event on a child's stdout; test output is unlikely to begin with it. */
export const EVENT_MARK = '\u0001sandglass-test:';

/** Set in the children of `node --test`: events go to the parent, one line each. */
export const CHILD_VARIABLE = 'NODE_TEST_CONTEXT';
