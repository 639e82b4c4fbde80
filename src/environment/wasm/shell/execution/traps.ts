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
		await shell.host.evaluate(shell, action);
		shell.status = status;
	}
}

/** Runs the EXIT trap once. Returns the status the shell ends with. */
export async function runExitTrap(shell: Shell, status: number): Promise<number> {
	const action = shell.traps.get('EXIT');
	shell.traps.delete('EXIT');
	if (!action) return status;
	shell.status = status;
	try {
		await shell.host.evaluate(shell, action);
	} catch (error) {
		if (error instanceof ExitJump) return error.status;
		throw error;
	}
	return status;
}
