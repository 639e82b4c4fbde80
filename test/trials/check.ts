import { expect } from 'vitest';
import type { TaskFigures } from './run.ts';

/**
 * Fails if a step had an unexpected result, or if the tab's verdict on the finished tree differs from a real machine's.
 */
export function checkTask({ name, surprises, verdicts }: TaskFigures): void {
	expect(surprises, name).toEqual([]);
	for (const { kind, command, exitCode, tab, native } of verdicts) {
		expect(tab, `${name}: ${command}`).toEqual(native);
		expect(native.exitCode, `${name}: ${command} natively`).toBe(exitCode ?? 0);
		// Two tools that found nothing because they did not run do not agree.
		if (kind === 'tests') expect(native.passed, `${name}: ${command} natively`).toBeGreaterThan(0);
		if (kind === 'build') expect(native.built, `${name}: ${command} natively`).not.toEqual([]);
		if (exitCode !== undefined) expect(native.problems, `${name}: ${command} natively`).not.toEqual([]);
	}
}

/** One line for a table. */
export function describeTask({ name, turns, overheadTokens, questions }: TaskFigures): string {
	const kinds = new Map<string, number>();
	for (const { kind } of questions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
	const counted = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none';
	return `${name}: ${turns} turns, ${overheadTokens} tokens of overhead, ${questions.length} questions (${counted})`;
}
