import { z } from 'zod';
import type { Tool, ToolContext } from '../tool.ts';
import { commandDetails, commandTimeout, proposeCommand, runCommand, type CommandRun } from './command-run.ts';
import { TemporaryFiles } from './temporary-files.ts';
import { byteLength, cutTail, formatSize, PI_PAGE, type PageLimits, type Tail } from './page.ts';

const schema = z.object({
	command: z.string().min(1).describe('The command; bash runs it.'),
	timeout: z.number().positive().optional().describe('Ends the command after so many seconds.'),
	working_dir: z.string().optional().describe('Where to run it; the working directory otherwise.')
});

export type ShellTailSchema = typeof schema;

/**
 * The shell of the generic profile: the end of the output, the whole in a file where it is long
 * (003 §3.3).
 */
export function createShellTail(limits: PageLimits = PI_PAGE): Tool<ShellTailSchema> {
	return {
		name: 'shell_tail',
		description:
			'Runs a bash command and returns its output, the last 2,000 lines or 50 KB of it; the whole of a longer one is in a file that the result names. Set timeout (seconds) for long ones.',
		schema,
		access: 'write',
		async execute({ command, timeout, working_dir }, context) {
			const cwd = await proposeCommand(context, command, working_dir);
			const timeoutMs = commandTimeout(context, timeout === undefined ? undefined : timeout * 1_000);
			const run = await runCommand(context, command, { cwd, timeoutMs });
			const tail = cutTail(run.output, limits);
			const outputFile = tail.truncated ? await keepWhole(context, run.output) : undefined;
			const shown = tail.truncated
				? `${tail.text}\n\n${notice(tail, run.output, outputFile ?? '', limits)}`
				: tail.text;
			const details = {
				...commandDetails(command, run),
				truncated: tail.truncated,
				...(outputFile ? { outputFile } : {})
			};
			return {
				content: shown + ending(run),
				fullOutput: run.output + ending(run),
				details,
				isError: run.result.exitCode !== 0
			};
		}
	};
}

export const shellTail = createShellTail();

async function keepWhole(context: ToolContext, output: string): Promise<string> {
	const path = `/tmp/sandglass-shell-${context.callId.replace(/[^\w-]/g, '').slice(-40) || 'call'}.log`;
	await context.environment.writeFile(path, output);
	TemporaryFiles.of(context.state).add(path);
	return path;
}

function notice(tail: Tail, whole: string, file: string, limits: PageLimits): string {
	const earlier = tail.firstLine - 1;
	const left = earlier > 0 ? `, ${earlier} earlier ${earlier === 1 ? 'line' : 'lines'} left out` : '';
	const byLines = tail.totalLines - earlier === limits.maxLines;
	const limit = byLines ? `${limits.maxLines} lines limit` : `${formatSize(limits.maxBytes)} limit`;
	const size = `${limit}, ${formatSize(byteLength(whole))} in all`;
	return `[Showing lines ${tail.firstLine}-${tail.totalLines} of ${tail.totalLines} (${size})${left}. Full output: ${file}]`;
}

function ending({ result, timeoutMs, aborted, output }: CommandRun): string {
	if (aborted) return `${output ? '\n\n' : ''}Command aborted`;
	if (result.timedOut) return `${output ? '\n\n' : ''}Command timed out after ${timeoutMs / 1_000} seconds`;
	return result.exitCode === 0 ? '' : `${output ? '\n\n' : ''}Command exited with code ${result.exitCode}`;
}
