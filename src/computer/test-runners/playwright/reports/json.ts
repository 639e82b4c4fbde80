import type { Host } from '../host.ts';
import type { Reporter, ResultError, TestReport } from '../run/results.ts';

/** Playwright's reporter `json`: tests, attempts and errors, to a file or to the terminal. */
export class JsonReporter implements Reporter {
	constructor(
		/** `null`: the terminal. */
		private readonly path: string | null,
		private readonly host: Pick<Host, 'print' | 'write'>
	) {}

	begin(): void {}
	attempt(): void {}

	end(reports: readonly TestReport[], durationMs: number, errors: readonly ResultError[]): void {
		const of = (outcome: TestReport['outcome']): number => reports.filter((each) => each.outcome === outcome).length;
		const files = [...new Set(reports.map(({ file }) => file))];
		const text = JSON.stringify(
			{
				suites: files.map((file) => ({
					title: file,
					file,
					specs: reports.filter((each) => each.file === file).map(specOf)
				})),
				errors: errors.map(({ message }) => ({ message })),
				stats: {
					duration: durationMs,
					expected: of('expected'),
					skipped: of('skipped') + of('did not run'),
					unexpected: of('unexpected'),
					flaky: of('flaky')
				}
			},
			null,
			2
		);
		if (this.path === null) this.host.print(`${text}\n`);
		else this.host.write(this.path, text);
	}
}

function specOf({
	titles,
	place,
	project,
	expectedStatus,
	outcome,
	attempts,
	annotations,
	tags,
	file
}: TestReport): object {
	const results = attempts.map(({ retry, status, durationMs, errors }) => ({
		retry,
		status,
		duration: durationMs,
		errors: errors.map(({ message }) => ({ message }))
	}));
	return {
		title: titles.at(-1),
		titles,
		ok: outcome !== 'unexpected',
		tags,
		file,
		line: place.line,
		column: place.column,
		tests: [
			{
				projectName: project,
				expectedStatus,
				status: outcome === 'did not run' ? 'skipped' : outcome,
				annotations,
				results
			}
		]
	};
}
