import type { Script } from '../ast/nodes.ts';
import { printScript } from '../ast/print.ts';
import { startWork } from '../execution/background.ts';
import { runScript } from '../execution/script.ts';
import type { Job } from '../state/jobs.ts';
import type { Shell } from '../state/shell.ts';
import { memoryPipe } from '../streams/memory-pipe.ts';
import { OpenFile } from '../streams/open-file.ts';
import { SubstitutedFile } from '../streams/substituted-file.ts';
import { runOrCopy } from './substitution.ts';

/**
 * Starts the script of a process substitution in parallel to the shell. `$!` is its process, which is not a numbered
 * job.
 */
async function start(
	shell: Shell,
	script: Script,
	kind: 'reader' | 'writer',
	run: (inner: Shell) => Promise<number>
): Promise<Job> {
	const work = (inner: Shell) => {
		inner.traceDepth++;
		return run(inner);
	};
	const job = await startWork(shell, printScript(script), work, kind === 'writer');
	Object.assign(job, { substitution: kind, reported: true });
	shell.lastBackground = job.pid;
	return job;
}

/**
 * Opens the file that `< <(script)` reads while the script runs; the script ends as by SIGPIPE when there is no reader
 * left.
 */
export async function processOutput(shell: Shell, script: Script): Promise<OpenFile> {
	const { reader, writer } = memoryPipe();
	await start(shell, script, 'writer', (inner) => {
		inner.descriptors.set(1, new OpenFile(writer));
		return runOrCopy(inner, script);
	});
	return new OpenFile(reader);
}

/**
 * Opens the file that `> >(script)` writes to: the script reads it while the command runs, or until the shell closes
 * it.
 */
export async function processInput(shell: Shell, script: Script): Promise<OpenFile> {
	const { reader, writer } = memoryPipe();
	let isOpen = true;
	const close = () => {
		isOpen = false;
		writer.close();
	};
	const job = await start(shell, script, 'reader', (inner) => {
		inner.descriptors.set(0, new OpenFile(reader));
		return runScript(inner, script);
	});
	// The reader ends with the command. For `exec`, the shell waits for it when it ends.
	shell.afterCommand.push(async () => {
		if (!isOpen) await job.finished;
	});
	return new OpenFile({ ...writer, close });
}

let counter = 0;

/**
 * Creates the file name for `<(script)` or `>(script)`: a pipe which the script writes or reads while the command runs.
 */
export async function processSubstitution(shell: Shell, script: Script, direction: '<' | '>'): Promise<string> {
	const { context, substitutions } = shell.host;
	const path = `/tmp/.substitution-${context.pid}-${++counter}`;
	const isRead = direction === '<';
	const content = await (isRead ? processOutput(shell, script) : processInput(shell, script));
	// A writer ends with the command; a reader is waited for below.
	const file = new SubstitutedFile(shell, path, isRead ? 'read' : 'write', content);
	substitutions.set(path, file);
	const close = async () => {
		substitutions.delete(path);
		await file.close();
	};
	if (isRead) shell.afterCommand.push(close);
	else shell.afterCommand.splice(-1, 0, close);
	return path;
}
