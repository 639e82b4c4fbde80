import { describe, expect, it } from 'vitest';
import { splitAnswer } from '#computer/kernel/port/answer-parts.ts';
import { parseToPage } from '#computer/host/parse.ts';
import { joinParts, parsePart, parseResult } from '#computer/host/results.ts';
import { PART_ITEMS } from '#environment/parts.ts';

const request = { method: 'GET', url: 'https://example.org/', headers: [], body: null, purpose: 'fetch' };
const change = { seq: 1, path: '/workspace/a', kind: 'write', mode: 0o100644, bytes: new Uint8Array(1) };

describe('a message to the page', () => {
	it.each([
		{ type: 'result', id: 1, value: null },
		{ type: 'part', id: 1, list: 'entries', items: [1] },
		{ type: 'output', pid: 2, stream: 'stdout', bytes: new Uint8Array(3) },
		{ type: 'changes', changes: [change] },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request } }
	])('of the kernel is taken: $type', (message) => {
		expect(parseToPage(message)).toEqual(message);
	});

	it.each([
		null,
		'ping',
		[],
		{},
		{ type: 'eval', code: '1' },
		{ type: '__proto__', id: 1 },
		{ type: 'result', id: -1, value: null },
		{ type: 'result', id: '1', value: null },
		{ type: 'output', pid: 2, stream: 'stdin', bytes: new Uint8Array(1) },
		{ type: 'output', pid: 2, stream: 'stdout', bytes: 'text' },
		{ type: 'ended', pid: 1.5, code: 0 },
		{ type: 'changes', changes: [{ ...change, path: 'relative' }] },
		{ type: 'changes', changes: [{ ...change, kind: 'chown' }] },
		{ type: 'changes', changes: { length: 1, 0: change } },
		{ type: 'ask', id: 1, question: { kind: 'storage', name: 'sessions' } },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request: { ...request, headers: [['a']] } } },
		{ type: 'ask', id: 1, question: { kind: 'fetch', request: { ...request, url: 1 } } }
	])('that is none of the kernel is ignored: %j', (forged) => {
		expect(parseToPage(forged)).toBeNull();
	});

	it('brings along nothing that was not asked for', () => {
		const forged = { type: 'ended', pid: 1, code: 0, then: 'x', constructor: 'y' };
		expect(Object.keys(parseToPage(forged) ?? {})).toEqual(['type', 'pid', 'code']);
	});
});

describe('a long answer', () => {
	const entry = (number: number): [string, number, string] => [`f${number}`, 0o100644, 'x'];
	const long = Array.from({ length: 2 * PART_ITEMS + 5 }, (_, index) => entry(index));

	it('arrives in short parts, and is whole again', () => {
		const whole = { id: 'a', since: '', entries: long, removed: ['gone'] };
		const { parts, rest } = splitAnswer(whole);
		expect(parts.map(({ list, items }) => [list, items.length])).toEqual([
			['entries', PART_ITEMS],
			['entries', PART_ITEMS]
		]);
		const parsed = parts.map(({ list, items }) => parsePart('snapshot', list, items));
		const end = parseResult('snapshot', rest);
		expect(joinParts('snapshot', [...parsed, end], end)).toEqual(whole);
		const names = long.map(([name]) => name);
		const split = splitAnswer(names);
		const found = split.parts.map(({ list, items }) => parsePart('glob', list, items));
		const last = parseResult('glob', split.rest);
		expect(joinParts('glob', [...found, last], last)).toEqual(names);
	});

	it('of lists that are none of the operation, or of other items, is refused', () => {
		expect(() => parsePart('glob', '', [1])).toThrow();
		expect(() => parsePart('glob', 'entries', [])).toThrow(/no list/);
		expect(() => parsePart('snapshot', '', [])).toThrow(/no list/);
		expect(() => parsePart('snapshot', '__proto__', [])).toThrow(/no list/);
		expect(() => parsePart('snapshot', 'removed', [entry(1)])).toThrow();
		expect(() => parsePart('ping', '', [])).toThrow(/no list/);
	});
});
