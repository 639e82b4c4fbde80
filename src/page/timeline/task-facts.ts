import type { Item, ItemOf } from './items.ts';
import type { Task } from './rows.ts';
import { testResultOf, type TestResult } from './test-result.ts';

/** What a task's rows say about it. */
export interface TaskFacts {
	/** Calls of tools, the agent's own notes aside. */
	steps: number;
	/** Questions that the user allowed. */
	allowed: number;
	/** Its last run of tests, and how many failed in its first; `null` where no run told its result. */
	tests: (TestResult & { failedBefore: number | null }) | null;
}

/** Counts what a task did. */
export function taskFacts({ items }: Task): TaskFacts {
	const runs = items.flatMap((item) => (item.kind === 'tool' ? (testResultOf(item) ?? []) : []));
	const last = runs.at(-1);
	return {
		steps: items.filter(isStep).length,
		allowed: items.filter(isAllowed).length,
		tests: last ? { ...last, failedBefore: runs.length > 1 ? (runs[0]?.failed ?? null) : null } : null
	};
}

function isStep(item: Item): item is ItemOf<'tool'> {
	return item.kind === 'tool' && item.tool !== 'todo';
}

function isAllowed(item: Item): boolean {
	return item.kind === 'permission' && (item.decision?.kind.startsWith('allow') ?? false);
}
