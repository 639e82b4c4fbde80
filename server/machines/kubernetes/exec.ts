import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { TerminalSize } from '#environment/contract.ts';
import type { ExecChannel, ExecProcess, ExecTerminal } from '#environment/prefix/exec-channel.ts';
import { whenRead } from '../when-read.ts';
import type { KubernetesApi } from './api.ts';
import { LAST_PIECE, piece, startedByInput } from './exec-scripts.ts';
import { ExecSocket, openExec, type ExecProtocol, type ExecTarget } from './exec-socket.ts';

const PROTOCOLS: readonly ExecProtocol[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

export interface ExecOptions {
	heartbeatMs?: number | undefined;
}

/** Data shared by the programs of a channel. */
interface Way {
	api: KubernetesApi;
	target: ExecTarget;
	heartbeatMs: number | undefined;
	/** Newest protocol version that the server supports. */
	protocol(): Promise<ExecProtocol>;
}

/** Starts programs in a pod through the API server, without `kubectl`. */
export function kubernetesChannel(
	api: KubernetesApi,
	target: ExecTarget,
	{ heartbeatMs }: ExecOptions = {}
): ExecChannel {
	let protocol: Promise<ExecProtocol> | undefined;
	const way: Way = {
		api,
		target,
		heartbeatMs,
		protocol: () => {
			protocol ??= negotiate(api, target);
			// If the server could not be reached, the next call tries again.
			protocol.catch(() => (protocol = undefined));
			return protocol;
		}
	};
	return {
		name: 'Kubernetes',
		open: (argv) => new PodExec(way, argv),
		openTerminal: (argv, size) => new PodTerminal(way, argv, size)
	};
}

/**
 * Determines the protocol version by running a program that does nothing: the form of the input depends on the version.
 */
async function negotiate(api: KubernetesApi, target: ExecTarget): Promise<ExecProtocol> {
	const socket = await openExec(api, { ...target, argv: ['true'], isTerminal: false, protocols: PROTOCOLS });
	const { protocol } = socket;
	socket.terminate();
	return PROTOCOLS.find((each) => each === protocol) ?? 'v4.channel.k8s.io';
}

/** A program in a pod, on pipes. */
class PodExec extends EventEmitter implements ExecProcess {
	readonly stdin = new PassThrough();
	readonly stdout = new PassThrough();
	readonly stderr = new PassThrough();
	#socket: ExecSocket | undefined;
	#isKilled = false;

	constructor(way: Way, argv: readonly string[]) {
		super();
		this.stdin.on('error', () => undefined);
		this.#run(way, argv).catch((error: unknown) => {
			this.stdout.end();
			this.stderr.end();
			this.stdin.destroy();
			if (this.listenerCount('error') > 0) this.emit('error', error);
			this.emit('close', this.#isKilled ? null : 127);
		});
	}

	kill(): boolean {
		this.#isKilled = true;
		this.#socket?.terminate();
		return true;
	}

	async #run({ api, target, heartbeatMs, protocol: negotiated }: Way, words: readonly string[]): Promise<void> {
		const protocol = await negotiated();
		const { argv, input } = startedByInput(words, protocol);
		const opened = await openExec(api, { ...target, argv, isTerminal: false, protocols: [protocol] });
		const socket = new ExecSocket(opened, this, heartbeatMs);
		this.#socket = socket;
		if (this.#isKilled) socket.terminate();
		void this.#feed(socket, input, protocol);
		const code = await socket.ended.catch((error: unknown) => {
			if (this.#isKilled) return null;
			throw error;
		});
		this.stdin.destroy();
		this.emit('exit', code);
		await whenRead([this.stdout, this.stderr]);
		this.emit('close', code);
	}

	async #feed(socket: ExecSocket, start: Buffer, protocol: ExecProtocol): Promise<void> {
		const isInPieces = protocol === 'v4.channel.k8s.io';
		try {
			await socket.write(start);
			for await (const bytes of this.stdin as AsyncIterable<Buffer>)
				await socket.write(isInPieces ? piece(bytes) : bytes);
			if (isInPieces) await socket.write(LAST_PIECE);
			else await socket.closeInput();
		} catch {
			// The connection has ended, or the program no longer reads; its exit status reports the rest.
			this.stdin.destroy();
		}
	}
}

/** A program in a pod, on a terminal device there. */
class PodTerminal implements ExecTerminal {
	readonly input = new PassThrough();
	readonly output = new PassThrough();
	readonly exited: Promise<number>;
	#socket: ExecSocket | undefined;
	#size: TerminalSize;
	#isClosed = false;

	constructor(way: Way, argv: readonly string[], size: TerminalSize) {
		this.#size = size;
		this.input.on('error', () => undefined);
		this.exited = this.#run(way, argv).catch((error: unknown) => {
			const reason = error instanceof Error ? error.message : String(error);
			this.output.end(this.#isClosed ? '' : `\r\n${reason}\r\n`);
			return this.#isClosed ? 129 : 127;
		});
	}

	resize(size: TerminalSize): void {
		this.#size = size;
		void this.#resize();
	}

	close(): void {
		this.#isClosed = true;
		this.#socket?.terminate();
	}

	async #resize(): Promise<void> {
		// Fails if the shell has ended.
		await this.#socket?.resize(this.#size).catch(() => undefined);
	}

	async #run({ api, target, heartbeatMs }: Way, argv: readonly string[]): Promise<number> {
		const opened = await openExec(api, { ...target, argv, isTerminal: true, protocols: PROTOCOLS });
		const socket = new ExecSocket(opened, { stdout: this.output }, heartbeatMs);
		this.#socket = socket;
		if (this.#isClosed) socket.terminate();
		await this.#resize();
		void this.#feed(socket);
		const code = await socket.ended;
		this.input.destroy();
		this.output.end();
		return code;
	}

	async #feed(socket: ExecSocket): Promise<void> {
		try {
			for await (const bytes of this.input as AsyncIterable<Buffer>) await socket.write(bytes);
		} catch {
			// The connection has ended, and its status gives the reason.
			this.input.destroy();
		}
	}
}
