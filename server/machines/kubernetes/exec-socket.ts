import type { PassThrough } from 'node:stream';
import WebSocket from 'ws';
import type { TerminalSize } from '#environment/contract.ts';
import type { KubernetesApi } from './api.ts';
import { errorOf, exitCodeOf, KubernetesError } from './status.ts';

/** Versions of the exec protocol. The older one cannot signal the end of the input. */
export type ExecProtocol = 'v5.channel.k8s.io' | 'v4.channel.k8s.io';

const [STDIN, STDOUT, STDERR, ERROR, RESIZE, CLOSE] = [0, 1, 2, 3, 4, 255];
/** Maximum piece size, as in Kubernetes' own client. */
const PIECE_BYTES = 32 * 1024;
const MAX_STATUS_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
const HANDSHAKE_MS = 30_000;
const HEARTBEAT_MS = 30_000;
/** Time for the server to close the connection after it has reported the command's exit status. */
const LINGER_MS = 5_000;

export interface ExecTarget {
	pod: string;
	container: string;
}

export interface ExecRequest extends ExecTarget {
	argv: readonly string[];
	isTerminal: boolean;
	protocols: readonly ExecProtocol[];
	/** Interval between two pings. */
	heartbeatMs?: number | undefined;
}

/**
 * Connects to a program that the API server starts in a pod; the socket is paused.
 * @throws KubernetesError with the server's reason
 */
export function openExec(api: KubernetesApi, request: ExecRequest): Promise<WebSocket> {
	const { pod, container, argv, isTerminal, protocols } = request;
	const query = new URLSearchParams([
		['container', container],
		['stdin', 'true'],
		['stdout', 'true'],
		// A terminal has one output.
		['stderr', String(!isTerminal)],
		['tty', String(isTerminal)],
		...argv.map((word) => ['command', word])
	]);
	const { server, namespace, tls } = api.cluster;
	const address = `${server.replace(/^http/, 'ws')}/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`;
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(address, [...protocols], {
			...tls,
			headers: api.headers(),
			handshakeTimeout: HANDSHAKE_MS,
			maxPayload: MAX_MESSAGE_BYTES,
			perMessageDeflate: false
		});
		socket.once('open', () => {
			// Data that arrived with the handshake would be lost without a reader.
			socket.pause();
			resolve(socket);
		});
		socket.once('error', (error) => reject(new KubernetesError(0, `Kubernetes: ${error.message}`)));
		socket.once('unexpected-response', (handshake, response) => {
			const chunks: Buffer[] = [];
			let size = 0;
			response.on('data', (chunk: Buffer) => {
				size += chunk.length;
				if (size <= MAX_REFUSAL_BYTES) chunks.push(chunk);
				else handshake.destroy();
			});
			response.once('close', () => reject(errorOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
		});
	});
}

export interface ExecOutputs {
	stdout: PassThrough;
	/** Absent with a terminal, which has one output. */
	stderr?: PassThrough;
}

/** A program in a pod: its streams are channels of a WebSocket, identified by the first byte of each message. */
export class ExecSocket {
	/** Exit code once the connection is closed. Rejects if the program could not run, or the connection was lost. */
	readonly ended: Promise<number>;
	#status = '';
	#isWaitedFor = false;
	#linger: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly socket: WebSocket,
		private readonly outputs: ExecOutputs,
		heartbeatMs: number = HEARTBEAT_MS
	) {
		socket.on('error', () => undefined);
		socket.on('message', (data: Buffer) => this.#take(data));
		socket.on('pong', () => void (this.#isWaitedFor = false));
		// A reader that closes an output must not block the connection.
		for (const output of [outputs.stdout, outputs.stderr]) output?.once('close', () => socket.resume());
		socket.resume();
		const heart = setInterval(() => this.#beat(), heartbeatMs);
		this.ended = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
			clearInterval(heart);
			clearTimeout(this.#linger);
			if (this.#status === '') throw new KubernetesError(0, 'The connection to the pod was lost.');
			return exitCodeOf(this.#status);
		});
		// A caller that killed the program does not read this.
		this.ended.catch(() => undefined);
	}

	/** Sends input; resolves when there is room for more. */
	async write(bytes: Buffer): Promise<void> {
		for (let at = 0; at < bytes.length; at += PIECE_BYTES)
			await this.#send(STDIN, bytes.subarray(at, at + PIECE_BYTES));
	}

	/** Ends the input. The older protocol cannot signal that. */
	async closeInput(): Promise<void> {
		if (this.socket.protocol === 'v5.channel.k8s.io') await this.#send(CLOSE, Buffer.from([STDIN]));
	}

	async resize({ columns, rows }: TerminalSize): Promise<void> {
		await this.#send(RESIZE, Buffer.from(JSON.stringify({ Width: columns, Height: rows })));
	}

	terminate(): void {
		this.socket.terminate();
	}

	#send(channel: number, bytes: Buffer): Promise<void> {
		return new Promise((resolve, reject) =>
			this.socket.send(Buffer.concat([Buffer.from([channel]), bytes]), (error) => (error ? reject(error) : resolve()))
		);
	}

	#take(message: Buffer): void {
		const [channel, bytes] = [message[0], message.subarray(1)];
		if (channel === ERROR) this.#hear(bytes);
		else if (channel === STDOUT) this.#give(this.outputs.stdout, bytes);
		else if (channel === STDERR && this.outputs.stderr) this.#give(this.outputs.stderr, bytes);
		// CLOSE is ignored: an output that ends early is closed with the others.
		else if (channel !== CLOSE) this.socket.terminate();
	}

	#hear(bytes: Buffer): void {
		if (this.#status.length + bytes.length > MAX_STATUS_BYTES) return this.socket.terminate();
		this.#status += bytes.toString();
		if (bytes.length > 0) this.#linger ??= setTimeout(() => this.socket.terminate(), LINGER_MS);
	}

	/** Stops reading from the connection while an output is not consumed, so that the program in the pod waits. */
	#give(output: PassThrough, bytes: Buffer): void {
		if (bytes.length === 0 || !output.writable || output.write(bytes)) return;
		this.socket.pause();
		output.once('drain', () => this.socket.resume());
	}

	/** Ends a connection whose other side no longer answers, which would otherwise go unnoticed. */
	#beat(): void {
		// A paused socket does not receive pongs.
		if (this.socket.isPaused || this.socket.readyState !== WebSocket.OPEN) return;
		if (this.#isWaitedFor) return this.socket.terminate();
		this.#isWaitedFor = true;
		this.socket.ping();
	}
}
