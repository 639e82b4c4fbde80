import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { commandDetails, commandTimeout, runCommand, type CommandRun } from './command-run.ts';
import { TemporaryFiles } from './temporary-files.ts';
import { cutTail, formatSize, PI_PAGE, type PageLimits, type Tail } from './page.ts';
import { plainOutput } from './plain-output.ts';
import { RollingOutput } from './rolling-output.ts';
import { wholeOutputPath } from './whole-output.ts';

const schema = z.object({
	command: z.string().min(1).describe('The command; bash runs it.'),
	timeout: z.number().positive().optional().describe('Time limit in seconds.'),
	working_dir: z.string().optional().describe('Where to run it; the working directory otherwise.')
});

export type ShellTailSchema = typeof schema;

/**
 * Creates the shell tool of the generic profile: returns the end of the output, and saves a long one completely in a
 * file (003 §3.3).
 */
export function createShellTail(limits: PageLimits = PI_PAGE): Tool<ShellTailSchema> {
	return {
		name: 'shell_tail',
		description:
			'Runs a bash command and returns the last 2,000 lines or 50 KB of its output; the result names a file that has all of a longer output. Set timeout (seconds) for long commands.',
		schema,
		access: 'write',
		async execute({ command, timeout, working_dir }, context) {
			const timeoutMs = commandTimeout(context, timeout === undefined ? undefined : timeout * 1_000);
			let output = new RollingOutput(context.environment, wholeOutputPath(context));
			const run = await runCommand(
				context,
				{ command, directory: working_dir, timeoutMs },
				{
					add: (data) => output.add(data),
					restart: () => (output = new RollingOutput(context.environment, wholeOutputPath(context)))
				}
			);
			output.end();
			const { text, bytesBefore } = output.window();
			const tail = cutTail(plainOutput(text), limits);
			const outputFile = await output.wholeFile(tail.truncated);
			if (outputFile) TemporaryFiles.of(context.state).add(outputFile);
			const end = ending(run, output.totalBytes > 0);
			const where = outputFile ? `Full output: ${outputFile}` : 'The whole could not be kept';
			return {
				content: (tail.truncated ? `${tail.text}\n\n${notice(tail, output, where, limits)}` : tail.text) + end,
				fullOutput: (bytesBefore > 0 ? `[${bytesBefore} earlier bytes. ${where}]\n` : '') + text + end,
				details: {
					...commandDetails(command, run),
					truncated: tail.truncated,
					...(outputFile ? { outputFile } : {})
				},
				isError: run.result.exitCode !== 0
			};
		}
	};
}

export const shellTail = createShellTail();

function notice(tail: Tail, output: RollingOutput, where: string, limits: PageLimits): string {
	const shown = tail.totalLines - tail.firstLine + 1;
	const { totalLines } = output;
	const earlier = totalLines - shown;
	const left = earlier > 0 ? `, ${earlier} earlier ${earlier === 1 ? 'line' : 'lines'} left out` : '';
	const limit = shown === limits.maxLines ? `${limits.maxLines} lines limit` : `${formatSize(limits.maxBytes)} limit`;
	const size = `${limit}, ${formatSize(output.totalBytes)} in all`;
	return `[Showing lines ${earlier + 1}-${totalLines} of ${totalLines} (${size})${left}. ${where}]`;
}

function ending({ result, timeoutMs, aborted }: CommandRun, hasOutput: boolean): string {
	const above = hasOutput ? '\n\n' : '';
	if (aborted) return `${above}Command aborted`;
	if (result.timedOut) return `${above}Command timed out after ${timeoutMs / 1_000} seconds`;
	return result.exitCode === 0 ? '' : `${above}Command exited with code ${result.exitCode}`;
}
