import type { Rights } from '#environment/contract.ts';
import type { ExitStatus, SignalName } from '#computer/abi/syscalls.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Description } from '../streams/description.ts';
import type { Terminal } from '../streams/terminal.ts';
import { HandedOver } from './handed-over.ts';
import { Offers } from './offers.ts';
import { Watchers } from '../streams/watchers.ts';

const MAX_DESCRIPTORS = 1024;

/** Worker of a process, as the process table needs it. */
export interface ProcessWorker {
	/** @param newest the newest pid when the signal was sent */
	signal(name: SignalName, newest: number): void;
	/** Ends it at once, whatever it is doing. */
	terminate(): void;
}

/** Program of a process, and everything it starts with. */
export interface Image {
	argv: string[];
	cwd: string;
	env: Record<string, string>;
	/** Standard input, output and error. */
	streams: [Description, Description, Description];
	/** Further descriptors, by number. */
	descriptors?: [number, Description][];
	/** Signals that it ignores, in addition to those already ignored. */
	ignored?: readonly SignalName[];
	/** `argv[0]`, if different from the program that was looked up. */
	name?: string;
	/** Permissions that new files do not get; absent: unchanged. */
	umask?: number;
}

/** Permissions that new files of a session's first process do not get. */
const USUAL_UMASK = 0o022;

/** A process: a worker, its descriptors and its relations to other processes. */
export class Process {
	group: number;
	/** Set once, by the table. A process with a status is a zombie until its parent has waited for it. */
	status: ExitStatus | null = null;
	worker: ProcessWorker | null = null;
	/** Ends with its parent. */
	isThread = false;
	/** Rights of the process; `null`: all. Children inherit them. */
	rights: Rights | null = null;
	/** Permissions that its new files do not get, as of its start. */
	umask = USUAL_UMASK;
	/** Memory that it shares with all of its session, set at the first start of one of them. */
	prepared: SharedArrayBuffer | null = null;
	/** Signals that it ignores unless it catches them. */
	readonly ignored = new Set<SignalName>();
	readonly caught = new Set<SignalName>();
	/** Notified when a signal arrives that the process catches. */
	readonly signalled = new Watchers();
	/** Caught signals that end a read waiting at the terminal. */
	readonly endingReads = new Set<SignalName>();
	/** Pending `waitPid` calls. */
	readonly waiters: { pid: number; resolve: (status: ExitStatus & { pid: number }) => void }[] = [];
	/** Ports for its next children. */
	readonly offers = new Offers();
	/** Descriptors for it from other processes. */
	readonly handedOver = new HandedOver();
	readonly startedMs = Date.now();
	#descriptors = new Map<number, Description>();
	/** Resolves once it is resumed; `null` while it is not stopped. */
	stopped: Promise<void> | null = null;
	#resumed = (): void => {};

	/** @param session shared by everything that one command of the page, or one terminal, has started */
	constructor(
		public pid: number,
		public parent: number,
		readonly session: number,
		public argv: string[],
		public cwd: string,
		public env: Record<string, string>,
		group?: number
	) {
		this.group = group ?? pid;
	}

	get ended(): boolean {
		return this.status !== null;
	}

	/** Terminal of the process: that of the first standard stream that has one. */
	get terminal(): Terminal | null {
		for (const number of [0, 1, 2]) {
			const terminal = this.#descriptors.get(number)?.terminal;
			if (terminal) return terminal;
		}
		return null;
	}

	has(number: number): boolean {
		return this.#descriptors.has(number);
	}

	/** @throws EBADF */
	descriptor(number: number): Description {
		const description = this.#descriptors.get(number);
		if (!description) throw errno('EBADF');
		return description;
	}

	/** Gives `description` the lowest free number, or `number`. */
	open(description: Description, number?: number): number {
		let free = number ?? 0;
		while (number === undefined && this.#descriptors.has(free)) free++;
		if (free >= MAX_DESCRIPTORS) throw errno('EMFILE');
		this.#descriptors.set(free, description.retain());
		return free;
	}

	close(number: number): void {
		const description = this.descriptor(number);
		this.#descriptors.delete(number);
		if (![...this.#descriptors.values()].includes(description)) description.left(this);
		description.release();
	}

	/** Delays its calls until it is resumed; a program that makes no calls continues to compute. */
	stop(): void {
		this.stopped ??= new Promise((resolve) => (this.#resumed = resolve));
	}

	resume(): void {
		this.stopped = null;
		this.#resumed();
	}

	/** Replaces what the process started with by that of a new program. */
	become({ argv, cwd, env, streams, descriptors = [], ignored = [], umask = this.umask }: Image): void {
		const before = [...this.#descriptors.values()];
		this.#descriptors.clear();
		for (const [number, stream] of streams.entries()) this.open(stream, number);
		for (const [number, description] of descriptors) this.open(description, number);
		for (const description of before) description.release();
		[this.argv, this.cwd, this.env, this.umask] = [argv, cwd, env, umask];
		for (const signal of ignored) this.ignored.add(signal);
		this.caught.clear();
		this.endingReads.clear();
		this.waiters.length = 0;
		this.offers.closeAll();
	}

	closeAll(): void {
		for (const number of [...this.#descriptors.keys()]) this.close(number);
	}
}
