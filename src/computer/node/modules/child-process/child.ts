import type { Readable, Writable } from 'node:stream';
import type { SignalName } from '#computer/abi/syscalls.ts';
import { isSyscallError, nodeError, systemError } from '../../runtime/errors.ts';
import { Reference } from '../../runtime/reference.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { DISPOSE } from '../../runtime/dispose.ts';
import { Control } from './control.ts';
import { Ipc, sendArguments } from './ipc.ts';
import { connectStreams, type ChildStreams } from './streams.ts';
import { abortError, checkFile, checkOptions, refuseOtherUsers, signalOf } from './checks.ts';
import { childPlace, command, stdioOf, type ChildOptions } from './arguments.ts';
import { placeIn, startRequest, type StartRequest } from './start-request.ts';

/** `ChildProcess`: a process of the kernel with pipes to it. */
export class ChildProcess extends EventEmitter {
	readonly #runtime!: Runtime;
	readonly #alive: Reference | undefined;
	readonly #options!: ChildOptions;
	pid: number | undefined;
	exitCode: number | null = null;
	signalCode: string | null = null;
	killed = false;
	connected = false;
	channel: Control | null | undefined;
	#ipc: Ipc | null = null;
	stdin: Writable | null = null;
	stdout: Readable | null = null;
	stderr: Readable | null = null;
	stdio: ChildStreams['own'] = [];
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
		const channel = wantsChannel(options) ? new MessageChannel() : null;
		let streams: ChildStreams | null = null;
		try {
			streams = connectStreams(runtime, stdioOf(options));
			this.#adopt(streams.own);
			const how = {
				...placeIn(request),
				...streams.given,
				umask: runtime.process.umask(),
				group: request.detached ? 0 : undefined,
				channel: channel ? runtime.context.offer?.(channel.port2) : undefined
			};
			this.pid = runtime.sys.spawn({ ...how, argv: request.args });
		} catch (error) {
			this.#failed(error);
		} finally {
			streams?.close();
		}
		if (this.pid === undefined && streams) closeLifeline(runtime, streams);
		if (this.pid !== undefined) {
			if (channel && streams) this.#openChannel(channel.port1, options, streams);
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
		this.killed = true;
		return true;
	}

	[DISPOSE](): void {
		if (!this.killed) this.kill();
	}

	get _channel(): Control | null | undefined {
		return this.channel;
	}

	ref(): void {
		this.#alive?.ref();
	}

	unref(): void {
		this.#alive?.unref();
	}

	/** @throws ERR_IPC_CHANNEL_CLOSED if it was not forked, ERR_INVALID_ARG_TYPE, ERR_INVALID_HANDLE_TYPE */
	send(value: unknown, ...rest: unknown[]): boolean {
		const given = sendArguments(rest);
		if (!this.#ipc) throw nodeError(Error, 'ERR_IPC_CHANNEL_CLOSED', 'Channel closed');
		return this.#ipc.send(value, given);
	}

	disconnect(): void {
		if (!this.#ipc) throw nodeError(Error, 'ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected');
		this.#ipc.disconnect();
	}

	#openChannel(port: MessagePort, options: ChildOptions, streams: ChildStreams): void {
		const reference = new Reference(this.#runtime.loop, 'PipeWrap');
		reference.begin();
		const ended = () => {
			reference.end();
			closeLifeline(this.#runtime, streams);
			this.channel = null;
		};
		const ipc = new Ipc(this.#runtime, this, () => this.pid ?? 0, options.serialization === 'advanced', ended);
		this.#ipc = ipc;
		this.channel = new Control(reference);
		ipc.open(port);
	}

	#adopt(streams: ChildStreams['own']): void {
		this.stdio = streams;
		this.stdin = streams[0] as Writable | null;
		this.stdout = streams[1] as Readable | null;
		this.stderr = streams[2] as Readable | null;
	}

	async #wait(pid: number): Promise<void> {
		const { code, signal } = await this.#runtime.async.waitPid(pid);
		await this.#ipc?.lastWords();
		this.#runtime.loop.enter(() =>
			this.#ended(signal ? null : code, signal, () => {
				this.#ipc?.close(true);
				this.stdin?.destroy();
				this.emit('exit', this.exitCode, signal);
			})
		);
	}

	/** Reports the end of the child, and `close` once its streams are closed too. */
	#ended(code: number | null, signal: string | null, report: () => void): void {
		// Before the listeners, which may throw: from now on only its streams keep the program alive.
		this.#alive?.end();
		this.exitCode = code;
		this.signalCode = signal;
		const outputs = this.stdio.slice(1).filter((stream) => stream !== null) as Readable[];
		report();
		let open = outputs.filter((stream) => !stream.closed).length;
		const close = () => this.emit('close', code, signal);
		if (open === 0) return void close();
		for (const stream of outputs) {
			if (!stream.closed) stream.once('close', () => --open === 0 && close());
			if (stream.readableFlowing === null) stream.resume();
		}
	}

	#failed(error: unknown): void {
		const code = isSyscallError(error) ? error.code : 'EIO';
		const failure = systemError(code, `spawn ${this.spawnfile}`);
		failure.message = `spawn ${this.spawnfile} ${code}`;
		Object.assign(failure, { path: this.spawnfile, spawnargs: this.spawnargs.slice(1) });
		this.exitCode = failure.errno ?? -1;
		const report = () => {
			this.stdin?.destroy();
			this.emit('error', failure);
		};
		this.#runtime.loop.nextTick(() => this.#ended(this.exitCode, null, report), []);
	}
}

/** Returns whether a stream of type `ipc` is requested, as by `fork`. */
function wantsChannel({ stdio }: ChildOptions): boolean {
	return Array.isArray(stdio) && stdio.includes('ipc');
}

function placeOf(runtime: Runtime, options: ChildOptions) {
	const place = childPlace(runtime, options);
	if (!wantsChannel(options)) return place;
	const NODE_CHANNEL_FD = String(stdioOf(options).indexOf('ipc'));
	const NODE_CHANNEL_SERIALIZATION_MODE = options.serialization === 'advanced' ? 'advanced' : 'json';
	return { ...place, env: { ...place.env, NODE_CHANNEL_FD, NODE_CHANNEL_SERIALIZATION_MODE } };
}

function closeLifeline(runtime: Runtime, streams: ChildStreams): void {
	if (streams.lifeline !== null) runtime.sys.close(streams.lifeline);
	streams.lifeline = null;
}
