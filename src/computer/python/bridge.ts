import type { PyodideInterface } from 'pyodide';
import type { PyCallable } from 'pyodide/ffi';
import type { PyodideModule } from 'pyodide/pyodide.asm.mjs';
import type { TerminalSettings } from '#computer/abi/terminal-settings.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { isLocal } from '#computer/abi/local-host.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { DatagramSettings, PollWish, SignalName, SpawnOptions } from '#computer/abi/syscalls.ts';
import { pbkdf2, scrypt } from './key-derivation.ts';
import { zoneFollower } from './local-time.ts';
import { promptReader } from './prompt.ts';
import type { Interrupts } from './signals.ts';
import { limitStack } from './stack-limit.ts';

/** Result of a call for Python: its value, or the name of the error (`ENOENT`) and its message. */
type Answer = [error: string | undefined, value: unknown];

/**
 * Creates the kernel's calls for Python's own modules. Bytes are passed as buffers, everything else as text and
 * numbers.
 */
export function bridge(python: PyodideInterface, context: ProcessContext, interrupts: Interrupts) {
	const { sync, async, pid } = context;
	const prompted = promptReader(context);
	const answer = (work: () => unknown): unknown => {
		let given: Answer;
		try {
			given = [undefined, work() ?? undefined];
		} catch (error) {
			if (!(error instanceof SyscallError)) throw error;
			given = [error.code, error.message];
		}
		return python.toPy(given, { depth: 1 });
	};
	const wait = new Int32Array(new SharedArrayBuffer(4));
	return {
		pid,
		parent: context.parent,
		umask: context.umask,
		/** Numbers of the descriptors inherited from the parent, as JSON. */
		descriptors: JSON.stringify(context.descriptors ?? []),
		spawn: (json: string) => answer(() => sync.spawn(JSON.parse(json) as SpawnOptions)),
		wait: (child: number) => answer(() => sync.waitPid(child).code),
		/** Runs a command to its end: `{code, signal, timedOut, stdout, stderr}`, the last two as bytes. */
		run: (json: string, input: Uint8Array | undefined, timeoutMs: number | undefined) =>
			answer(() => {
				const options = JSON.parse(json) as SpawnOptions;
				const { signal, ...result } = sync.run({ ...options, input, timeoutMs, maxBytes: RUN_BYTES });
				return python.toPy({ ...result, signal: signal ?? '' });
			}),
		kill: (target: number, signal: string) => answer(() => sync.kill(target, signal as SignalName)),
		mkfifo: (path: string, mode: number) => answer(() => sync.mkfifo(path, mode)),
		pipe: () => answer(() => python.toPy(sync.pipe())),
		openFile: (path: string, mode: 'read' | 'write' | 'append') => answer(() => sync.openFile(path, mode)),
		read: (descriptor: number, max: number) => answer(() => sync.read(descriptor, max)),
		write: (descriptor: number, bytes: Uint8Array) => answer(() => sync.write(descriptor, bytes.slice())),
		/** Readiness of descriptors as JSON, after at most this time. */
		poll: (wishes: string, milliseconds: number) =>
			answer(() => JSON.stringify(sync.poll(JSON.parse(wishes) as PollWish[], milliseconds))),
		followZone: zoneFollower(python),
		isLocal,
		listen: (host: string, port: number) => answer(() => python.toPy(sync.listen(host, port))),
		listenAt: (place: string) => answer(() => sync.listenAt(place)),
		accept: (descriptor: number) => answer(() => python.toPy(sync.accept(descriptor))),
		connect: (host: string, port: number) => answer(() => python.toPy(sync.connect(host, port))),
		connectTo: (place: string) => answer(() => sync.connectTo(place)),
		bindDatagrams: (family: 4 | 6, host: string, port: number, reuse: boolean, only6: boolean) =>
			answer(() => python.toPy(sync.bindDatagrams(family, host, port, { reuse, only6 }))),
		connectDatagrams: (descriptor: number, host: string | undefined, port: number) =>
			answer(() => sync.connectDatagrams(descriptor, host ?? null, port)),
		sendDatagram: (descriptor: number, bytes: Uint8Array, host: string | undefined, port: number) =>
			answer(() => sync.sendDatagram(descriptor, bytes.slice(), host ?? null, port)),
		receiveDatagram: (descriptor: number) => answer(() => sync.receiveDatagram(descriptor)),
		datagramSettings: (descriptor: number, json: string) =>
			answer(() => sync.datagramSettings(descriptor, JSON.parse(json) as DatagramSettings)),
		shutdown: (descriptor: number) => answer(() => sync.shutdown(descriptor)),
		close: (descriptor: number) => answer(() => sync.close(descriptor)),
		catches: (signal: string, caught: boolean) => answer(() => sync.catchSignal(signal as SignalName, caught, true)),
		processes: () => answer(() => JSON.stringify(sync.processes())),
		terminalSize: () => answer(() => python.toPy(sync.terminalSize())),
		/** Changes settings of the terminal and returns all of them, as JSON. */
		terminalSettings: (json: string) =>
			answer(() => JSON.stringify(sync.terminalSettings(JSON.parse(json) as Partial<TerminalSettings>))),
		/** A line typed at a prompt: `(kind, text)`. */
		prompt: (...asked: Parameters<typeof prompted>) => answer(() => python.toPy(prompted(...asked))),
		fetch: (method: string, url: string, headers: string, body: Uint8Array | undefined, purpose: string) =>
			answer(() => {
				const parsed = JSON.parse(headers) as [string, string][];
				const response = sync.fetch({ method, url, headers: parsed, body: body ?? null, purpose });
				return python.toPy({ ...response, body: response.body });
			}),
		/** Calls a function of Python after this time, or as soon as the returned function is called; at most once. */
		wakeAfter: (milliseconds: number, resume: () => void): (() => void) => {
			const wake = once(() => {
				clearTimeout(timer);
				resume();
			});
			const timer = setTimeout(wake, milliseconds);
			return wake;
		},
		/**
		 * Calls a function of Python when one of the descriptors is ready, after at most this time, or as in
		 * `wakeAfter`.
		 */
		pollThen: (wishes: string, milliseconds: number, resume: () => void): (() => void) => {
			const wake = once(resume);
			// Whatever the answer, Python checks the descriptors itself.
			void async.poll(JSON.parse(wishes) as PollWish[], Math.ceil(milliseconds)).then(wake, wake);
			return wake;
		},
		pbkdf2,
		scrypt,
		takeInterrupt: () => interrupts.take(),
		setAlarm: (firstMs: number, intervalMs: number) => interrupts.alarm.set(firstMs, intervalMs),
		/** Sets if SIGALRM has its default effect. */
		alarmEnds: (ends: boolean) => void (interrupts.alarm.ends = ends),
		/** Seconds until the alarm, infinite without one. */
		alarmLeft: () => interrupts.alarm.leftMs() / 1000,
		alarmInterval: () => interrupts.alarm.intervalMs() / 1000,
		mainRuns: (isRunning: boolean) => interrupts.mainRuns(isRunning),
		limitStack: () => limitStack((python as unknown as { _module: PyodideModule })._module),
		/** Calls a function of Python on a separate stack, after the current code. */
		startThread: (run: PyCallable) => void run.callPromising(),
		/** Sleeps, in intervals short enough to notice Ctrl-C. */
		sleep: (milliseconds: number) => void Atomics.wait(wait, 0, 0, milliseconds)
	};
}

/** Maximum output of a command for `subprocess.run`. */
const RUN_BYTES = 64 * 1024 * 1024;

/** Wraps a function so that only the first call runs it. */
function once(work: () => void): () => void {
	let isDone = false;
	return () => {
		if (isDone) return;
		isDone = true;
		work();
	};
}
