import type { TestEvent, TestResult } from '../events.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

/** Prints one character per test. */
export function dotReporter({ write }: ReporterOptions): Reporter {
	let column = 0;
	const failures: TestResult[] = [];
	return (event: TestEvent) => {
		if (event.type === 'output') return write(event.text);
		if (event.type === 'result') {
			if (!event.passed && !event.todo) failures.push(event);
			write(event.passed ? '.' : 'X');
			column = (column + 1) % 20;
			if (column === 0) write('\n');
		}
		if (event.type !== 'summary') return;
		write('\n');
		if (failures.length > 0) write('\nFailed tests:\n');
		for (const failure of failures)
			write(`\n✖ ${failure.name} (${failure.durationMs.toFixed(3)}ms)\n  ${failure.error ?? ''}\n`);
	};
}
