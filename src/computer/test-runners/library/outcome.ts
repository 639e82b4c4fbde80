import type { File, Task } from '@vitest/runner';
import type { Failure, FileResult, TestOutcome } from '../result.ts';

/** Collects the outcome of a file as plain data. */
export function collectResult(file: File | undefined): Pick<FileResult, 'tests' | 'failures'> {
	const tests: TestOutcome[] = [];
	const failures: Failure[] = [];
	const walk = (task: Task, path: string[]): void => {
		if (task.type === 'test') return void tests.push(outcome(task, path));
		failures.push(...errorsOf(task));
		for (const child of task.tasks) walk(child, [...path, child.name]);
	};
	if (file) walk(file, []);
	return { tests, failures };
}

function outcome(task: Task, path: string[]): TestOutcome {
	const state = task.result?.state;
	const kept = task.mode === 'todo' ? 'todo' : state === 'pass' ? 'pass' : state === 'fail' ? 'fail' : 'skip';
	return { path, state: kept, durationMs: task.result?.duration ?? 0, failures: errorsOf(task) };
}

function errorsOf(task: Task): Failure[] {
	return (task.result?.errors ?? []).map((error) => ({
		name: String(error.name ?? 'Error'),
		message: String(error.message),
		stack: String(error.stack ?? ''),
		...(typeof error.diff === 'string' ? { diff: error.diff } : {})
	}));
}

/** Describes an error that was not thrown by a test. */
export function failureOf(error: unknown): Failure {
	const text = (key: string) => {
		const value: unknown = Reflect.get(Object(error), key);
		return typeof value === 'string' ? value : null;
	};
	return { name: text('name') ?? 'Error', message: text('message') ?? String(error), stack: text('stack') ?? '' };
}
