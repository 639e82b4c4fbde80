import { readdir, readFile } from 'node:fs/promises';
import { kill, platform } from 'node:process';

const GRACE_MS = 2_000;
const POLL_MS = 10;

/** Sends a signal to a process group; false if it has no processes, not even zombies. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
	try {
		kill(-group, signal);
		return true;
	} catch {
		return false;
	}
}

/** Signals the group to end, and kills it after 2 s (000 §4.2). Resolves when none of its processes run. */
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
 * Ends the session of a terminal's shell, including jobs with their own process groups: signals them, and kills them
 * after 2 s. Outside Linux, the shell's own hang-up must reach its jobs.
 */
export async function endSession(leader: number): Promise<void> {
	const members = async (): Promise<string[]> => {
		if (platform !== 'linux') return isThere(leader) ? [String(leader)] : [];
		const pids = await processIds();
		const states = await Promise.all(pids.map((pid) => stateOf(pid)));
		return pids.filter((_, index) => states[index]?.session === leader && isAlive(states[index]));
	};
	const deadline = performance.now() + GRACE_MS;
	for (let running = await members(); running.length > 0; running = await members()) {
		const isLate = performance.now() > deadline;
		for (const pid of running) signalOne(Number(pid), isLate ? 'SIGKILL' : 'SIGHUP');
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

const isThere = (pid: number): boolean => signalOne(pid, 0);

/** Returns false if there is no such process. */
function signalOne(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		kill(pid, signal);
		return true;
	} catch {
		return false;
	}
}

/**
 * Checks whether a process of the group runs. Zombies do not count: without an init process that reaps them, as in many
 * containers, orphans stay in their group for as long as the container lives.
 */
export async function isRunning(group: number): Promise<boolean> {
	if (!signalGroup(group, 0)) return false;
	if (platform !== 'linux') return true;
	const isMember = (state: ProcessState | undefined): boolean => state?.group === group && isAlive(state);
	// Usually its leader runs, which saves inspecting every process of the machine a hundred times a second.
	if (isMember(await stateOf(String(group)))) return true;
	const states = await Promise.all((await processIds()).map((pid) => stateOf(pid)));
	return states.some(isMember);
}

interface ProcessState {
	code: string;
	group: number;
	session: number;
}

const isAlive = (state: ProcessState | undefined): boolean =>
	state !== undefined && state.code !== 'Z' && state.code !== 'X';

const processIds = async (): Promise<string[]> => (await readdir('/proc')).filter((name) => /^\d+$/.test(name));

/** Reads state, process group and session of a process; `undefined` if it is gone. */
async function stateOf(pid: string): Promise<ProcessState | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
	if (text === undefined) return undefined;
	// The program's name is in parentheses and may contain parentheses.
	const [code = '', , group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
	return { code, group: Number(group), session: Number(session) };
}
