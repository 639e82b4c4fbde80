import type { ReplaceOptions } from '#computer/abi/syscalls.ts';
import type { SimpleCommand, Statement } from '../ast/nodes.ts';
import type { Shell } from '../state/shell.ts';
import type { OpenFile } from '../streams/open-file.ts';
import { nullOutput, nullStream } from '../streams/simple-streams.ts';

/**
 * Returns the command that may replace the shell: the last one of `bash -c`, if it is simple and has no redirections.
 */
export function lastCommand(statements: readonly Statement[]): SimpleCommand | null {
	const statement = statements.at(-1);
	const pipeline = statement?.pipelines.at(-1);
	const command = pipeline?.commands[0];
	if (command?.type !== 'SimpleCommand' || pipeline?.commands.length !== 1) return null;
	const isPlain = statement?.background !== true && !pipeline.timed && !pipeline.negated;
	return isPlain && command.redirections.length === 0 ? command : null;
}

/** Returns whether the shell has no traps, which would require it to stay. */
export const hasNoTraps = (shell: Shell): boolean =>
	[...shell.traps].every(([name, action]) => action === '' && name !== 'EXIT' && name !== 'ERR');

/**
 * Runs a program in place of the shell, with the same pid. Returns if that is not possible, because work inside of the
 * shell continues or feeds the program.
 *
 * @throws SyscallError if it cannot be run
 */
export async function replaceShell(shell: Shell, program: ReplaceOptions): Promise<void> {
	const { context, background, forks, standard } = shell.host;
	const hasWork = shell.afterCommand.length > 0 || [...background].some((job) => !job.isProcess);
	if (!context.replace || hasWork) return;
	const given: number[] = [];
	const streams = directStreams(shell, given);
	if (streams) {
		await standard.flush();
		const leavesNothing = !shell.interactive && shell.jobs.all().length === 0 && forks.isEmpty();
		const level = Number(program.env['SHLVL'] ?? 1) - 1;
		const env = { ...program.env, SHLVL: String(Math.max(0, level)) };
		await context.replace({ ...program, env, ...streams }, leavesNothing);
	}
	for (const descriptor of given) context.sync.close(descriptor);
}

/**
 * Descriptors for a program that replaces the shell; null if a stream lives in the shell.
 *
 * @param given receives those that were opened for it
 */
function directStreams(
	shell: Shell,
	given: number[]
): Pick<ReplaceOptions, 'stdin' | 'stdout' | 'stderr' | 'descriptors'> | null {
	const opened = new Map<OpenFile, number | null>();
	const own = (file: OpenFile): number | null => {
		const known = opened.get(file) ?? file.kernel;
		if (known !== undefined) return known;
		const descriptor = file.stream.openForChild?.() ?? null;
		if (descriptor !== null) given.push(descriptor);
		opened.set(file, descriptor);
		return descriptor;
	};
	const standard = [0, 1, 2].map((number) => {
		const file = shell.descriptors.get(number);
		return !file || [nullStream, nullOutput].includes(file.stream) ? ('null' as const) : own(file);
	});
	const [stdin = null, stdout = null, stderr = null] = standard;
	const higher = shell.descriptors.higher().map(([number, file]): [number, number | null] => [number, own(file)]);
	const descriptors = higher.filter((entry): entry is [number, number] => entry[1] !== null);
	const isDirect = stdin !== null && stdout !== null && stderr !== null && descriptors.length === higher.length;
	return isDirect ? { stdin, stdout, stderr, ...(descriptors.length > 0 ? { descriptors } : {}) } : null;
}
