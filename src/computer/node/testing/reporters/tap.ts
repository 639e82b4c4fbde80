import type { TestEvent } from '../events.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

/** TAP version 13. */
export function tapReporter({ write }: ReporterOptions): Reporter {
	const numbers: number[] = [];
	let started = false;
	const pad = (nesting: number) => '    '.repeat(nesting);
	const escape = (text: string) => text.replace(/[\\#]/g, '\\$&').replaceAll('\n', '\\n');
	return (event: TestEvent) => {
		if (!started) write('TAP version 13\n');
		started = true;
		switch (event.type) {
			case 'start':
				return write(`${pad(event.nesting)}# Subtest: ${escape(event.name)}\n`);
			case 'result': {
				const inside = numbers[event.nesting + 1] ?? 0;
				const indent = pad(event.nesting);
				if (inside > 0) write(`${pad(event.nesting + 1)}1..${inside}\n`);
				numbers.length = event.nesting + 1;
				const index = (numbers[event.nesting] ?? 0) + 1;
				numbers[event.nesting] = index;
				const directive = event.skip ? note('SKIP', event.skip) : event.todo ? note('TODO', event.todo) : '';
				write(`${indent}${event.passed ? 'ok' : 'not ok'} ${index} - ${escape(event.name)}${directive}\n`);
				write(`${indent}  ---\n${indent}  duration_ms: ${Number(event.durationMs.toFixed(6))}\n`);
				write(`${indent}  type: '${event.suite ? 'suite' : 'test'}'\n`);
				if (!event.passed && event.place) write(`${indent}  location: '${event.place}'\n`);
				if (event.error) {
					write(`${indent}  error: |-\n`);
					for (const line of event.error.split('\n')) write(`${indent}    ${line}\n`);
				}
				return write(`${indent}  ...\n`);
			}
			case 'diagnostic':
				return write(`${pad(event.nesting)}# ${event.message}\n`);
			case 'output':
				return write(event.text.replace(/^(?=.)/gm, '# '));
			case 'summary':
				write(`1..${numbers[0] ?? 0}\n`);
				for (const [name, value] of Object.entries(event.counts)) write(`# ${name} ${value}\n`);
				return write(`# duration_ms ${Number(event.durationMs.toFixed(6))}\n`);
		}
	};
}

const note = (name: string, reason: string | true) => ` # ${name}${reason === true ? '' : ` ${reason}`}`;
