import type { TestEvent, TestResult } from '../events.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

interface Element {
	nesting: number;
	name: string;
	parent: Element | null;
	/** Tests, and comments as text. */
	children: (Element | string)[];
	result: TestResult | null;
}

/** JUnit XML, for continuous integration. */
export function junitReporter({ write }: ReporterOptions): Reporter {
	const roots: Element['children'] = [];
	let current: Element | null = null;
	let started = false;
	const start = (name: string, nesting: number): Element => {
		const element: Element = { name, nesting, parent: current, children: [], result: null };
		(current?.children ?? roots).push(element);
		return (current = element);
	};
	return (event: TestEvent) => {
		if (!started) write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n');
		started = true;
		switch (event.type) {
			case 'start':
				start(event.name, event.nesting);
				return;
			case 'result': {
				const isOpen = current?.name === event.name && current.nesting === event.nesting;
				const element: Element = isOpen && current ? current : start(event.name, event.nesting);
				element.result = event;
				current = element.parent;
				return;
			}
			case 'diagnostic':
				(current?.children ?? roots).push(comment(event.message, event.nesting));
				return;
			case 'output':
				return;
			case 'summary':
				for (const root of roots) write(xmlOf(root));
				for (const [name, value] of Object.entries(event.counts)) write(comment(`${name} ${value}`, 0));
				write(`${comment(`duration_ms ${event.durationMs}`, 0)}</testsuites>\n`);
		}
	};
}

const pad = (nesting: number) => '\t'.repeat(nesting + 1);
const comment = (text: string, nesting: number) => `${pad(nesting)}<!-- ${text.replaceAll('--', '&#45;&#45;')} -->\n`;

function xmlOf(element: Element | string): string {
	if (typeof element === 'string') return element;
	const { result, nesting, name } = element;
	if (!result) return '';
	const time = (result.durationMs / 1000).toFixed(6);
	const inside = element.children.map(xmlOf).join('');
	const children = testsIn(element);
	if (children.length === 0) return testcase(result, time, inside);
	const failures = children.filter(isFailed).length;
	const skipped = children.filter(isSkipped).length;
	const attributes = {
		name,
		time,
		disabled: 0,
		errors: 0,
		tests: children.length,
		failures,
		skipped,
		hostname: 'sandglass'
	};
	return elementOf('testsuite', attributes, inside, nesting);
}

const testsIn = ({ children }: Element): Element[] =>
	children.filter((child): child is Element => typeof child !== 'string');
const isFailed = (element: Element): boolean =>
	testsIn(element).length > 0 ? testsIn(element).some(isFailed) : element.result?.passed === false;
const isSkipped = (element: Element): boolean =>
	testsIn(element).length > 0
		? testsIn(element).some(isSkipped)
		: Boolean(element.result?.skip ?? element.result?.todo);

function testcase(result: TestResult, time: string, comments: string): string {
	const { name, nesting, skip, todo, failure } = result;
	const children: string[] = [];
	for (const [type, reason] of Object.entries({ skipped: skip, todo })) {
		if (reason) children.push(elementOf('skipped', { type, message: reason }, '', nesting + 1));
	}
	if (failure) {
		const attributes = { type: failure.failureType, message: failure.message };
		children.push(elementOf('failure', attributes, `${content(failure.wrapped)}\n`, nesting + 1));
	}
	const attributes = { name, time, classname: 'test', ...(failure ? { failure: failure.message } : {}) };
	return elementOf('testcase', attributes, comments + children.join(''), nesting);
}

function elementOf(tag: string, attributes: Record<string, unknown>, inside: string, nesting: number): string {
	const text = Object.entries(attributes).map(([name, value]) => `${name}="${attribute(String(value))}"`);
	const head = `${pad(nesting)}<${tag} ${text.join(' ')}`;
	return inside === '' ? `${head}/>\n` : `${head}>\n${inside}${pad(nesting)}</${tag}>\n`;
}

const content = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const attribute = (text: string) => content(text.replaceAll('\n', '').replaceAll('"', '&quot;'));
