import type { Place } from './suite.ts';
import type { Annotation, Status, StepRecord } from './test-info.ts';

export interface ResultError {
	/** Name and message, without frames. */
	message: string;
	place: Place | null;
}

/** One attempt at a test. */
export interface Attempt {
	retry: number;
	status: Status;
	durationMs: number;
	errors: ResultError[];
	steps: StepRecord[];
	attachments: { name: string; contentType: string; body?: Uint8Array | undefined; path?: string | undefined }[];
}

export type Outcome = 'expected' | 'unexpected' | 'flaky' | 'skipped' | 'did not run';

/** Report of one test. */
export interface TestReport {
	/** Name of its project, empty without one. */
	project: string;
	/** Relative to the test folder. */
	file: string;
	/** Relative to the working directory. */
	path: string;
	place: Place;
	titles: string[];
	tags: string[];
	expectedStatus: Status;
	annotations: Annotation[];
	attempts: Attempt[];
	outcome: Outcome;
}

/** Receives the events of a run as they happen. */
export interface Reporter {
	begin(tests: number): void;
	/** Called when an attempt has ended. `number`: of the test within the run, starting at 1. */
	attempt(report: TestReport, attempt: Attempt, number: number): void;
	end(reports: readonly TestReport[], durationMs: number, errors: readonly ResultError[]): void;
}
