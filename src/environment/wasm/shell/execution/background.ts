import type { Statement } from '../ast/nodes.ts';
import { Control, Interrupted } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { OpenFile } from '../streams/open-file.ts';
import { nullStream } from '../streams/simple-streams.ts';
import { awaitRoom } from './fork.ts';
import { complain, runAndOr } from './script.ts';
import { runToEnd } from './subshell.ts';

let invented = 1 << 22;

/** Starts a statement with `&`: it runs beside the shell and is known as a job. @throws ShellError, Interrupted */
export async function startJob(shell: Shell, statement: Statement): Promise<void> {
	await awaitRoom(shell);
	const inner = shell.fork();
	// Ctrl-C is for what runs in front; a job is stopped by `kill`.
	inner.control.end();
	inner.control = new Control(undefined, () => false);
	inner.background = true;
	inner.interactive = false;
	inner.processes = new Set();
	const started = new Promise<void>((resolve) => (inner.spawned = resolve));
	if (!shell.interactive || shell.descriptors.get(0)?.kernel !== 0) inner.descriptors.set(0, new OpenFile(nullStream));
	const finished = runToEnd(inner, async () => runAndOr(inner, { ...statement, background: false }))
		.catch((error: unknown) => {
			if (error instanceof Interrupted) return error.status;
			complain(shell, error instanceof Error ? error.message : String(error));
			return 1;
		})
		.finally(() => inner.dispose());
	const job = shell.jobs.add({
		pid: ++invented,
		processes: inner.processes,
		control: inner.control,
		command: (statement.sourceText ?? '').replace(/\s*&\s*$/, ''),
		status: null,
		finished,
		started
	});
	finished.then((status) => (job.status = status));
	shell.lastBackground = job.pid;
}

/** Ends a job: its processes get the signal and its part inside the shell stops. */
export function stopJob(
	shell: Shell,
	job: { processes: Set<number>; control: Control },
	signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGHUP'
): void {
	const statuses = { SIGTERM: 143, SIGINT: 130, SIGKILL: 137, SIGHUP: 129 };
	for (const process of job.processes) {
		try {
			shell.host.context.sync.kill(process, signal);
		} catch {
			// It has ended meanwhile.
		}
	}
	job.control.stop(statuses[signal]);
}
