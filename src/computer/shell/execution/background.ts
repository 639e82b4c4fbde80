import { type SignalName, statusOf } from '#computer/abi/signals.ts';
import type { Statement } from '../ast/nodes.ts';
import { Control, Interrupted, nextTask } from '../state/control.ts';
import type { Job } from '../state/jobs.ts';
import type { Shell } from '../state/shell.ts';
import { OpenFile } from '../streams/open-file.ts';
import { nullStream } from '../streams/simple-streams.ts';
import { awaitRoom } from './fork.ts';
import { findCommand } from './lookup.ts';
import { complain, runAndOr } from './script.ts';
import { runToEnd } from './subshell.ts';
import { signalArrived } from './traps.ts';

/** Jobs inside the shell have numbers above the kernel's, different in each shell. */
const INVENTED_FROM = 1 << 22;
const INVENTED_EACH = 256;
let invented = 0;

/** Starts a statement with `&`: it runs in parallel to the shell as a job. @throws ShellError, Interrupted */
export async function startJob(shell: Shell, statement: Statement): Promise<void> {
	const command = (statement.sourceText ?? '').replace(/\s*&\s*$/, '');
	const job = await startWork(shell, command, (inner) => {
		// The ERR trap does not run inside a job for the status of the job's only command.
		if (isSimple(statement)) inner.traps.delete('ERR');
		return runAndOr(inner, { ...statement, background: false });
	});
	if (isProgram(shell, statement)) {
		// Wait until its process id is known, so that a later command can end it.
		await Promise.race([job.started, job.finished]);
		const [process] = job.processes;
		if (process !== undefined) job.pid = Math.abs(process);
		job.isProcess = true;
	}
	shell.lastBackground = job.pid;
}

/** Moves a subshell to the background: it does not get Ctrl-C, and its input is empty unless it has its own. */
function sendBack(shell: Shell, inner: Shell): void {
	inner.control.end();
	inner.control = new Control(undefined, () => false);
	inner.background = true;
	inner.ignoresInterrupt = !shell.interactive && !shell.options.monitor;
	const keepsInput = shell.hasOwnInput || (shell.interactive && shell.descriptors.get(0)?.kernel === 0);
	if (!keepsInput) inner.descriptors.set(0, new OpenFile(nullStream));
}

/**
 * Runs `work` in a subshell in parallel to the shell, as a job.
 *
 * @param isInFront whether it belongs to the running command, like the script of `<(…)`
 * @throws ShellError, Interrupted
 */
export async function startWork(
	shell: Shell,
	command: string,
	work: (inner: Shell) => Promise<number>,
	isInFront = false
): Promise<Job> {
	await awaitRoom(shell);
	const { background, context } = shell.host;
	const pid = INVENTED_FROM + context.pid * INVENTED_EACH + (++invented % INVENTED_EACH);
	const inner = shell.fork();
	inner.pid = pid;
	if (!isInFront) sendBack(shell, inner);
	inner.interactive = false;
	inner.processes = new Set();
	const started = new Promise<void>((resolve) => (inner.spawned = resolve));
	// The shell continues first, as it would while the system creates the process.
	const finished = runToEnd(inner, async () => {
		await nextTask();
		return work(inner);
	})
		.catch((error: unknown) => {
			if (error instanceof Interrupted) return error.status;
			complain(shell, error instanceof Error ? error.message : String(error));
			return 1;
		})
		.finally(() => inner.dispose());
	const job = shell.jobs.add({
		pid,
		processes: inner.processes,
		traps: inner.traps,
		control: inner.control,
		command,
		ignoresInterrupt: inner.ignoresInterrupt,
		status: null,
		finished,
		started
	});
	background.add(job);
	void finished.then((status) => {
		job.status = status;
		if (shell.options.monitor && shell.traps.has('CHLD')) signalArrived('CHLD');
		background.delete(job);
	});
	return job;
}

function isSimple({ pipelines }: Statement): boolean {
	const [command, ...more] = pipelines.flatMap((pipeline) => pipeline.commands);
	return command?.type === 'SimpleCommand' && more.length === 0;
}

/** Returns whether a statement is a single program, which is a process of its own. */
function isProgram(shell: Shell, { pipelines }: Statement): boolean {
	const [command, ...more] = pipelines.flatMap((pipeline) => pipeline.commands);
	if (command?.type !== 'SimpleCommand' || more.length) return false;
	const [part, ...rest] = command.name?.parts ?? [];
	if (part?.type !== 'Literal' || rest.length) return false;
	const found = findCommand(shell, part.value);
	return found.kind === 'program';
}

/** Ends a job by a signal: its part inside the shell stops, and its processes receive the signal. */
export function stopJob(job: Pick<Job, 'control' | 'isKilled'>, signal: SignalName): void {
	job.isKilled = true;
	job.control.stop(statusOf(signal).code, signal);
}
