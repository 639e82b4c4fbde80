import { describe, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import { checkTask, describeTask } from '#test/trials/check.ts';
import { runTask } from '#test/trials/run.ts';
import { tasks } from '#test/trials/tasks/index.ts';

describe.each(['once', 'always'] as const)('trials, each question allowed %s', (answers) => {
	it.each(tasks)('$name', async (task) => {
		const figures = await runTask(task, answers);
		console.log(`Trial (${answers}) ${describeTask(figures)}`);
		for (const { kind, about } of figures.questions) console.log(`  ${kind}: ${about.slice(0, 100)}`);
		const { name, turns, overheadTokens } = figures;
		await commands.noteFigures({ name, turns, overheadTokens });
		checkTask(figures);
		expect(figures.turns).toBe(task.steps.length + 1);
	});
});
