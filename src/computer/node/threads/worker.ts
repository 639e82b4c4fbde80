import path from 'path';
import type { Readable, Writable } from 'node:stream';
import { EventEmitter } from '../modules/events.ts';
import { fileURLToPath } from '../modules/file-url.ts';
import { nodeError, invalidArgument } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { pipeReader, pipeWriter } from '../modules/child-process/pipes.ts';
import type { FromThread, ThreadStart } from './messages.ts';
import { mailFor } from './port-mail.ts';
import { threadEnvironment } from './thread-environment.ts';

export interface WorkerOptions {
	workerData?: unknown;
	eval?: boolean;
	argv?: unknown[];
	execArgv?: string[];
	env?: Record<string, string | undefined> | symbol;
	stdin?: boolean;
	stdout?: boolean;
	stderr?: boolean;
	name?: string;
	transferList?: Transferable[];
}

/** The browser's own: the start message of a thread includes the memory of its ports itself. */
const post = MessagePort.prototype.postMessage;
const LAST_WORDS_MS = 50;
let lastThreadId = 0;

/** State shared by all `Worker`s of a program. */
export interface ThreadHost {
	runtime: Runtime;
	environmentData: Map<unknown, unknown>;
}

/**
 * Returns the file of a thread's program, or its text.
 * @throws ERR_INVALID_ARG_TYPE, ERR_WORKER_PATH
 */
function programOf(file: string | URL, isText: boolean, cwd: string): Pick<ThreadStart, 'file' | 'code'> {
	if (isText) {
		if (typeof file === 'string') return { file: '[worker eval]', code: file };
		throw invalidArgument('options.eval', "false when 'filename' is not a string", true);
	}
	if (file instanceof URL) return { file: file.protocol === 'data:' ? file.href : fileURLToPath(file), code: null };
	if (typeof file !== 'string') throw invalidArgument('filename', 'of type string or an instance of URL', file);
	if (/^(\.{0,2}\/)/.test(file)) return { file: path.resolve(cwd, file), code: null };
	const wrapped = /^(data|file):/.exec(file)?.[1];
	const advice =
		wrapped === undefined ? '' : ` Wrap ${wrapped}:${wrapped === 'file' ? '//' : ''} URLs with \`new URL\`.`;
	const message = `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'.${advice} Received "${file}"`;
	throw nodeError(TypeError, 'ERR_WORKER_PATH', message);
}

/** `worker_threads.Worker`: a process of the kernel with a message port to it. */
export class Worker extends EventEmitter {
	static host: ThreadHost;

	threadId = ++lastThreadId;
	readonly resourceLimits = {};
	readonly performance = { eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }) };
	stdin: Writable | null = null;
	stdout: Readable | null = null;
	stderr: Readable | null = null;
	readonly #port: MessagePort;
	readonly #link: MessagePort;
	readonly #pid: number;
	#release: (() => void) | null;
	#exit: Promise<number>;

	constructor(file: string | URL, options: WorkerOptions = {}) {
		super();
		const { runtime, environmentData } = Worker.host;
		const { sys, loop, process, context } = runtime;
		const { port1, port2 } = new MessageChannel();
		const { port1: link, port2: theirLink } = new MessageChannel();
		this.#port = port1;
		this.#link = link;
		const start: ThreadStart = {
			threadId: this.threadId,
			workerData: options.workerData,
			port: port2,
			broadcasts: theirLink,
			...programOf(file, options.eval === true, process.cwd()),
			argv: (options.argv ?? []).map(String),
			execArgv: options.execArgv ?? [...process.execArgv],
			pid: process.pid,
			name: options.name ?? '',
			environmentData,
			mail: new Map()
		};
		const mail = mailFor(options.transferList ?? []);
		// Throws immediately for data that cannot be cloned, as Node's constructor does.
		const sent = structuredClone(
			{ ...start, mail, port: null, broadcasts: null },
			{ transfer: options.transferList ?? [] }
		);
		const opened: number[] = [];
		const stream = (wanted: boolean | undefined, index: number): number | 'null' => {
			if (index > 0 && !wanted) return index;
			if (!wanted) return 'null';
			const { reader, writer } = sys.pipe();
			opened.push(index === 0 ? reader : writer);
			if (index === 0) this.stdin = pipeWriter(runtime, writer);
			else this[index === 1 ? 'stdout' : 'stderr'] = pipeReader(runtime, reader);
			return index === 0 ? reader : writer;
		};
		const { port1: control, port2: theirs } = new MessageChannel();
		const env = typeof options.env === 'object' ? options.env : process.env;
		try {
			this.#pid = sys.spawn({
				argv: ['node', '--sandglass-thread'],
				cwd: process.cwd(),
				env: threadEnvironment(env),
				stdin: stream(options.stdin, 0),
				stdout: stream(options.stdout, 1),
				stderr: stream(options.stderr, 2),
				channel: context.offer?.(theirs),
				thread: true
			});
		} finally {
			for (const descriptor of opened) sys.close(descriptor);
		}
		this.#release = loop.hold();
		// Not `onmessage`, which would keep the program alive.
		control.addEventListener('message', ({ data }: MessageEvent<FromThread>) => loop.enter(() => this.#receive(data)));
		control.start();
		// Immediately: the program may wait for its thread without returning to its event loop.
		const first: ThreadStart = { ...sent, port: port2, broadcasts: theirLink };
		post.call(control, first, { transfer: [port2, theirLink, ...portsIn(sent)] });
		runtime.broadcasts.link(link);
		port1.addEventListener('message', ({ data }) => loop.enter(() => this.emit('message', data)));
		port1.addEventListener('messageerror', ({ data }) => loop.enter(() => this.emit('messageerror', data)));
		port1.start();
		this.#exit = this.#wait();
	}

	postMessage(value: unknown, transfer?: Transferable[] | { transfer?: Transferable[] }): void {
		this.#port.postMessage(value, Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []));
	}

	/** @returns the exit code, 1 */
	terminate(): Promise<number> {
		try {
			Worker.host.runtime.sys.kill(this.#pid, 'SIGKILL');
		} catch {
			// It has already ended.
		}
		return this.#exit;
	}

	ref(): this {
		if (this.threadId >= 0) this.#release ??= Worker.host.runtime.loop.hold();
		return this;
	}

	unref(): this {
		this.#release?.();
		this.#release = null;
		return this;
	}

	#receive(message: FromThread): void {
		if (message.kind === 'online') this.emit('online');
		else this.#failure = message.error;
		if (message.kind === 'error') this.#hasFailed = true;
	}

	/**
	 * Resolves when the last messages of an ended thread have arrived; the port closes after them, in browsers
	 * that report it.
	 */
	#lastWords(): Promise<void> {
		return new Promise((resolve) => {
			this.#port.addEventListener('close', () => resolve(), { once: true });
			Worker.host.runtime.timers.setTimeout(resolve, LAST_WORDS_MS);
		});
	}

	#failure: unknown;
	#hasFailed = false;

	async #wait(): Promise<number> {
		const { async: calls, loop } = Worker.host.runtime;
		const { code, signal } = await calls.waitPid(this.#pid);
		const exitCode = signal ? 1 : code;
		await this.#lastWords();
		// Separately: a listener may throw, and what follows must happen anyway.
		if (this.#hasFailed) loop.enter(() => this.emit('error', this.#failure));
		loop.enter(() => {
			this.threadId = -1;
			this.#port.close();
			Worker.host.runtime.broadcasts.unlink(this.#link);
			this.unref();
			this.emit('exit', exitCode);
		});
		return exitCode;
	}
}

/** Ports in the data: they have to be listed again when the data are sent again. */
function portsIn(start: object): MessagePort[] {
	const found = new Set<MessagePort>();
	const seen = new Set<object>();
	const visit = (value: unknown): void => {
		if (value instanceof MessagePort) found.add(value);
		else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !seen.has(value)) {
			seen.add(value);
			for (const part of value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value))
				visit(part);
		}
	};
	visit(start);
	return [...found];
}
