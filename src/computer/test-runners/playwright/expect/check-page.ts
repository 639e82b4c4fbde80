import { pause } from '../browser/patience.ts';
import type { Locator } from '../browser/locator.ts';
import type { Page } from '../browser/page.ts';
import { matchesUrl, type UrlPattern } from '../browser/url-pattern.ts';
import type { ProbeAnswer } from '#environment/preview-testing.ts';
import type { PageMatcher } from './page-matchers.ts';
import { difference, inLine } from './print.ts';

/** Pauses between checks, as in Playwright. Milliseconds. */
const PAUSES_MS = [100, 250, 500, 1_000];

/** Assertion that is checked repeatedly until it passes or times out. */
export interface Patient {
	name: string;
	isNot: boolean;
	/** Deadline as in `performance.now()`, and the timeout as the message states it. */
	atMs: number;
	timeoutMs: number;
}

interface Look {
	isMatch: boolean;
	count: number;
	element: string;
	received: unknown;
}

/** @throws Error with Playwright's message */
export async function checkPage(
	on: Locator | Page,
	words: string,
	matcher: PageMatcher,
	patient: Patient
): Promise<string | null> {
	const { check, argument } = matcher;
	const { name, isNot } = patient;
	const selector = 'selector' in on ? on.selector : null;
	const page = 'selector' in on ? on.page() : on;
	const heads = [`expect(${selector === null ? 'page' : 'locator'})${isNot ? '.not' : ''}.${name}(${argument}) failed`];
	const log = new CallLog(
		`Expect "${isNot ? 'not ' : ''}${name}" ${words === '' ? '' : `${words} `}with timeout ${patient.timeoutMs}ms`,
		words
	);
	let look: Look | null = null;
	let error = '';
	for (let count = 0; ; count++) {
		try {
			look = lookOf(await page.probe({ kind: 'expect', selector, check: { ...check, isNot } }));
			if (look.isMatch !== isNot) return null;
			log.add(look);
		} catch (thrown) {
			error = thrown instanceof Error ? thrown.message : String(thrown);
			if (!/not connected/i.test(error)) break;
		}
		const left = patient.atMs - performance.now();
		if (left <= 0) break;
		await pause(Math.min(left, PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? 1_000));
	}
	return [...heads, '', ...details(words, matcher, patient, look, error), '', log.text()].join('\n');
}

const lookOf = ({ isMatch = false, count, element, value }: ProbeAnswer): Look => ({
	isMatch,
	count,
	element,
	received: value === undefined ? undefined : JSON.parse(value)
});

function details(
	words: string,
	matcher: PageMatcher,
	{ isNot, timeoutMs }: Patient,
	look: Look | null,
	error: string
): string[] {
	const isMissing = look !== null && look.received === undefined && look.count === 0;
	const not = isNot ? 'not ' : '';
	const wanted = matcher.isState ? `${not}${String(matcher.expected)}` : `${not}${inLine(matcher.expected)}`;
	const locator: [string, string][] = words === '' ? [] : [['Locator', words]];
	const timeout: [string, string] = ['Timeout', `${timeoutMs}ms`];
	if (error !== '') return lines([...locator, ['Expected', wanted], ['Error', error]], false);
	if (isMissing) return lines([...locator, ['Expected', wanted], timeout, ['Error', 'element(s) not found']], false);
	const received = look?.received;
	if (matcher.isList && !isNot)
		return [...lines([...locator, timeout], false), '', difference(matcher.expected, received)];
	const isPattern = matcher.expected instanceof RegExp;
	if (isPattern || matcher.isSubstring) {
		const label = `Expected ${isPattern ? 'pattern' : 'substring'}`;
		const values: [string, string][] = [
			[label, wanted],
			['Received string', inLine(received)]
		];
		return [...lines(locator, false), ...lines(values, true), ...lines([timeout], false)];
	}
	const shown = matcher.isState ? String(received) : inLine(received);
	return lines([...locator, ['Expected', wanted], ['Received', shown], timeout], true);
}

function lines(pairs: [string, string][], isAligned: boolean): string[] {
	const width = isAligned ? Math.max(...pairs.map(([label]) => label.length)) + 2 : 0;
	return pairs.map(([label, value]) => `${`${label}:`.padEnd(width - 1)} ${value}`);
}

/** Checks of an element, with equal ones counted, as Playwright lists them. */
class CallLog {
	readonly #looks: { lines: string[]; count: number }[] = [];

	constructor(
		private readonly head: string,
		private readonly words: string
	) {}

	add({ count, element, received }: Look): void {
		if (count === 0 && received === undefined) return;
		const found =
			element === '' || typeof received === 'number' || Array.isArray(received) ? `${count} elements` : element;
		const shown =
			typeof received === 'string' || typeof received === 'number' ? [`unexpected value "${received}"`] : [];
		const entry = [...(this.words === '' ? [] : [`locator resolved to ${found}`]), ...shown];
		const last = this.#looks.at(-1);
		if (last && last.lines.join('\n') === entry.join('\n')) last.count++;
		else this.#looks.push({ lines: entry, count: 1 });
	}

	text(): string {
		const looks = this.#looks.flatMap(({ lines: [first = '', ...rest], count }) => [
			`    ${count > 1 ? `${count} ×` : '-'} ${first}`,
			...rest.map((line) => `      - ${line}`)
		]);
		const waiting = this.words === '' ? [] : [`  - waiting for ${this.words}`];
		return ['Call log:', `  - ${this.head}`, ...waiting, ...looks, ''].join('\n');
	}
}

/** `toHaveURL`: compares the page's URL as the test knows it, not that of the preview. */
export async function checkUrl(
	page: Page,
	expected: UrlPattern,
	baseURL: string | undefined,
	patient: Patient
): Promise<string | null> {
	for (let count = 0; ; count++) {
		const received = await page.currentUrl();
		if (matchesUrl(received, expected, baseURL) !== patient.isNot) return null;
		const left = patient.atMs - performance.now();
		if (left <= 0) {
			const wanted =
				typeof expected === 'string' && URL.canParse(expected, baseURL) ? new URL(expected, baseURL).href : expected;
			const label = expected instanceof RegExp ? 'Expected pattern' : 'Expected';
			const shown = lines(
				[
					[label, `${patient.isNot ? 'not ' : ''}${inLine(wanted)}`],
					[expected instanceof RegExp ? 'Received string' : 'Received', inLine(received)],
					['Timeout', `${patient.timeoutMs}ms`]
				],
				true
			);
			const head = `expect(page)${patient.isNot ? '.not' : ''}.toHaveURL(expected) failed`;
			return [
				head,
				'',
				...shown,
				'',
				new CallLog(`Expect "toHaveURL" with timeout ${patient.timeoutMs}ms`, '').text()
			].join('\n');
		}
		await pause(Math.min(left, PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? 1_000));
	}
}
