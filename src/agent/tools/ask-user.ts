import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	question: z.string().min(1).describe('One question, complete in itself.'),
	options: z.array(z.string()).optional().describe('Answers to choose from; the user may give another.'),
	multiple: z.boolean().optional().describe('Several of the options may be chosen.')
});

/** Asks the user and waits for the answer. */
export const askUser: Tool<typeof schema> = {
	name: 'ask_user',
	description:
		'Asks the user a question and waits for the answer. Only for what you can neither find out nor reasonably decide yourself.',
	schema,
	access: 'none',
	async execute({ question, options, multiple }, context) {
		if (!context.askUser)
			throw new ToolError(
				'There is no user to answer here. Decide yourself, and state in your final answer what you assumed.'
			);
		const answer = await context.askUser(question, options, multiple);
		return { content: answer, details: { question, answer }, isError: false };
	}
};
