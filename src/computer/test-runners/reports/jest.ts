import type { FileReport, TestOutcome } from '../result.ts';
import { count, hasFailed, palette, placeOf, type Report, type ReportOptions } from './report.ts';

/** Jest's output format. */
export function jestReport({ print, colours, root, verbose, why }: ReportOptions): Report {
	const { red, green, yellow, grey, bold } = palette(colours);
	return {
		begin(notes) {
			print(`run by Sandglass's own runner in place of jest: ${why}\n`);
			for (const note of notes) print(`${note}\n`);
			print('\n');
		},
		nothing(include, filters) {
			print(`No tests found, exiting with code 1\n  testMatch: ${include.join(', ')}\n`);
			if (filters.length > 0) print(`  Pattern: ${filters.join('|')}\n`);
		},
		file(report) {
			print(`${hasFailed(report) ? red(bold('FAIL')) : green(bold('PASS'))} ${report.file}\n`);
			if (verbose || hasFailed(report)) {
				let above: string[] = [];
				for (const test of report.tests) {
					const suites = test.path.slice(0, -1);
					for (const [depth, name] of suites.entries())
						if (above[depth] !== name || above.length <= depth) print(`${'  '.repeat(depth + 1)}${name}\n`);
					above = suites;
					print(`${'  '.repeat(suites.length + 1)}${mark(test)} ${test.path.at(-1)}${duration(test)}\n`);
				}
			}
			for (const failure of report.failures) show('Test suite failed to run', failure);
			for (const test of report.tests)
				if (test.state === 'fail') for (const failure of test.failures) show(test.path.join(' › '), failure);
		},
		end(reports, durationMs) {
			const tests = reports.flatMap((report) => report.tests);
			const failed = reports.filter(hasFailed).length;
			const line = (parts: [number, string, (text: string) => string][], total: number) =>
				[
					...parts.filter(([number]) => number > 0).map(([number, word, paint]) => bold(paint(`${number} ${word}`))),
					`${total} total`
				].join(', ');
			const written = reports.reduce((sum, { snapshots }) => sum + snapshots.added + snapshots.updated, 0);
			print(
				`\n${bold('Test Suites:')} ${line(
					[
						[failed, 'failed', red],
						[reports.length - failed, 'passed', green]
					],
					reports.length
				)}\n` +
					`${bold('Tests:')}       ${line(
						[
							[count(tests, 'fail'), 'failed', red],
							[count(tests, 'skip'), 'skipped', yellow],
							[count(tests, 'todo'), 'todo', grey],
							[count(tests, 'pass'), 'passed', green]
						],
						tests.length
					)}\n` +
					`${bold('Snapshots:')}   ${written > 0 ? `${written} written, ` : ''}${written} total\n` +
					`${bold('Time:')}        ${(durationMs / 1000).toFixed(3)} s\n`
			);
		}
	};

	function mark({ state }: TestOutcome): string {
		return state === 'pass' ? green('✓') : state === 'fail' ? red('✕') : state === 'todo' ? grey('✎') : yellow('○');
	}

	function duration({ durationMs, state }: TestOutcome): string {
		return state === 'pass' || state === 'fail' ? grey(` (${Math.max(1, Math.round(durationMs))} ms)`) : '';
	}

	function show(title: string, failure: FileReport['failures'][number]): void {
		print(`\n  ${red(bold(`● ${title}`))}\n\n`);
		const text = [`${failure.name}: ${failure.message}`, ...(failure.diff ? ['', failure.diff] : [])].join('\n');
		print(`${text.replace(/^/gm, '    ')}\n`);
		const place = placeOf(failure.stack, root);
		if (place) print(`\n      at ${place}\n`);
		print('\n');
	}
}
