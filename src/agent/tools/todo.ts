import { z } from 'zod';
import type { Tool } from '../tool.ts';

const schema = z.object({
	todos: z
		.array(
			z.object({
				content: z.string().min(1).describe('What is to be done.'),
				status: z.enum(['pending', 'in_progress', 'completed'])
			})
		)
		.describe('The whole list; it replaces the one before.')
});

/** Updates the agent's task list, which is shown to the user. */
export const todo: Tool<typeof schema> = {
	name: 'todo',
	description:
		'Replaces your task list, which the user sees. Use it for work of three or more steps; keep one item in progress and mark items completed as soon as they are.',
	schema,
	access: 'none',
	execute({ todos }, context) {
		context.todo.replace(todos.map(({ content, status }) => ({ content, status })));
		const done = todos.filter(({ status }) => status === 'completed').length;
		const content = todos.length
			? `The task list has ${todos.length} items, ${done} completed.`
			: 'The task list is empty.';
		return Promise.resolve({ content, details: { todos }, isError: false });
	}
};
