import { describe, expect, it } from 'vitest';
import { LoopDetector } from '../../../src/agent/loop/loop-detection.ts';

function detect(calls: string[], results: (index: number) => string = () => 'same'): (string[] | null)[] {
	const detector = new LoopDetector();
	return calls.map((name, index) => {
		detector.push({ type: 'tool_call', id: String(index), name, arguments: { b: 1, a: 2 } }, results(index));
		return detector.detect();
	});
}

const repeat = (pattern: string, length: number): string[] =>
	Array.from({ length }, (_, i) => pattern[i % pattern.length] ?? '');

describe('LoopDetector', () => {
	it.each(['a', 'ab', 'abc'])('names the pattern %s once [9.1-7]', (pattern) => {
		const found = detect(repeat(pattern, 20)).filter((names) => names !== null);
		expect(found).toHaveLength(1);
		expect(found[0]?.toSorted()).toEqual([...pattern]);
	});

	it('waits for the whole window', () => {
		expect(detect(repeat('a', 9)).every((names) => names === null)).toBe(true);
	});

	it('is silent while the results differ', () => {
		expect(detect(repeat('a', 20), String).every((names) => names === null)).toBe(true);
	});

	it('does not see a pattern of four', () => {
		expect(detect(repeat('abcd', 20)).every((names) => names === null)).toBe(true);
	});
});
