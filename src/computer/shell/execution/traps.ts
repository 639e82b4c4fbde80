import { ExitJump } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';

/** Signals that arrived and wait for the running command to end; signals to a subshell have its number. */
const pending: { name: string; subshell: number | null }[] = [];

/** @param subshell number of the subshell that receives it; absent: the process */
export function signalArrived(name: string, subshell: number | null = null): void {
	pending.push({ name, subshell });
}

/**
 * Takes the next signal for a shell; one for the process also reaches the foreground subshell that has a trap for it.
 */
function nextSignal({ subshellDepth, pid, traps }: Shell): string | undefined {
	const at = pending.findIndex(({ name, subshell }) =>
		subshell === null ? subshellDepth === 0 || traps.has(name) : subshell === pid
	);
	return at < 0 ? undefined : pending.splice(at, 1)[0]?.name;
}

/** Runs the traps for signals that arrived meanwhile. */
export async function runPendingTraps(shell: Shell): Promise<void> {
	for (let name = nextSignal(shell); name !== undefined; name = nextSignal(shell)) {
		const action = shell.traps.get(name);
		if (!action) continue;
		const { status, statusAtTrap } = shell;
		shell.traceDepth++;
		shell.statusAtTrap = status;
		try {
			await shell.host.evaluate(shell, action, 1, 'trap handler');
		} finally {
			shell.traceDepth--;
			shell.statusAtTrap = statusAtTrap;
		}
		shell.status = status;
	}
}

/** Runs the trap for DEBUG, ERR or RETURN, unless one of them is running. Returns its status. */
export async function runTrap(shell: Shell, name: 'DEBUG' | 'ERR' | 'RETURN'): Promise<number> {
	const action = shell.traps.get(name);
	// Functions called by a DEBUG trap do not run the RETURN trap.
	const isHidden = name === 'RETURN' && shell.runningTraps.has('DEBUG');
	if (!action || isHidden || shell.runningTraps.has(name)) return 0;
	const { status, pipeStatus, line, command, statusAtTrap } = shell;
	shell.runningTraps.add(name);
	shell.statusAtTrap = name === 'DEBUG' ? null : status;
	shell.traceDepth++;
	try {
		return await shell.host.evaluate(shell, action, line, `${name.toLowerCase()} trap`);
	} finally {
		shell.runningTraps.delete(name);
		shell.statusAtTrap = statusAtTrap;
		shell.traceDepth--;
		shell.status = status;
		shell.pipeStatus = pipeStatus;
		shell.line = line;
		shell.command = command;
	}
}

/** Hides the traps that a function does not inherit. The result restores them. */
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
	shell.status = shell.statusAtTrap = status;
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
