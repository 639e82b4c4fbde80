import { ExitJump, Interrupted, LineJump, LoopJump, ReturnJump, ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable } from '../state/variables.ts';
import { BrokenPipe } from '../streams/open-file.ts';
import { awaitRoom } from './fork.ts';
import { complain } from './script.ts';
import { runExitTrap } from './traps.ts';

/**
 * Runs `body` in a fork of the shell and turns whatever ends it into a status. Only an interruption of the whole line
 * is rethrown.
 */
export async function runSubshell(shell: Shell, body: (inner: Shell) => Promise<number>): Promise<number> {
	await awaitRoom(shell);
	const inner = shell.fork();
	try {
		return await runToEnd(inner, () => body(inner));
	} finally {
		inner.dispose();
	}
}

/** Runs `body` as a complete shell: `exit`, errors and the EXIT trap end here. @throws Interrupted */
export async function runToEnd(shell: Shell, body: () => Promise<number>): Promise<number> {
	let status: number;
	try {
		status = await body();
	} catch (error) {
		status = endStatus(shell, error);
	}
	shell.status = status;
	try {
		return await runExitTrap(shell, status);
	} catch (error) {
		return endStatus(shell, error);
	}
}

function endStatus(shell: Shell, error: unknown): number {
	if (error instanceof ExitJump || error instanceof ReturnJump || error instanceof LineJump) return error.status;
	if (error instanceof LoopJump) return shell.status;
	if (error instanceof BrokenPipe) return 141;
	if (error instanceof ShellError || error instanceof ReadonlyVariable) {
		complain(shell, error.message);
		return error instanceof ShellError ? error.status : 1;
	}
	if (error instanceof Interrupted && !shell.control.parent?.stopped) return error.status;
	throw error;
}
