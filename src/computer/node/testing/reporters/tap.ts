import type { TestEvent, TestResult } from '../events.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

const ESCAPES: [string, string][] = [
	['\b', '\\b'],
	['\f', '\\f'],
	['\t', '\\t'],
	['\n', '\\n'],
	['\r', '\\r'],
	['\v', '\\v'],
	['\\', '\\\\'],
	['#', '\\#']
];

const pad = (nesting: number) => '    '.repeat(nesting);
/** Escapes as Node does, which also doubles the backslashes of the earlier ones. */
const escape = (text: string) => ESCAPES.reduce((done, [char, escaped]) => done.replaceAll(char, escaped), text);

/** TAP version 13. */
export function tapReporter({ write }: ReporterOptions): Reporter {
	const numbers: number[] = [];
	let started = false;
	const onResult = (event: TestResult) => {
		const inside = numbers[event.nesting + 1] ?? 0;
		if (inside > 0) write(`${pad(event.nesting + 1)}1..${inside}\n`);
		numbers.length = event.nesting + 1;
		const index = (numbers[event.nesting] ?? 0) + 1;
		numbers[event.nesting] = index;
		write(resultText(event, index));
	};
	return (event: TestEvent) => {
		if (!started) write('TAP version 13\n');
		started = true;
		switch (event.type) {
			case 'start':
				return write(`${pad(event.nesting)}# Subtest: ${escape(event.name)}\n`);
			case 'result':
				return onResult(event);
			case 'diagnostic':
				return write(`${pad(event.nesting)}# ${escape(event.message)}\n`);
			case 'output':
				return write(event.text.replace(/^(.+)$/gm, (line) => `# ${escape(line)}`));
			case 'summary':
				write(`1..${numbers[0] ?? 0}\n`);
				for (const [name, value] of Object.entries(event.counts)) write(`# ${name} ${value}\n`);
				return write(`# duration_ms ${event.durationMs}\n`);
		}
	};
}

function resultText(event: TestResult, index: number): string {
	const indent = pad(event.nesting);
	const directive = event.skip ? note('SKIP', event.skip) : event.todo ? note('TODO', event.todo) : '';
	const details = [
		`duration_ms: ${event.durationMs}`,
		`type: '${event.suite ? 'suite' : 'test'}'`,
		...(!event.passed && event.place ? [`location: '${event.place}'`] : []),
		...(event.failure?.details.split('\n').slice(0, -1) ?? [])
	];
	const head = `${indent}${event.passed ? 'ok' : 'not ok'} ${index} - ${escape(event.name)}${directive}\n`;
	return `${head}${indent}  ---\n${details.map((line) => `${indent}  ${line}\n`).join('')}${indent}  ...\n`;
}

const note = (name: string, reason: string | true) => ` # ${name}${reason === true ? '' : ` ${escape(reason)}`}`;
