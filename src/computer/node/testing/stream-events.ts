import type { TestCounts, TestEvent, TestResult } from './events.ts';
import { errorOf, failureReport, type FailureReport } from './failure.ts';

/** Event of a `TestsStream`, as read by reporters of Node and of packages. */
export interface StreamEvent {
	type: string;
	data: Record<string, unknown>;
}

/** Counts that Node's runner also reports as messages. */
const COUNT_MESSAGE = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Converts the runner's events to those of Node's stream. */
export class StreamEvents {
	/** Number of the last test at each depth. */
	readonly #numbers: number[] = [];

	/** @param file origin of the event */
	from(event: TestEvent, file?: string): StreamEvent[] {
		switch (event.type) {
			case 'start': {
				const data = { name: event.name, nesting: event.nesting, file };
				return ['test:enqueue', 'test:dequeue', 'test:start'].map((type) => ({ type, data }));
			}
			case 'result':
				return this.#result(event, file);
			case 'diagnostic':
				return [{ type: 'test:diagnostic', data: { nesting: event.nesting, message: event.message, file } }];
			case 'output':
				return [{ type: 'test:stdout', data: { file, message: event.text } }];
			case 'summary':
				return this.#summary(event);
		}
	}

	#result(result: TestResult, file?: string): StreamEvent[] {
		const { name, nesting, passed, suite, skip, todo } = result;
		const inside = this.#numbers[nesting + 1] ?? 0;
		this.#numbers.length = nesting + 1;
		const testNumber = (this.#numbers[nesting] ?? 0) + 1;
		this.#numbers[nesting] = testNumber;
		const [, at = file, line, column] = /^(.*):(\d+):(\d+)$/.exec(result.place ?? '') ?? [];
		const details = {
			duration_ms: result.durationMs,
			type: suite ? 'suite' : 'test',
			...(result.failure ? { error: failureOf(result.failure) } : {})
		};
		const place = { file: at, ...(line ? { line: Number(line), column: Number(column) } : {}) };
		const data = { name, nesting, testNumber, details, ...(skip ? { skip } : {}), ...(todo ? { todo } : {}), ...place };
		const plan = inside > 0 ? [{ type: 'test:plan', data: { nesting: nesting + 1, count: inside, file } }] : [];
		return [...plan, { type: 'test:complete', data }, { type: passed ? 'test:pass' : 'test:fail', data }];
	}

	#summary({ counts, durationMs, success }: TestEvent & { type: 'summary' }): StreamEvent[] {
		const topLevel = this.#numbers[0] ?? 0;
		const { tests, suites, pass: passed, fail: failed, ...others } = counts;
		const messages = [...Object.entries(counts), ['duration_ms', durationMs] as const];
		return [
			{ type: 'test:plan', data: { nesting: 0, count: topLevel } },
			...messages.map(([name, value]) => ({
				type: 'test:diagnostic',
				data: { nesting: 0, message: `${name} ${value}` }
			})),
			{
				type: 'test:summary',
				data: { counts: { tests, failed, passed, ...others, topLevel, suites }, duration_ms: durationMs, success }
			}
		];
	}
}

/** Creates the error of a test, of which the runner has a description. */
const failureOf = (failure: FailureReport): Error =>
	Object.defineProperty(errorOf(failure), REPORT, { value: failure });

/** Description of an error that came from the runner. */
const REPORT = Symbol('report');

/** Converts an event of Node's stream to the runner's own; null for those that its reporters do not show. */
export function testEventOf({ type, data }: StreamEvent): TestEvent | null {
	const nesting = Number(data['nesting'] ?? 0);
	switch (type) {
		case 'test:start':
			return { type: 'start', name: String(data['name']), nesting };
		case 'test:pass':
		case 'test:fail':
			return resultOf(type === 'test:pass', data, nesting);
		case 'test:diagnostic': {
			const message = String(data['message']);
			return nesting === 0 && COUNT_MESSAGE.test(message) ? null : { type: 'diagnostic', message, nesting };
		}
		case 'test:stdout':
		case 'test:stderr':
			return { type: 'output', text: String(data['message']) };
		case 'test:summary':
			return data['file'] === undefined ? summaryOf(data) : null;
		default:
			return null;
	}
}

function resultOf(passed: boolean, data: StreamEvent['data'], nesting: number): TestResult {
	const details = (data['details'] ?? {}) as { duration_ms?: number; type?: string; error?: unknown };
	const error = Object(details.error) as { [REPORT]?: FailureReport };
	const failure = passed ? null : (error[REPORT] ?? failureReport(details.error, 'testCodeFailure'));
	const { file, line, column } = data as { file?: string; line?: number; column?: number };
	return {
		type: 'result',
		name: String(data['name']),
		nesting,
		passed,
		suite: details.type === 'suite',
		skip: (data['skip'] as string | true | undefined) ?? null,
		todo: (data['todo'] as string | true | undefined) ?? null,
		durationMs: details.duration_ms ?? 0,
		place: file === undefined ? null : `${file}:${line ?? 1}:${column ?? 1}`,
		failure,
		inherited: failure?.failureType === 'subtestsFailed'
	};
}

function summaryOf(data: StreamEvent['data']): TestEvent {
	const { passed = 0, failed = 0, ...others } = (data['counts'] ?? {}) as Record<string, number>;
	const { tests = 0, suites = 0, cancelled = 0, skipped = 0, todo = 0 } = others;
	const counts: TestCounts = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo };
	return { type: 'summary', counts, durationMs: Number(data['duration_ms'] ?? 0), success: data['success'] !== false };
}
