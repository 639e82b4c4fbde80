import { ExitJump } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';

/** Signals that arrived and wait for the command being run to end. */
const pending: string[] = [];

export function signalArrived(name: string): void {
	pending.push(name);
}

/** Runs what `trap` set for the signals that came meanwhile. */
export async function runPendingTraps(shell: Shell): Promise<void> {
	while (pending.length > 0) {
		const action = shell.traps.get(pending.shift() ?? '');
		if (!action) continue;
		const { status } = shell;
		shell.traceDepth++;
		try {
			await shell.host.evaluate(shell, action, 1, 'trap handler');
		} finally {
			shell.traceDepth--;
		}
		shell.status = status;
	}
}

/** Runs what `trap` set for DEBUG, ERR or RETURN, unless one of them is running. Returns its status. */
export async function runTrap(shell: Shell, name: 'DEBUG' | 'ERR' | 'RETURN'): Promise<number> {
	const action = shell.traps.get(name);
	// Functions that a DEBUG trap calls have no RETURN trap.
	const isHidden = name === 'RETURN' && shell.runningTraps.has('DEBUG');
	if (!action || isHidden || shell.runningTraps.has(name)) return 0;
	const { status, pipeStatus, line, command } = shell;
	shell.runningTraps.add(name);
	shell.traceDepth++;
	try {
		return await shell.host.evaluate(shell, action, line, `${name.toLowerCase()} trap`);
	} finally {
		shell.runningTraps.delete(name);
		shell.traceDepth--;
		shell.status = status;
		shell.pipeStatus = pipeStatus;
		shell.line = line;
		shell.command = command;
	}
}

/** Hides the traps that a function does not inherit. Call the result to bring them back. */
export function hideTraps(shell: Shell, names = ['DEBUG', 'RETURN', 'ERR']): () => void {
	const hidden: [string, string][] = [];
	for (const name of names) {
		const action = shell.traps.get(name);
		const isInherited = name === 'ERR' ? shell.options.errtrace : shell.options.functrace;
		if (action === undefined || isInherited) continue;
		hidden.push([name, action]);
		shell.traps.delete(name);
	}
	return () => {
		for (const [name, action] of hidden) if (!shell.traps.has(name)) shell.traps.set(name, action);
	};
}

/** Runs the EXIT trap once. Returns the status the shell ends with. */
export async function runExitTrap(shell: Shell, status: number): Promise<number> {
	const action = shell.traps.get('EXIT');
	shell.traps.delete('EXIT');
	if (!action) return status;
	shell.status = status;
	shell.calls = shell.callsAtExit;
	shell.traceDepth++;
	try {
		await shell.host.evaluate(shell, action, 1, 'exit trap');
	} catch (error) {
		if (error instanceof ExitJump) return error.status;
		throw error;
	} finally {
		shell.traceDepth--;
	}
	return status;
}
