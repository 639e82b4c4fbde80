import { readdir, readFile } from 'node:fs/promises';
import { kill, platform } from 'node:process';

const GRACE_MS = 2_000;
const POLL_MS = 10;

/** Sends a signal to a process group; false when it has no processes, not even ended ones that wait for their parent. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
	try {
		kill(-group, signal);
		return true;
	} catch {
		return false;
	}
}

/** Asks the group to end, and after 2 s makes it (000 §4.2). Resolves when nothing runs in it any more. */
export async function endGroup(group: number, first: NodeJS.Signals = 'SIGTERM'): Promise<void> {
	if (!signalGroup(group, first)) return;
	const deadline = performance.now() + GRACE_MS;
	while (performance.now() < deadline) {
		if (!(await isRunning(group))) return;
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
	signalGroup(group, 'SIGKILL');
}

/**
 * Finds out whether a process of the group runs. Ended ones do not count: without an init process that collects them,
 * as in many containers, orphans stay in their group for as long as the container lives.
 */
export async function isRunning(group: number): Promise<boolean> {
	if (!signalGroup(group, 0)) return false;
	if (platform !== 'linux') return true;
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const states = await Promise.all(pids.map((pid) => stateOf(pid)));
	return states.some((state) => state?.group === group && state.code !== 'Z' && state.code !== 'X');
}

/** Reads state and process group of a process; `undefined` when it is gone. */
async function stateOf(pid: string): Promise<{ code: string; group: number } | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
	if (text === undefined) return undefined;
	// The name of the program is in parentheses and may contain some.
	const [code = '', , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
	return { code, group: Number(group) };
}
