import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** State of a sandboxed command at one moment, seen from outside. */
export interface Observation {
	/** Ports its processes listen on, lowest first. */
	servers: number[];
	/** Command lines of its processes, without those that run the trial. */
	processes: string[];
	/** True if it tried to send something that had no route or listener. */
	hasMissedNetwork: boolean;
}

interface ProcessEntry {
	pid: number;
	parent: number;
	isZombie: boolean;
	/** True if the process still runs the program of its parent. */
	isForked: boolean;
}

/** bubblewrap outside, bubblewrap as the first process inside, and the supervisor. */
const OWN_PROCESSES = 3;
const LISTENING = '0A';
/** Flag of a process that has not executed a program since it was forked (PF_FORKNOEXEC). */
const FORKED = 0x40;
/** Time for a forked process to execute its program before it is reported under its parent's name. */
const FORK_MS = 200;
/** Counters of a network namespace that increase only if something outside it is accessed. */
const COUNTERS = /^(?:Ip: OutNoRoutes|Ip6OutNoRoutes|Tcp: AttemptFails|Udp: NoPorts|Udp6NoPorts) [1-9]/m;

/**
 * Observes all processes of a command from outside, where it cannot interfere.
 *
 * @param pid process id of the sandbox program
 * @param ownNetwork true if it has its own network namespace
 */
export async function observe(pid: number, ownNetwork: boolean): Promise<Observation> {
	const all = await startedProcesses(pid);
	const [inside = pid] = all.slice(1).map(({ pid: one }) => one);
	const running = runningOf(all);
	const processes = await Promise.all(running.map(({ pid: one }) => commandLine(one)));
	const sockets = ownNetwork ? undefined : await socketsOf(running.map(({ pid: one }) => one));
	return {
		servers: await listeningPorts(inside, sockets),
		processes: processes.filter((line) => line !== ''),
		hasMissedNetwork: ownNetwork && COUNTERS.test(await networkCounters(inside))
	};
}

/** Lists the processes once each has executed its program or turns out to be a part of its shell. */
async function startedProcesses(pid: number): Promise<ProcessEntry[]> {
	const startedMs = performance.now();
	for (;;) {
		const all = descendants(pid, await listProcesses());
		const isStarting = runningOf(all).some(({ isForked }) => isForked);
		if (!isStarting || performance.now() - startedMs > FORK_MS) return all;
		await setTimeout(5);
	}
}

const runningOf = (all: readonly ProcessEntry[]): ProcessEntry[] =>
	all.slice(OWN_PROCESSES).filter(({ isZombie }) => !isZombie);

/** The process and all its descendants, parents first. */
function descendants(pid: number, processes: readonly ProcessEntry[]): ProcessEntry[] {
	const found = processes.filter((entry) => entry.pid === pid);
	for (const { pid: parent } of found) found.push(...processes.filter((entry) => entry.parent === parent));
	return found;
}

async function listProcesses(): Promise<ProcessEntry[]> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const entries = await Promise.all(
		pids.map(async (name): Promise<ProcessEntry[]> => {
			const text = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
			// The program's name is in parentheses and may contain parentheses.
			const [state, parent, , , , , flags] = text.slice(text.lastIndexOf(')') + 2).split(' ');
			return text === ''
				? []
				: [
						{
							pid: Number(name),
							parent: Number(parent),
							isZombie: state === 'Z',
							isForked: (Number(flags) & FORKED) !== 0
						}
					];
		})
	);
	return entries.flat().sort((a, b) => a.pid - b.pid);
}

async function commandLine(pid: number): Promise<string> {
	const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
	return text.split('\0').join(' ').trim();
}

/** @param own inodes of the sockets to include; default: all */
async function listeningPorts(pid: number, own: ReadonlySet<string> | undefined): Promise<number[]> {
	const tables = await Promise.all(
		['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''))
	);
	const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((row) => row.trim().split(/\s+/));
	const listening = rows.filter((row) => row[3] === LISTENING && (own === undefined || own.has(row[9] ?? '')));
	const ports = listening.map((row) => Number.parseInt(row[1]?.split(':')[1] ?? '', 16));
	return [...new Set(ports)].sort((a, b) => a - b);
}

async function socketsOf(pids: readonly number[]): Promise<Set<string>> {
	const sockets = new Set<string>();
	for (const pid of pids)
		for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
			const target = await readlink(`/proc/${pid}/fd/${name}`).catch(() => '');
			const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
			if (inode !== undefined) sockets.add(inode);
		}
	return sockets;
}

/** One `Group: Counter value` per line; the kernel lists names and values separately for IPv4. */
async function networkCounters(pid: number): Promise<string> {
	const [v4, v6] = await Promise.all(
		['snmp', 'snmp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''))
	);
	const rows = (v4 ?? '').split('\n').map((row) => row.split(' '));
	const pairs = rows.flatMap((names, index) => {
		const values = rows[index + 1];
		if (!values || values[0] !== names[0] || !/[A-Z]/i.test(names[1] ?? '')) return [];
		return names.slice(1).map((name, column) => `${names[0]} ${name} ${values[column + 1]}`);
	});
	return [...pairs, ...(v6 ?? '').split('\n').map((row) => row.replace(/\s+/g, ' '))].join('\n');
}
