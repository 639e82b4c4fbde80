import type { TestEvent, TestResult } from '../events.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

interface Node {
	nesting: number;
	text: string;
	/** Number of tests, for a suite's attributes. */
	tests: number;
	failures: number;
	skipped: number;
}

/** JUnit XML, for continuous integration. */
export function junitReporter({ write }: ReporterOptions): Reporter {
	/** Ended items whose suite has not ended. */
	const open: Node[] = [];
	let started = false;
	return (event: TestEvent) => {
		if (!started) write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n');
		started = true;
		if (event.type === 'result') {
			const children: Node[] = [];
			while ((open.at(-1)?.nesting ?? 0) > event.nesting) children.unshift(open.pop()!);
			open.push(children.length > 0 ? suite(event, children) : test(event));
			if (event.nesting === 0) write(open.pop()!.text);
		} else if (event.type === 'summary') {
			for (const [name, value] of Object.entries(event.counts)) write(`\t<!-- ${name} ${value} -->\n`);
			write(`\t<!-- duration_ms ${event.durationMs} -->\n</testsuites>\n`);
		}
	};
}

function test({ name, nesting, passed, skip, todo, durationMs, error, cancelled }: TestResult): Node {
	const pad = '\t'.repeat(nesting + 1);
	const head = `${pad}<testcase name="${attribute(name)}" time="${(durationMs / 1000).toFixed(6)}" classname="test"`;
	const reason = skip ?? todo;
	const counts = { nesting, tests: 1, failures: passed ? 0 : 1, skipped: reason ? 1 : 0 };
	if (reason) {
		const message = reason === true ? '' : attribute(reason);
		const type = skip ? 'skipped' : 'todo';
		return { ...counts, text: `${head}>\n${pad}\t<skipped type="${type}" message="${message}"/>\n${pad}</testcase>\n` };
	}
	if (passed) return { ...counts, text: `${head}/>\n` };
	const type = cancelled ? 'cancelledByParent' : 'testCodeFailure';
	const message = attribute(error?.split('\n')[0] ?? 'test failed');
	const failure = `${pad}\t<failure type="${type}" message="${message}">\n${content(error ?? '')}\n${pad}\t</failure>\n`;
	const marked = head.replace(/ classname/, ` failure="${message}" classname`);
	return { ...counts, text: `${marked}>\n${failure}${pad}</testcase>\n` };
}

function suite({ name, nesting, durationMs }: TestResult, children: Node[]): Node {
	const sum = (field: 'tests' | 'failures' | 'skipped') => children.reduce((total, child) => total + child[field], 0);
	const counts = { tests: sum('tests'), failures: sum('failures'), skipped: sum('skipped') };
	const pad = '\t'.repeat(nesting + 1);
	const time = (durationMs / 1000).toFixed(6);
	const shown = `tests="${counts.tests}" failures="${counts.failures}" skipped="${counts.skipped}"`;
	const head = `${pad}<testsuite name="${attribute(name)}" time="${time}" disabled="0" errors="0" ${shown} hostname="sandglass">\n`;
	return { nesting, ...counts, text: `${head}${children.map(({ text }) => text).join('')}${pad}</testsuite>\n` };
}

const content = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const attribute = (text: string) => content(text).replace(/"/g, '&quot;').replace(/\n/g, '&#10;');
