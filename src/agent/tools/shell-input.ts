import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { BackgroundProcesses } from './background.ts';
import { backgroundResult } from './shell.ts';

const schema = z.object({
	session_id: z.number().int().describe('The number of the background process.'),
	chars: z.string().optional().describe('Text to write to its input; absent or empty: only look.'),
	yield_time_ms: z.number().int().min(0).optional().describe('How long to wait for output. Default 1000.'),
	kill: z.boolean().optional().describe('End it, with everything it started.')
});

const MAX_WAIT_MS = 60_000;
const INTERRUPT = '\u0003';
const END_OF_INPUT = '\u0004';

/** Reads the output of a background process, writes to it, or ends it. */
export const shellInput: Tool<typeof schema> = {
	name: 'shell_input',
	// The parameters describe the other functions, since not every profile has all of them.
	description: 'Returns what a background process printed since the last look.',
	schema,
	access: 'write',
	polls: true,
	async execute({ session_id, chars, yield_time_ms, kill }, context) {
		const process = BackgroundProcesses.of(context.state).find(session_id);
		if (chars && !process.result) {
			if (chars === INTERRUPT) await process.process.kill('SIGINT');
			else if (chars === END_OF_INPUT) await process.process.closeInput();
			else {
				await context.propose({
					kind: 'execute',
					command: process.command,
					input: chars,
					cwd: context.environment.workingDirectory(),
					description: `Write ${JSON.stringify(chars.length > 80 ? `${chars.slice(0, 80)}…` : chars)} to \`${process.command}\``
				});
				await process.process.write(chars);
			}
		}
		if (!kill) {
			await process.settle(Math.min(yield_time_ms ?? 1_000, MAX_WAIT_MS), context.signal);
			return backgroundResult(process);
		}
		const wasRunning = !process.result;
		await process.process.kill('SIGTERM');
		const result = await backgroundResult(process);
		// A requested end is not a failure, whatever the exit code.
		return wasRunning ? { ...result, isError: false } : result;
	}
};
