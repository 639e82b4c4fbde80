import type { Readable, Writable } from 'node:stream';
import type { SignalName } from '#computer/abi/syscalls.ts';
import { isSyscallError, nodeError, systemError } from '../../runtime/errors.ts';
import { Reference } from '../../runtime/reference.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { DISPOSE } from '../../runtime/dispose.ts';
import { Ipc, sentCallback } from './ipc.ts';
import { pipeReader, pipeWriter } from './pipes.ts';
import { abortError, checkFile, checkOptions, refuseOtherUsers, signalOf } from './checks.ts';
import { childPlace, command, stdioOf, type ChildOptions, type Stdio } from './arguments.ts';
import { placeIn, startRequest, type StartRequest } from './start-request.ts';

/** `ChildProcess`: a process of the kernel with pipes to it. */
export class ChildProcess extends EventEmitter {
	readonly #runtime!: Runtime;
	readonly #alive!: Reference;
	readonly #options!: ChildOptions;
	pid: number | undefined;
	exitCode: number | null = null;
	signalCode: string | null = null;
	killed = false;
	connected = false;
	channel: object | undefined;
	#ipc: Ipc | null = null;
	stdin: Writable | null = null;
	stdout: Readable | null = null;
	stderr: Readable | null = null;
	stdio: unknown[] = [];
	spawnfile!: string;
	spawnargs!: string[];

	/** @param given absent for an object without a process, as programs create to get errors of this form */
	constructor(...given: [] | [runtime: Runtime, file: string, args: string[], options: ChildOptions]) {
		super();
		if (given.length === 0) return;
		const [runtime, file, args, options] = given;
		checkFile(file);
		checkOptions(options);
		this.#runtime = runtime;
		this.spawnargs = command(file, args, options);
		this.spawnfile = this.spawnargs[0] ?? file;
		refuseOtherUsers(options);
		this.#options = options;
		this.#alive = new Reference(runtime.loop, 'ProcessWrap');
		this.#alive.begin();
		this.spawn(startRequest(this.spawnargs, placeOf(runtime, options), options.detached));
		if (options.timeout) {
			runtime.timers.setTimeout(() => this.exitCode === null && this.kill(options.killSignal), options.timeout).unref();
		}
		if (options.signal) this.#follow(options.signal, options.killSignal);
	}

	/** Starts the child: internal in Node, replaced by tools that follow children. */
	spawn(request: StartRequest): void {
		const runtime = this.#runtime;
		const options = this.#options;
		const stdio = stdioOf(options);
		const pipes: number[] = [];
		const channel = wantsChannel(options) ? new MessageChannel() : null;
		try {
			const [stdin, stdout, stderr] = stdio.map((how, index) => this.#connect(how, index, pipes));
			const how = {
				...placeIn(request),
				umask: runtime.process.umask(),
				stdin,
				stdout,
				stderr,
				group: request.detached ? 0 : undefined,
				channel: channel ? runtime.context.offer?.(channel.port2) : undefined
			};
			this.pid = runtime.sys.spawn({ ...how, argv: request.args });
		} catch (error) {
			this.#failed(error);
		} finally {
			for (const descriptor of pipes) runtime.sys.close(descriptor);
		}
		this.stdio = [this.stdin, this.stdout, this.stderr];
		if (this.pid !== undefined) {
			if (channel) this.#openChannel(channel.port1, options);
			runtime.loop.nextTick(() => this.emit('spawn'), []);
			void this.#wait(this.pid);
		}
	}

	/** Ends the child when a signal aborts, which is an error of the child. */
	#follow(signal: AbortSignal, killSignal: SignalName | undefined): void {
		const abort = () => {
			if (this.kill(killSignal)) this.emit('error', abortError(signal));
		};
		if (signal.aborted) return this.#runtime.loop.nextTick(abort, []);
		signal.addEventListener('abort', abort, { once: true });
		this.once('exit', () => signal.removeEventListener('abort', abort));
	}

	/** @throws ERR_UNKNOWN_SIGNAL */
	kill(given: SignalName | number = 'SIGTERM'): boolean {
		const signal = signalOf(given);
		if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) return false;
		try {
			this.#runtime.sys.kill(this.pid, signal);
		} catch (error) {
			// It has just ended.
			if (isSyscallError(error) && error.code === 'ESRCH') return false;
			throw error;
		}
		if (signal !== 0) this.killed = true;
		return true;
	}

	[DISPOSE](): void {
		if (!this.killed) this.kill();
	}

	get _channel(): object | undefined {
		return this.channel;
	}

	ref(): void {
		this.#alive.ref();
	}

	unref(): void {
		this.#alive.unref();
	}

	/** @throws ERR_IPC_CHANNEL_CLOSED if it was not forked, ERR_INVALID_ARG_TYPE */
	send(value: unknown, ...rest: unknown[]): boolean {
		const done = sentCallback(rest);
		if (!this.#ipc) throw nodeError(Error, 'ERR_IPC_CHANNEL_CLOSED', 'Channel closed');
		return this.#ipc.send(value, done);
	}

	disconnect(): void {
		if (!this.#ipc) throw nodeError(Error, 'ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected');
		this.#ipc.disconnect();
	}

	#openChannel(port: MessagePort, options: ChildOptions): void {
		const ipc = new Ipc(this.#runtime.loop, this.#runtime.timers, this, options.serialization === 'advanced');
		this.#ipc = ipc;
		this.channel = { ref: () => {}, unref: () => {}, hasRef: () => this.connected };
		ipc.open(port);
	}

	/** @returns the child's descriptor */
	#connect(how: Stdio, index: number, opened: number[]): number | 'null' | undefined {
		if (how === 'ignore' || how === 'ipc') return 'null';
		if (how === 'inherit') return index;
		const own = typeof how === 'number' ? how : typeof how === 'object' && how !== null ? how.fd : undefined;
		if (own !== undefined) return own;
		const { reader, writer } = this.#runtime.sys.pipe();
		opened.push(index === 0 ? reader : writer);
		// In Node both are half-open sockets.
		if (index === 0) this.stdin = Object.assign(pipeWriter(this.#runtime, writer), { readable: false });
		else
			this[index === 1 ? 'stdout' : 'stderr'] = Object.assign(pipeReader(this.#runtime, reader), { writable: false });
		return index === 0 ? reader : writer;
	}

	async #wait(pid: number): Promise<void> {
		const outputs = [this.stdout, this.stderr].filter((stream) => stream !== null);
		const { code, signal } = await this.#runtime.async.waitPid(pid);
		await this.#ipc?.lastWords();
		const ended = () => {
			// Before the listeners, which may throw: from now on only its streams keep the program alive.
			this.#alive.end();
			this.exitCode = signal ? null : code;
			this.signalCode = signal;
			this.#ipc?.close(true);
			this.stdin?.destroy();
			this.emit('exit', this.exitCode, signal);
			let open = outputs.filter((stream) => !stream.closed).length;
			const close = () => this.emit('close', this.exitCode, signal);
			if (open === 0) return close();
			for (const stream of outputs) {
				if (!stream.closed) stream.once('close', () => --open === 0 && close());
				if (stream.readableFlowing === null) stream.resume();
			}
		};
		this.#runtime.loop.enter(ended);
	}

	#failed(error: unknown): void {
		const code = isSyscallError(error) ? error.code : 'EIO';
		const failure = systemError(code, `spawn ${this.spawnfile}`);
		failure.message = `spawn ${this.spawnfile} ${code}`;
		Object.assign(failure, { path: this.spawnfile, spawnargs: this.spawnargs.slice(1) });
		this.exitCode = failure.errno ?? -1;
		this.#runtime.loop.nextTick(() => {
			this.#alive.end();
			this.emit('error', failure);
			this.emit('close', this.exitCode, null);
		}, []);
	}
}

/** Returns whether a stream of type `ipc` is requested, as by `fork`. */
function wantsChannel({ stdio }: ChildOptions): boolean {
	return Array.isArray(stdio) && stdio.includes('ipc');
}

function placeOf(runtime: Runtime, options: ChildOptions) {
	const place = childPlace(runtime, options);
	if (!wantsChannel(options) || options.serialization !== 'advanced') return place;
	return { ...place, env: { ...place.env, NODE_CHANNEL_SERIALIZATION_MODE: 'advanced' } };
}
