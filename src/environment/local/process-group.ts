import { kill } from 'node:process';

const GRACE_MS = 2_000;

/** Sends a signal to a process group; false when nobody is in it any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
	try {
		kill(-group, signal);
		return true;
	} catch {
		return false;
	}
}

/** Asks the group to end, and after 2 s makes it (000 §4.2). Resolves when nobody is left in it. */
export async function endGroup(group: number, first: NodeJS.Signals = 'SIGTERM'): Promise<void> {
	if (!signalGroup(group, first)) return;
	const deadline = performance.now() + GRACE_MS;
	while (performance.now() < deadline) {
		if (!signalGroup(group, 0)) return;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	signalGroup(group, 'SIGKILL');
}
