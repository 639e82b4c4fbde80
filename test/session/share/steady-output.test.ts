import { describe, expect, it } from 'vitest';
import { isJudged, verdictOf } from '#session/share/match.ts';
import { steadyOutput } from '#session/share/steady-output.ts';

describe('output of two runs of a command', () => {
	it.each([
		['done in 1.2s', 'done in 3 s'],
		['12 ms', '7ms'],
		['1e-3 s', '4e2 s'],
		['took 1 second', 'took 12 seconds'],
		['ok 3ns 4µs 5us 6sec 7secs 8min', 'ok 1ns 2µs 3us 4sec 5secs 6min'],
		['5 minutes', '1 minute'],
		['at 12:30:59', 'at 1:02:03.456'],
		['2026-11-27T10:00:00Z', '2025-01-01 09:30'],
		['2026-11-27T10:00:00.123+02:00 x', '2026-11-28T11:00:00-0130 x'],
		['2026-11-27T10:00+02:00', '2026-11-27T10:00Z'],
		['0.123 s', '1.5e-12 s'],
		['# duration_ms 12.5', '# duration_ms 7'],
		['duration_ms: 1', 'duration_ms: 22.75'],
		['a\r\nb', 'a\nb'],
		['a\n\n', 'a'],
		['', '(no output)']
	])('%j and %j are the same', (one, other) => {
		expect(steadyOutput(one, 0)).toBe(steadyOutput(other, 0));
	});

	it.each([
		['5 tests', '6 tests'],
		['5 minstrels', '6 minstrels'],
		['2026-11-27', '2026-11-28'],
		['12:30', '12:31'],
		['v1.2', 'v1.3'],
		['took 5 s', 'took'],
		['a', 'b'],
		['x5s', 'x6s'],
		[' a', 'a'],
		['(no output)x', 'x']
	])('%j and %j are not', (one, other) => {
		expect(steadyOutput(one, 0)).not.toBe(steadyOutput(other, 0));
	});

	it('is compared without the line about its own exit code', () => {
		expect(steadyOutput('failed\n[Exit code: 2]', 2)).toBe('failed');
		expect(steadyOutput('failed\nCommand exited with code 2', 2)).toBe('failed');
		expect(steadyOutput('[Exit code: 2]', 2)).toBe('');
		expect(steadyOutput('[Exit code: 2]', 1)).toBe('[Exit code: 2]');
		expect(steadyOutput('said [Exit code: 2]', 2)).toBe('said [Exit code: 2]');
		expect(steadyOutput('[Exit code: 2]\nmore', 2)).toBe('[Exit code: 2]\nmore');
	});
});

it('gives a command that contradicts its receipt, lacks one or a part of it, or matches, a verdict', () => {
	expect(verdictOf({ problems: ['output'], gaps: ['no_receipt'] })).toBe('differs');
	expect(verdictOf({ problems: [], gaps: ['older_kind', 'no_receipt'] })).toBe('none');
	expect(verdictOf({ problems: [], gaps: ['older_kind'] })).toBe('partial');
	expect(verdictOf({ problems: [], gaps: ['older_kind', 'other_machine'] })).toBe('elsewhere');
	expect(verdictOf({ problems: [], gaps: [] })).toBe('match');
	const judged = (['match', 'partial', 'differs', 'none', 'elsewhere'] as const).filter(isJudged);
	expect(judged).toEqual(['match', 'partial', 'differs']);
});
