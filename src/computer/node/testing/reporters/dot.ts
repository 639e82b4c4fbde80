import type { TestEvent, TestResult } from '../events.ts';
import { failedTest } from './spec.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

const COLUMNS = 20;

/** Prints one character per test. */
export function dotReporter({ write, colours }: ReporterOptions): Reporter {
	let column = 0;
	const failures: TestResult[] = [];
	return (event: TestEvent) => {
		if (event.type === 'output') return write(event.text);
		if (event.type === 'result') {
			if (!event.passed) failures.push(event);
			const sign = event.passed ? '.' : 'X';
			write(colours ? `\x1b[${event.passed ? 32 : 31}m${sign}\x1b[39m` : sign);
			column = (column + 1) % COLUMNS;
			if (column === 0) write('\n');
		}
		if (event.type !== 'summary') return;
		write('\n');
		if (failures.length > 0) write('\nFailed tests:\n\n');
		for (const failure of failures) write(failedTest(failure, colours));
	};
}
