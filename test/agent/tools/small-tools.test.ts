import { describe, expect, it } from 'vitest';
import { askUser } from '#agent/tools/ask-user.ts';
import { permittedWith } from '#agent/tools/command-run.ts';
import { countsAsFailure } from '#agent/tools/failure.ts';
import { tidyRows } from '#agent/tools/search-rows.ts';
import { todo } from '#agent/tools/todo.ts';
import type { ToolContext, ToolResult } from '#agent/tool.ts';
import { ALL_RIGHTS, READ_ONLY_RIGHTS, type ExecutionEnvironment } from '#environment/contract.ts';

describe('the task list', () => {
	it('is replaced as a whole, and counted', async () => {
		const lists: unknown[] = [];
		const context = { todo: { replace: (list: unknown) => lists.push(list) } } as unknown as ToolContext;
		const todos = [
			{ content: 'Read', status: 'completed' as const },
			{ content: 'Write', status: 'in_progress' as const },
			{ content: 'Test', status: 'pending' as const }
		];
		expect(await todo.execute({ todos }, context)).toEqual({
			content: 'The task list has 3 items, 1 completed.',
			details: { todos },
			isError: false
		});
		expect((await todo.execute({ todos: [] }, context)).content).toBe('The task list is empty.');
		expect(lists).toEqual([todos, []]);
	});
});

describe('a question to the user', () => {
	it('has the answer as its result, for the page with the question', async () => {
		const asked: unknown[] = [];
		const context = {
			askUser: (...question: unknown[]) => (asked.push(question), Promise.resolve('Blue'))
		} as unknown as ToolContext;
		const question = { question: 'Which one?', options: ['Red', 'Blue'], multiple: true };
		expect(await askUser.execute(question, context)).toEqual({
			content: 'Blue',
			details: { question: 'Which one?', answer: 'Blue' },
			isError: false
		});
		expect(asked).toEqual([['Which one?', ['Red', 'Blue'], true]]);
		await expect(askUser.execute(question, {} as ToolContext)).rejects.toThrow('There is no user to answer here.');
	});
});

describe('a permitted command', () => {
	it('has its rights only where they are not all', () => {
		expect(permittedWith(ALL_RIGHTS)).toEqual({ takesTemporaryFiles: true });
		expect(permittedWith(READ_ONLY_RIGHTS)).toEqual({ takesTemporaryFiles: true, rights: READ_ONLY_RIGHTS });
	});
});

describe('a result', () => {
	it.each<[boolean, Partial<ToolResult>]>([
		[false, { isError: false, details: { timedOut: true } }],
		[true, {}],
		[true, { details: null }],
		[true, { details: 'words' }],
		[true, { details: {} }],
		[false, { details: { refused: true } }],
		[true, { details: { refused: false } }],
		[false, { details: { exitCode: 1 } }],
		[true, { details: { exitCode: null } }],
		[true, { details: { exitCode: 137, timedOut: true } }],
		[false, { details: { exitCode: 137, timedOut: false } }],
		[false, { details: { refused: true, timedOut: true } }]
	])('counts as a failure: %s for %j', (counts, result) => {
		expect(countsAsFailure({ content: '', isError: true, ...result })).toBe(counts);
	});
});

describe('rows of a search', () => {
	it('have paths from the working directory', () => {
		const environment = { workingDirectory: () => '/work' } as ExecutionEnvironment;
		expect(tidyRows(environment, './a:1:x\n/work/b:2:y\n/workshop/c:3:z\n\nd ./e\n')).toEqual([
			'a:1:x',
			'b:2:y',
			'/workshop/c:3:z',
			'',
			'd ./e'
		]);
		expect(tidyRows(environment, 'a')).toEqual(['a']);
		expect(tidyRows(environment, '')).toEqual([]);
	});
});
