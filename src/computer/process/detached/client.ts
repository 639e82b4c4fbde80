import { checkArguments } from '#computer/abi/arguments.ts';
import { findCommand, programsOfTheirOwn } from '#computer/volume/find-command.ts';
import { unpackVolume } from '#computer/volume/pack.ts';
import { SYSCALL_NAMES } from '#computer/abi/call-names.ts';
import { SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { SpawnOptions, SyscallName } from '#computer/abi/syscalls.ts';
import type { ToKernel, ToProcess } from '#computer/abi/wire.ts';
import { CHANGING } from '#computer/volume/changing-calls.ts';
import { Replica } from './replica.ts';
import { FIRST_OWN_DESCRIPTOR, OWN_DESCRIPTORS, type DetachedStart } from '#computer/abi/detached-start.ts';
import { WriteLog } from './write-log.ts';

/** Synchronous calls of a process that shares no memory with the kernel. */
export interface DetachedClient {
	sync: SyncSyscalls;
	/** Sends the log: before any other message to the kernel. */
	flush(): void;
	changed(message: ToProcess & { kind: 'changes' }): void;
	resized(size: { columns: number; rows: number }): void;
	generation(): number;
}

/** Limit of output in flight to a kernel that cannot make this process wait for the reader. */
const MAX_UNTAKEN_BYTES = 32 * 1024 * 1024;

/** Calls that are sent without an answer. */
const UNANSWERED = new Set<string>([
	'close',
	'catchSignal',
	'terminalMode',
	'terminalForeground',
	'endReads',
	'unread',
	'shutdown'
]);

/**
 * Creates the client. File calls operate on a copy of the volume and are logged, together with calls that need no
 * answer; calls that have to wait fail with ENOSYS and an explanation.
 */
export function createDetachedClient(start: DetachedStart, post: (message: ToKernel) => void): DetachedClient {
	const replica = new Replica(unpackVolume(start.volume));
	const log = new WriteLog(post);
	const output = new UntakenOutput();
	let { size } = start;
	const own: Partial<SyncSyscalls> = {
		...descriptorCalls(start, replica, log, output),
		...processCalls(start, replica, log),
		terminalSize: () => {
			if (!size) throw new SyscallError('ENOTTY', 'not a terminal');
			return size;
		},
		now: () => Date.now()
	};
	const calls: Record<string, unknown> = {};
	for (const name of SYSCALL_NAMES) {
		if (name in replica.calls) calls[name] = fileCall(name, replica, log);
		else if (name in own) calls[name] = own[name];
		else if (UNANSWERED.has(name)) calls[name] = (...args: unknown[]) => log.add({ name, args, as: [] });
		else {
			calls[name] = () => {
				throw unsupported(NAMES[name] ?? name);
			};
		}
	}
	return {
		sync: calls as unknown as SyncSyscalls,
		flush: () => log.flush(),
		changed: ({ changes, applied }) => {
			output.taken(applied);
			replica.apply(changes, applied);
		},
		resized: (to) => void (size = to),
		generation: () => replica.generation
	};
}

/** Output sent to the kernel that it has not accepted yet. */
class UntakenOutput {
	/** Bytes written under each version of the log that the kernel has not yet applied. */
	#parts: [version: number, bytes: number][] = [];

	/** @throws SyscallError ENOBUFS if more output is pending than allowed */
	add(version: number, bytes: number): void {
		const waiting = this.#parts.reduce((sum, [, count]) => sum + count, bytes);
		if (waiting > MAX_UNTAKEN_BYTES) {
			throw new SyscallError('ENOBUFS', `${waiting >> 20} MB of output wait to be read; ${WITHOUT}`);
		}
		this.#parts.push([version, bytes]);
	}

	taken(applied: number): void {
		this.#parts = this.#parts.filter(([version]) => version > applied);
	}
}

/** Runs a call on the copy of the volume, and logs it if it changes files. */
function fileCall(name: SyscallName, replica: Replica, log: WriteLog): (...args: unknown[]) => unknown {
	const call = replica.calls[name as keyof typeof replica.calls] as (...args: unknown[]) => unknown;
	const changes = CHANGING[name];
	return (...args) => {
		checkArguments(name, args);
		if (!changes) return ownCopy(call(null, ...args));
		// One copy for the volume here, which takes ownership of it, and one for the kernel.
		const logged = args.map(ownCopy);
		const result = call(null, ...args.map(ownCopy));
		for (const path of changes(args)) replica.touch(String(path), log.version);
		log.add({ name, args: logged, as: [] });
		return result;
	};
}

/** Calls on descriptors. The process numbers those it opens itself. */
function descriptorCalls(
	start: DetachedStart,
	replica: Replica,
	log: WriteLog,
	output: UntakenOutput
): Partial<SyncSyscalls> {
	let count = 0;
	const nextDescriptor = (): number => FIRST_OWN_DESCRIPTOR + (count++ % OWN_DESCRIPTORS);
	return {
		write: (descriptor, bytes) => {
			output.add(log.version, bytes.length);
			log.add({ name: 'write', args: [descriptor, bytes.slice()], as: [] });
			log.flush();
		},
		pipe: () => {
			const [reader, writer] = [nextDescriptor(), nextDescriptor()];
			log.add({ name: 'pipe', args: [], as: [reader, writer] });
			return { reader, writer };
		},
		socketPair: () => {
			const [here, there] = [nextDescriptor(), nextDescriptor()];
			log.add({ name: 'socketPair', args: [], as: [here, there] });
			return { here, there };
		},
		openFile: (path, mode, position) => {
			// A named pipe exists only in the kernel.
			if (replica.calls.statOrNull(null, path)?.kind === 'fifo') replica.volume.existing(path);
			else if (mode === 'read') replica.volume.file(path);
			else replica.volume.writable(path);
			const descriptor = nextDescriptor();
			log.add({ name: 'openFile', args: [path, mode, position], as: [descriptor] });
			return descriptor;
		},
		read: (descriptor) => {
			if (descriptor === 0 && start.hasNoInput) return new Uint8Array(0);
			throw unsupported('reading standard input at once');
		},
		isTerminal: (descriptor) => start.terminals[descriptor] ?? false
	};
}

/** Calls on processes. The children of this one get reserved pids. */
function processCalls(start: DetachedStart, replica: Replica, log: WriteLog): Partial<SyncSyscalls> {
	const programs = new Map(start.programs);
	let children = 0;
	const send = (name: SyscallName, args: unknown[], as: number[] = []): void => {
		log.add({ name, args, as });
		log.flush();
	};
	return {
		spawn: (options: SpawnOptions) => {
			checkArguments('spawn', [options]);
			if (replica.volume.stat(options.cwd).kind !== 'directory') throw new SyscallError('ENOTDIR', options.cwd);
			findCommand(replica.volume, programs, options.argv, options.cwd, options.env['PATH']);
			if (children >= start.pids.count) {
				throw new SyscallError('EAGAIN', `one program can start ${start.pids.count} others; ${WITHOUT}`);
			}
			const pid = start.pids.from + children++;
			send('spawn', [options], [pid]);
			return pid;
		},
		kill: (pid, signal) => {
			if (signal === 0) throw unsupported('asking whether a process is there');
			send('kill', [pid, signal]);
		},
		exit: (code) => {
			send('exit', [code]);
			// The kernel ends this worker; until then the program must not continue.
			for (;;);
		},
		programs: () => programsOfTheirOwn(programs)
	};
}

const WITHOUT = 'without shared memory, which this browser does not give, a program here cannot wait';

/** Names for error messages. */
const NAMES: Partial<Record<SyscallName, string>> = {
	opened: 'opening a named pipe',
	lockRange: 'locking a file',
	run: 'running a command and waiting for it (execSync, spawnSync)',
	waitPid: 'waiting for a process at once',
	fetch: 'a request at once',
	asset: 'loading a part at once',
	preview: 'using the preview at once'
};

function unsupported(what: string): SyscallError {
	return new SyscallError('ENOSYS', `${what} does not work here: ${WITHOUT}. Use the asynchronous way.`);
}

/** Copies the bytes of a value, or of a record of values. */
function ownCopy(value: unknown): unknown {
	if (value instanceof Uint8Array) return new Uint8Array(value);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value);
	if (!entries.some(([, part]) => part instanceof Uint8Array)) return value;
	return Object.fromEntries(entries.map(([name, part]) => [name, ownCopy(part)]));
}
