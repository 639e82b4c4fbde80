import { expect, it } from 'vitest';
import { checkTask } from './check.ts';
import { runTask } from './run.ts';
import { ms } from './tasks/ms.ts';

/** The session changes files and commits, with at most this many questions. */
const MOST_QUESTIONS = 3;

it('plays a task on ms as a sensible model would, with the outcome of a real machine', async () => {
	const figures = await runTask(ms, 'always');
	checkTask(figures);
	expect(figures.verdicts).toHaveLength(1);
	expect(figures.turns).toBe(ms.steps.length + 1);
	expect(figures.overheadTokens).toBeGreaterThan(500);
	expect(figures.questions.length, JSON.stringify(figures.questions)).toBeLessThanOrEqual(MOST_QUESTIONS);
}, 120_000);
