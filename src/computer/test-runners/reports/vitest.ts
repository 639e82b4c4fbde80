import type { FileReport } from '../result.ts';
import { count, hasFailed, palette, placeOf, type Report, type ReportOptions, time } from './report.ts';

/** Vitest's output format. */
export function vitestReport({ print, colours, root, verbose, why }: ReportOptions): Report {
	const { red, green, yellow, grey, bold } = palette(colours);
	const tally = (parts: [string, number, (text: string) => string][], total: number) =>
		`${parts
			.filter(([, number]) => number > 0)
			.map(([word, number, paint]) => bold(paint(`${number} ${word}`)))
			.join(grey(' | '))} ${grey(`(${total})`)}`;
	return {
		begin(notes) {
			print(`\n ${bold(' RUN ')} ${root}\n       run by Sandglass's own runner in place of vitest: ${why}\n`);
			for (const note of notes) print(`       ${note}\n`);
			print('\n');
		},
		nothing(include, filters) {
			print(red('No test files found, exiting with code 1') + '\n');
			if (filters.length > 0) print(`\nfilter: ${filters.join(', ')}\n`);
			print(`include: ${include.join(', ')}\n`);
		},
		file(report) {
			const { tests, file, durationMs } = report;
			const failed = count(tests, 'fail');
			const skipped = count(tests, 'skip') + count(tests, 'todo');
			const sums = [
				`${tests.length} test${tests.length === 1 ? '' : 's'}`,
				...(failed > 0 ? [red(`${failed} failed`)] : []),
				...(skipped > 0 ? [yellow(`${skipped} skipped`)] : [])
			];
			print(
				` ${hasFailed(report) ? red('❯') : green('✓')} ${file} ${grey(`(${sums.join(' | ')})`)} ${grey(time(durationMs))}\n`
			);
			for (const test of tests) {
				if (test.state === 'fail') print(`   ${red('×')} ${test.path.join(' > ')} ${grey(time(test.durationMs))}\n`);
				else if (verbose)
					print(
						`   ${test.state === 'pass' ? green('✓') : grey('↓')} ${test.path.join(' > ')} ${grey(time(test.durationMs))}\n`
					);
			}
		},
		end(reports, durationMs) {
			const tests = reports.flatMap((report) => report.tests);
			const failedSuites = reports.filter(({ failures }) => failures.length > 0);
			const failedTests = count(tests, 'fail');
			const heading = (title: string) => print(`\n${red(`⎯⎯⎯⎯⎯⎯⎯ ${bold(title)} ⎯⎯⎯⎯⎯⎯⎯`)}\n`);
			if (failedSuites.length > 0) heading(`Failed Suites ${failedSuites.length}`);
			for (const { file, failures } of failedSuites) show(file, [], failures);
			if (failedTests > 0) heading(`Failed Tests ${failedTests}`);
			for (const report of reports)
				for (const test of report.tests) if (test.state === 'fail') show(report.file, test.path, test.failures);
			const snapshots = reports.map((report) => report.snapshots);
			const added = snapshots.reduce((sum, one) => sum + one.added, 0);
			const updated = snapshots.reduce((sum, one) => sum + one.updated, 0);
			const failedFiles = reports.filter(hasFailed).length;
			print('\n');
			if (added > 0) print(`  ${grey('Snapshots ')} ${green(`${added} written`)}\n`);
			if (updated > 0) print(`  ${grey('Snapshots ')} ${green(`${updated} updated`)}\n`);
			print(
				` ${grey('Test Files ')} ${tally(
					[
						['failed', failedFiles, red],
						['passed', reports.length - failedFiles, green]
					],
					reports.length
				)}\n` +
					` ${grey('     Tests ')} ${tally(
						[
							['failed', failedTests, red],
							['passed', count(tests, 'pass'), green],
							['skipped', count(tests, 'skip'), yellow],
							['todo', count(tests, 'todo'), grey]
						],
						tests.length
					)}\n` +
					` ${grey('  Duration ')} ${time(durationMs)}\n\n`
			);
		}
	};

	function show(file: string, path: string[], failures: FileReport['failures']): void {
		print(`\n ${red(bold(' FAIL '))} ${[file, ...path].join(' > ')}\n`);
		for (const failure of failures) {
			print(`${red(`${bold(failure.name)}: ${failure.message}`)}\n`);
			if (failure.diff) print(`\n${failure.diff}\n`);
			const place = placeOf(failure.stack, root);
			if (place) print(`\n ${grey('❯')} ${place}\n`);
		}
	}
}
