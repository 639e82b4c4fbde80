import { expect } from 'vitest';
import type { TaskFigures } from './run.ts';

/** Fails where a step came out otherwise, or where the tab judges the finished tree otherwise than a real machine. */
export function checkTask({ name, surprises, verdicts }: TaskFigures): void {
	expect(surprises, name).toEqual([]);
	for (const { command, tab, native } of verdicts) {
		expect(tab, `${name}: ${command}`).toEqual(native);
		expect(native.exitCode, `${name}: ${command} natively`).toBe(0);
	}
}

/** One line for a table. */
export function describeTask({ name, turns, overheadTokens, questions }: TaskFigures): string {
	const kinds = new Map<string, number>();
	for (const { kind } of questions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
	const counted = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none';
	return `${name}: ${turns} turns, ${overheadTokens} tokens of overhead, ${questions.length} questions (${counted})`;
}
