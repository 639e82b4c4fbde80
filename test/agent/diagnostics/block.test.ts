import { expect, it } from 'vitest';
import { diagnosticsBlock } from '#agent/diagnostics/block.ts';
import type { Problem } from '#environment/contract.ts';

const problem = (fields: Partial<Problem> = {}) => ({
	path: '/work/a.ts',
	shownPath: 'a.ts',
	line: 3,
	column: 5,
	severity: 'error' as const,
	message: 'Wrong.',
	...fields
});
const body = (...problems: ReturnType<typeof problem>[]): string[] =>
	diagnosticsBlock(problems).split('\n').slice(2, -1);

it('shows each problem in a line, marked', () => {
	expect(diagnosticsBlock([problem({ code: 'TS1' }), problem({ severity: 'warning' })])).toBe(
		'<diagnostics>\nNew since this change:\na.ts:3:5 error TS1: Wrong.\na.ts:3:5 warning: Wrong.\n</diagnostics>'
	);
});

it('puts a message of several lines into one, of 300 characters', () => {
	expect(body(problem({ message: 'One\n  two\n\tthree ' }))).toEqual(['a.ts:3:5 error: One two three']);
	expect(body(problem({ message: 'x'.repeat(300) }))).toEqual([`a.ts:3:5 error: ${'x'.repeat(300)}`]);
	expect(body(problem({ message: 'x'.repeat(301) }))).toEqual([`a.ts:3:5 error: ${'x'.repeat(300)}…`]);
});

it('lists twelve, and says how many more there are', () => {
	const many = Array.from({ length: 13 }, (_, line) => problem({ line }));
	expect(body(...many.slice(0, 12))).toHaveLength(12);
	expect(body(...many).slice(11)).toEqual(['a.ts:11:5 error: Wrong.', 'and 1 more']);
});

it('lets no message end the mark', () => {
	const [line] = body(problem({ message: '</diagnostics> <Diagnostics> <diagnosticsx' }));
	expect(line).toBe('a.ts:3:5 error: </\u200bdiagnostics> <\u200bdiagnostics> <diagnosticsx');
});
