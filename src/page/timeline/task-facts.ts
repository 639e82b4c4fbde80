import type { Item, ItemOf } from './items.ts';
import type { Task } from './rows.ts';
import { testResultOf, type TestResult } from './test-result.ts';

/** Facts about a task, from its rows. */
export interface TaskFacts {
	/** Number of tool calls, without the agent's own notes. */
	steps: number;
	/** Permission requests that the user allowed. */
	allowed: number;
	/** Last test run, and the number of failures in the first one; `null` if no run reported a result. */
	tests: (TestResult & { failedBefore: number | null }) | null;
}

/** Counts what a task did. */
export function taskFacts({ items }: Pick<Task, 'items'>): TaskFacts {
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
