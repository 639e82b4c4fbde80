import type { Rights } from '#environment/contract.ts';
import type { ExitStatus, ProcessInfo, SignalName } from '#computer/abi/syscalls.ts';
import { PROCESSES } from '#computer/abi/limits.ts';
import { errno } from '#computer/abi/errno.ts';
import { type Image, Process } from './process.ts';
import { DEFAULT_ACTIONS, statusOf, UNCATCHABLE } from '#computer/abi/signals.ts';

/** Parent of the processes that the page starts. It never waits for them. */
export const INIT = 1;
/** Highest pid the table assigns: processes may choose numbers above it. */
const LAST_GIVEN = 1 << 22;

/** Longest pause of a shell whose `fork` was refused, plus a margin. */
const CROWDED_MS = 10_000;

export interface NewProcess extends Image {
	parent?: Process;
	/** Rights of a process without a parent; others inherit their parent's. Absent: all. */
	rights?: Rights;
	/** One of the pids that `reserve` gave to the parent. */
	pid?: number;
	/** 0: a new group; absent: the parent's group, or a new one without a parent. */
	group?: number;
	/** The child's end of a channel to its parent. */
	channel?: MessagePort;
	/** Set if the process ends with its parent. */
	thread?: boolean;
	/** Called when its script has loaded and starts. */
	onStart?: () => void;
	/** Called once after it has ended and its descriptors are closed. */
	onEnd?: (status: ExitStatus) => void;
}

/** All processes of one sandbox. */
export class ProcessTable {
	#processes = new Map<number, Process>();
	#onEnd = new Map<Process, (status: ExitStatus) => void>();
	#refusedMs = -Infinity;
	#reserved = new WeakMap<Process, { from: number; count: number }>();

	/** @param numbers the last pid assigned, shared by tables whose processes the page addresses over one port */
	constructor(readonly numbers: { last: number } = { last: INIT }) {}

	/** Adds an entry; the caller gives it a worker. @throws EAGAIN at the limit */
	add(options: NewProcess): Process {
		const alive = [...this.#processes.values()].filter((process) => !process.ended).length;
		if (alive >= PROCESSES) {
			this.#refusedMs = Date.now();
			throw errno('EAGAIN', undefined, `the sandbox runs ${PROCESSES} processes already, which is its limit`);
		}
		const pid = options.pid ?? ++this.numbers.last;
		const { parent, argv, cwd, env } = options;
		const group = options.group === undefined ? parent?.group : options.group || undefined;
		const process = new Process(pid, parent?.pid ?? INIT, parent?.session ?? pid, argv, cwd, env, group);
		process.isThread = options.thread ?? false;
		process.rights = parent ? parent.rights : (options.rights ?? null);
		process.prepared = parent?.prepared ?? null;
		if (parent) process.umask = parent.umask;
		for (const signal of parent?.ignored ?? []) process.ignored.add(signal);
		process.become(options);
		this.#processes.set(pid, process);
		if (options.onEnd) this.#onEnd.set(process, options.onEnd);
		return process;
	}

	/** Replaces the program of `process`; the caller gives it a worker. */
	replace(process: Process, image: Image): void {
		process.worker?.terminate();
		process.worker = null;
		process.become(image);
	}

	/** Reserves `count` pids for children of `process`, which assigns them itself. @returns the first */
	reserve(process: Process, count: number): number {
		const from = this.numbers.last + 1;
		this.numbers.last += count;
		this.#reserved.set(process, { from, count });
		return from;
	}

	/** Returns true if `pid` is reserved for `process` and unused. */
	mayNumber(process: Process, pid: unknown): pid is number {
		const { from, count } = this.#reserved.get(process) ?? { from: 0, count: 0 };
		return Number.isSafeInteger(pid) && Number(pid) >= from && Number(pid) < from + count
			? !this.#processes.has(Number(pid))
			: false;
	}

	/** Ends `process` now. What it has written is kept; waiting processes are notified. */
	end(process: Process, status: ExitStatus): void {
		if (process.ended) return;
		process.status = status;
		process.worker?.terminate();
		process.worker = null;
		process.terminal?.giveBack(process);
		process.closeAll();
		process.offers.closeAll();
		process.handedOver.releaseAll();
		for (const child of this.#processes.values()) {
			if (child.parent !== process.pid) continue;
			child.parent = INIT;
			if (child.isThread) this.end(child, statusOf('SIGKILL'));
			if (child.ended) this.#processes.delete(child.pid);
		}
		this.#onEnd.get(process)?.(status);
		this.#onEnd.delete(process);
		const parent = this.#processes.get(process.parent);
		if (!parent || parent.ended) {
			this.#processes.delete(process.pid);
			return;
		}
		const waiter = parent.waiters.findIndex(({ pid }) => pid === -1 || pid === process.pid);
		if (waiter < 0) return;
		const [{ resolve }] = parent.waiters.splice(waiter, 1) as [(typeof parent.waiters)[number]];
		this.#processes.delete(process.pid);
		resolve({ pid: process.pid, ...status });
	}

	/**
	 * Ends `process` with `status` for waiting processes; its worker continues as another process, without a parent.
	 * @param wanted a pid above those assigned here
	 * @returns its new pid
	 */
	leave(process: Process, status: ExitStatus, wanted = 0): number {
		const { pid, parent, session, argv, cwd, env, group } = process;
		const gone = new Process(pid, parent, session, argv, cwd, env, group);
		this.#processes.set(pid, gone);
		const onEnd = this.#onEnd.get(process);
		this.#onEnd.delete(process);
		if (onEnd) this.#onEnd.set(gone, onEnd);
		process.pid = wanted > LAST_GIVEN && !this.#processes.has(wanted) ? wanted : ++this.numbers.last;
		process.parent = INIT;
		process.group = process.pid;
		this.#processes.set(process.pid, process);
		for (const child of this.#processes.values()) if (child.parent === pid) child.parent = process.pid;
		this.end(gone, status);
		return process.pid;
	}

	/** @throws ECHILD if `process` has no such child */
	wait(process: Process, pid: number): (ExitStatus & { pid: number }) | Promise<ExitStatus & { pid: number }> {
		const children = [...this.#processes.values()].filter(
			(child) => child.parent === process.pid && (pid === -1 || child.pid === pid)
		);
		if (children.length === 0) throw errno('ECHILD');
		const ended = children.find((child) => child.status);
		if (!ended?.status) return new Promise((resolve) => process.waiters.push({ pid, resolve }));
		this.#processes.delete(ended.pid);
		return { pid: ended.pid, ...ended.status };
	}

	/** @param pid a process or, if negative, a process group. @throws ESRCH */
	kill(pid: number, signal: SignalName | 0): void {
		const targets = this.targetsOf(pid);
		if (targets.length === 0) throw errno('ESRCH');
		if (signal) for (const target of targets) this.#deliver(target, signal);
	}

	/** Running processes that a signal to `pid` (a group if negative) reaches. */
	targetsOf(pid: number): Process[] {
		return this.#alive((process) => (pid < 0 ? process.group === -pid : process.pid === pid));
	}

	/** Signals everything started by one command of the page or on one terminal. */
	killSession(session: number, signal: SignalName): void {
		for (const process of this.#alive((candidate) => candidate.session === session)) this.#deliver(process, signal);
	}

	/** Returns true if the table was full recently: refused processes retry for a while. */
	get crowded(): boolean {
		return Date.now() - this.#refusedMs < CROWDED_MS;
	}

	/** Ends all processes of a session except its leader. */
	clearSession(session: number): void {
		const rest = this.#alive((process) => process.session === session && process.pid !== session);
		for (const process of rest) this.end(process, statusOf('SIGKILL'));
	}

	/**
	 * Ends the sessions with the most processes whose leader is gone: fork bombs that cannot be ended otherwise.
	 *
	 * @returns number of ended processes
	 */
	endLeftBehind(): number {
		let ended = 0;
		for (const session of new Set(this.#alive(() => true).map((process) => process.session))) {
			const members = this.#alive((process) => process.session === session);
			if (members.length <= PROCESSES / 2 || members.some(({ pid }) => pid === session)) continue;
			for (const process of members) this.end(process, statusOf('SIGKILL'));
			ended += members.length;
		}
		return ended;
	}

	/** Ends `process` and all its descendants. */
	killTree(process: Process, signal: SignalName): void {
		const children = this.#alive((candidate) => candidate.parent === process.pid);
		this.#deliver(process, signal);
		for (const child of children) this.killTree(child, signal);
	}

	killAll(): void {
		for (const process of this.#alive(() => true)) this.end(process, statusOf('SIGKILL'));
	}

	get(pid: number): Process | undefined {
		return this.#processes.get(pid);
	}

	sessionAlive(session: number): boolean {
		return this.#alive((process) => process.session === session).length > 0;
	}

	list(): ProcessInfo[] {
		return this.#alive(() => true).map(({ pid, parent, group, session, argv, startedMs, stopped }) => ({
			pid,
			parent,
			group,
			session,
			argv,
			startedMs,
			isStopped: stopped !== null
		}));
	}

	#alive(wanted: (process: Process) => boolean): Process[] {
		return [...this.#processes.values()].filter((process) => !process.ended && wanted(process));
	}

	#deliver(process: Process, signal: SignalName): void {
		if (process.ended) return;
		const action = DEFAULT_ACTIONS[signal] ?? 'end';
		// A stopped process continues even if it catches or ignores the signal.
		if (action === 'continue' || signal === 'SIGKILL') process.resume();
		if (process.caught.has(signal) && !UNCATCHABLE.has(signal)) {
			process.worker?.signal(signal, this.numbers.last);
			process.signalled.notify();
			if (process.endingReads.has(signal)) process.terminal?.endReads(process);
		} else if (action === 'stop' && !process.ignored.has(signal)) process.stop();
		else if (action === 'end' && !process.ignored.has(signal)) this.end(process, statusOf(signal));
	}
}
