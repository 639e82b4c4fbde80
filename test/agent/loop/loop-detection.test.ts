import { describe, expect, it } from 'vitest';
import { LoopDetector, type DetectedLoop } from '#agent/loop/loop-detection.ts';
import type { LoopDetection } from '#agent/loop/config.ts';
import { fakeSession, ofType } from '../fake-session.ts';
import { fakeProfile, fakeTool } from '../fake-tools.ts';

function detect(
	calls: string[],
	answer: (index: number) => string | null = () => null,
	options: LoopDetection = {}
): (DetectedLoop | null)[] {
	const detector = new LoopDetector(options);
	return calls.map((name, index) => {
		detector.push({ type: 'tool_call', id: String(index), name, arguments: { b: 1, a: 2 } }, answer(index));
		return detector.detect();
	});
}

const repeat = (pattern: string, length: number): string[] =>
	Array.from({ length }, (_, i) => pattern[i % pattern.length] ?? '');
/** Numbers of the calls, counted from 1, that caused a warning, with its text. */
const said = (found: (DetectedLoop | null)[]) =>
	found.flatMap((loop, index) => (loop ? [[index + 1, loop.endsRun ? 'ends' : 'warns']] : []));

describe('LoopDetector', () => {
	it.each(['a', 'ab', 'abc'])('names the pattern %s, warns twice and then ends the run [9.1-7]', (pattern) => {
		const found = detect(repeat(pattern, 39));
		expect(said(found)).toEqual([
			[10, 'warns'],
			[20, 'warns'],
			[30, 'ends']
		]);
		expect(found[9]?.pattern.toSorted()).toEqual([...pattern]);
		expect(found[9]?.message).toContain('Try a different approach');
	});

	it('warns while the results differ: the call is the same', () => {
		expect(said(detect(repeat('a', 10)))).toEqual([[10, 'warns']]);
	});

	it('is silent while the answers of a tool that polls differ, and warns when they repeat', () => {
		expect(said(detect(repeat('a', 40), String))).toEqual([]);
		expect(said(detect(repeat('a', 15), (index) => (index < 5 ? String(index) : 'the same')))).toEqual([[15, 'warns']]);
	});

	it('counts the warnings of each pattern by itself', () => {
		const found = detect([...repeat('a', 20), ...repeat('b', 29)]);
		expect(said(found)).toEqual([
			[10, 'warns'],
			[20, 'warns'],
			[30, 'warns'],
			[40, 'warns']
		]);
	});

	it('never ends the run where that is asked for', () => {
		expect(said(detect(repeat('a', 40), () => null, { warnings: 0 })).map(([, what]) => what)).toEqual(
			Array(4).fill('warns')
		);
	});

	it('does not see a pattern of four', () => {
		expect(said(detect(repeat('abcd', 40)))).toEqual([]);
	});

	it('sees a pattern only where the window holds it twice', () => {
		expect(said(detect(repeat('ab', 12), () => null, { window: 3 }))).toEqual([]);
		expect(said(detect(repeat('ab', 4), () => null, { window: 4 }))).toEqual([[4, 'warns']]);
	});

	it('says at the end how often it warned, and about which calls', () => {
		expect(detect(repeat('ab', 20), () => null, { warnings: 1 })[19]?.message).toBe(
			'The model went on repeating the same 2 calls (a, b) after a warning. Say what it should do instead to go on.'
		);
		expect(detect(repeat('a', 40), () => null, { warnings: 3 })[39]?.message).toContain(
			'repeating the same call (a) after 3 warnings.'
		);
	});

	it.each<[string, Record<string, unknown>[], boolean]>([
		[
			'the same in another order',
			[
				{ a: { x: 1, y: [1, 2] }, b: 0 },
				{ b: 0, a: { y: [1, 2], x: 1 } }
			],
			true
		],
		['nothing', [{ a: null }, { a: null }], true],
		['another value far inside', [{ a: { x: { y: 1 } } }, { a: { x: { y: 2 } } }], false],
		['a list in another order', [{ a: [1, 2] }, { a: [2, 1] }], false],
		['a list and an object', [{ a: ['x'] }, { a: { 0: 'x' } }], false]
	])('compares arguments by their values: %s', (_, versions, isSame) => {
		const detector = new LoopDetector({ window: 5 });
		const found = ['a', 'b', 'a', 'a', 'b'].map((version, id) => {
			const given = versions[version === 'a' ? 0 : 1] ?? {};
			detector.push({ type: 'tool_call', id: String(id), name: 'read', arguments: given }, null);
			return detector.detect();
		});
		expect(found.some(Boolean)).toBe(isSame);
	});
});

describe('a run whose model repeats itself', () => {
	let count = 0;
	const clock = fakeTool('clock', async () => `tick ${++count}`);
	const watch = fakeTool('watch', async () => `tick ${++count}`);
	watch.tool.polls = true;
	const again = (name: string) => ({ calls: [{ name, arguments: {} }] });

	it('ends after two warnings, and says how to go on', async () => {
		const { session, seen } = await fakeSession(
			Array.from({ length: 40 }, () => again('clock')),
			{ profile: fakeProfile([clock]) }
		);
		const result = await session.submit('What time is it?').result;
		expect(result).toMatchObject({ stopReason: 'turn_limit', turns: 30 });
		expect(ofType(seen, 'loop_detection')).toHaveLength(2);
		expect(ofType(seen, 'turn_limit').map(({ message }) => message)).toEqual([
			'The model went on repeating the same call (clock) after 2 warnings. Say what it should do instead to go on.'
		]);
	});

	it('goes on while what it looks at changes, to the default limit of rounds', async () => {
		const { session, seen } = await fakeSession(
			Array.from({ length: 205 }, () => again('watch')),
			{ profile: fakeProfile([watch]) }
		);
		const result = await session.submit('Wait for it').result;
		expect(result).toMatchObject({ stopReason: 'turn_limit', turns: 200 });
		expect(ofType(seen, 'loop_detection')).toEqual([]);
		expect(ofType(seen, 'turn_limit').map(({ limit }) => limit)).toEqual([200]);
	});
});
