import type { TestEvent, TestResult } from '../events.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

const GREEN = 32;
const RED = 31;
const BLUE = 34;
const GREY = 90;

/** The tree with ✔ and ✖, then the counts, then each failure with its error. */
export function specReporter({ write, colours, cwd }: ReporterOptions): Reporter {
	const paint = painter(colours);
	const failures: TestResult[] = [];
	/** Suites and tests started but not yet printed. */
	const open: { name: string; nesting: number; printed: boolean }[] = [];
	const pad = (nesting: number) => '  '.repeat(nesting);

	const printAncestors = (nesting: number) => {
		for (const one of open) {
			if (one.nesting >= nesting || one.printed) continue;
			write(`${pad(one.nesting)}▶ ${one.name}\n`);
			one.printed = true;
		}
	};
	const onResult = (result: TestResult) => {
		printAncestors(result.nesting);
		while (open.length > 0 && (open.at(-1)?.nesting ?? 0) >= result.nesting) open.pop();
		write(`${pad(result.nesting)}${titleOf(result, colours)}\n`);
		if (!result.passed && !result.inherited) failures.push(result);
	};

	return (event: TestEvent) => {
		switch (event.type) {
			case 'start':
				while (open.length > 0 && (open.at(-1)?.nesting ?? 0) >= event.nesting) open.pop();
				open.push({ name: event.name, nesting: event.nesting, printed: false });
				return;
			case 'result':
				return onResult(event);
			case 'diagnostic':
				printAncestors(event.nesting);
				return write(`${pad(event.nesting)}${paint(BLUE, `ℹ ${event.message}`)}\n`);
			case 'output':
				return write(event.text);
			case 'summary': {
				for (const [name, value] of Object.entries(event.counts)) write(`${paint(BLUE, `ℹ ${name} ${value}`)}\n`);
				write(`${paint(BLUE, `ℹ duration_ms ${number(event.durationMs)}`)}\n`);
				if (failures.length === 0) return;
				write(`\n${paint(RED, '✖ failing tests:')}\n`);
				for (const failure of failures) {
					const place = failure.place?.startsWith(`${cwd}/`) ? failure.place.slice(cwd.length + 1) : failure.place;
					write(`\n${place ? `test at ${place}\n` : ''}${failedTest(failure, colours)}`);
				}
			}
		}
	};
}

const painter = (colours: boolean) => (code: number, text: string) => (colours ? `\x1b[${code}m${text}\x1b[39m` : text);

function titleOf(result: TestResult, colours: boolean): string {
	const paint = painter(colours);
	const note = result.skip ? mark('SKIP', result.skip) : result.todo ? mark('TODO', result.todo) : '';
	const time = result.durationMs > 0 ? ` ${paint(GREY, `(${number(result.durationMs)}ms)`)}` : '';
	const symbol = result.skip ? paint(GREY, '﹣') : result.passed ? paint(GREEN, '✔') : paint(RED, '✖');
	return `${symbol} ${result.name}${time}${note}`;
}

/** A failed test with its error. */
export function failedTest(result: TestResult, colours: boolean): string {
	const error = (result.failure?.error ?? '').replaceAll('\n', '\n  ');
	return `${titleOf(result, colours)}\n  ${error}\n`;
}

const mark = (name: string, reason: string | true) => ` # ${reason === true ? name : `${reason}`}`;
const number = (ms: number) => String(Number(ms.toFixed(6)));
