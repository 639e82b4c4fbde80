import type { Attempt, Reporter, ResultError, TestReport } from '../run/results.ts';
import { errorText, failureText, type ReadText } from './failure-text.ts';
import { duration, fullTitle, isWanted } from './names.ts';

/** Playwright's reporter `list`: one line per test, then the failures. `line` and `dot` are shorter variants. */
export class ListReporter implements Reporter {
	constructor(
		private readonly print: (text: string) => void,
		private readonly read: ReadText,
		private readonly style: 'list' | 'line' | 'dot' = 'list'
	) {}

	begin(tests: number): void {
		this.print(`\nRunning ${tests} test${tests === 1 ? '' : 's'} using 1 worker\n\n`);
	}

	attempt(report: TestReport, attempt: Attempt, number: number): void {
		const isSkipped = attempt.status === 'skipped';
		const isGood = isWanted(report, attempt);
		if (this.style === 'dot')
			return this.print(isSkipped ? '°' : isGood ? '·' : attempt.status === 'timedOut' ? 'T' : 'F');
		const mark = isSkipped ? '-' : isGood ? '✓' : '✘';
		const retry = attempt.retry > 0 ? ` (retry #${attempt.retry})` : '';
		const took = isSkipped ? '' : ` (${duration(attempt.durationMs)})`;
		if (this.style === 'list')
			this.print(`  ${mark} ${String(number).padStart(3)} ${fullTitle(report)}${retry}${took}\n`);
		else if (!isGood && !isSkipped) this.print(`${failureText(report, null, this.read)}\n`);
	}

	end(reports: readonly TestReport[], durationMs: number, errors: readonly ResultError[]): void {
		const of = (outcome: TestReport['outcome']): TestReport[] => reports.filter((report) => report.outcome === outcome);
		const failed = of('unexpected');
		const flaky = of('flaky');
		this.print('\n\n');
		if (this.style !== 'line')
			for (const [index, report] of [...failed, ...flaky].entries())
				this.print(`${failureText(report, index + 1, this.read)}\n`);
		for (const error of errors) this.print(`${errorText(error, this.read)}\n\n`);
		this.#names(failed, 'failed');
		this.#names(flaky, 'flaky');
		const lines: [number, string][] = [
			[of('skipped').length, 'skipped'],
			[of('did not run').length, 'did not run'],
			[of('expected').length, `passed (${duration(durationMs)})`]
		];
		if (errors.length > 0)
			this.print(
				`  ${errors.length} error${errors.length === 1 ? ' was not a part of any test, see above for details' : 's were not a part of any test, see above for details'}\n`
			);
		for (const [count, word] of lines) if (count > 0) this.print(`  ${count} ${word}\n`);
	}

	#names(reports: TestReport[], word: string): void {
		if (reports.length === 0) return;
		this.print(`  ${reports.length} ${word}\n`);
		for (const report of reports)
			this.print(`    ${fullTitle(report)} ${'─'.repeat(Math.max(0, 95 - fullTitle(report).length))}\n`);
	}
}
