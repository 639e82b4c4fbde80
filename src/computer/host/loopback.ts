import type { LocalWebSocket, WebSocketRequest } from '#environment/contract.ts';
import type { Connection, HttpRequest, HttpResponse } from '#computer/http/exchange.ts';
import { fetchFrom, webSocketTo } from '#computer/http/server-calls.ts';
import type { PortInfo } from '#computer/abi/syscalls.ts';

/** Servers in the sandbox, as the page reaches them: requests of a preview are answered here. */
export class Loopback {
	#ports: readonly PortInfo[] = [];
	#listeners = new Set<(ports: readonly PortInfo[]) => void>();

	/** @param open requests a connection to a port from the kernel. Rejects with `EnvironmentError` */
	constructor(private readonly open: (port: number) => Promise<MessagePort>) {}

	/** Currently listening ports, lowest first. */
	get ports(): readonly PortInfo[] {
		return this.#ports;
	}

	/** Called whenever a port opens or closes. Returns the unsubscriber. */
	onPorts(listener: (ports: readonly PortInfo[]) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Opens a byte connection, for WebSockets and the like. Rejects with `ECONNREFUSED` if nothing listens. */
	async connect(port: number): Promise<LoopbackConnection> {
		return new LoopbackConnection(await this.open(port));
	}

	/** See {@link fetchFrom}. */
	fetch(port: number, request: HttpRequest): Promise<HttpResponse> {
		return fetchFrom((at) => this.connect(at), port, request);
	}

	webSocket(port: number, request: WebSocketRequest): Promise<LocalWebSocket> {
		return webSocketTo((at) => this.connect(at), port, request);
	}

	/** Receives the list of listening ports from the kernel. */
	update(ports: readonly PortInfo[]): void {
		this.#ports = ports;
		for (const listener of this.#listeners) listener(ports);
	}
}

/** Byte connection to a server in the sandbox. See `kernel/sockets/page-connection.ts` for the protocol of the port. */
export class LoopbackConnection implements Connection {
	#arrived: Uint8Array[] = [];
	#reader: ((bytes: Uint8Array) => void) | null = null;
	#writers: { resolve: () => void; reject: (error: Error) => void }[] = [];
	#isClosed = false;
	/** The server has ended its output. */
	#hasEnded = false;

	constructor(private readonly port: MessagePort) {
		port.onmessage = ({ data }: MessageEvent<unknown>) => {
			if (data instanceof Uint8Array) this.#receive(data);
			else if (typeof data === 'number') this.#writers.shift()?.resolve();
			else this.#end();
		};
	}

	/** Returns the next bytes; empty at the end. */
	read(): Promise<Uint8Array> {
		const bytes = this.#arrived.shift();
		if (bytes && bytes.length > 0) {
			this.port.postMessage(bytes.length);
			return Promise.resolve(bytes);
		}
		if (this.#isClosed || this.#hasEnded) return Promise.resolve(new Uint8Array(0));
		return new Promise((resolve) => (this.#reader = resolve));
	}

	/** Resolves when the server's side has room for more. Rejects when the connection is closed. */
	write(bytes: Uint8Array): Promise<void> {
		if (bytes.length === 0) return Promise.resolve();
		return this.#send(bytes);
	}

	/** Ends writing; the server reads to the end. */
	end(): Promise<void> {
		return this.#send(new Uint8Array(0));
	}

	close(): void {
		if (this.#isClosed) return;
		this.port.postMessage(null);
		this.#end();
	}

	#send(bytes: Uint8Array): Promise<void> {
		if (this.#isClosed) return Promise.reject(new Error('the connection is closed'));
		return new Promise((resolve, reject) => {
			this.#writers.push({ resolve, reject });
			this.port.postMessage(bytes);
		});
	}

	#receive(bytes: Uint8Array): void {
		if (bytes.length === 0) this.#hasEnded = true;
		const reader = this.#reader;
		this.#reader = null;
		if (!reader) {
			this.#arrived.push(bytes);
			return;
		}
		this.port.postMessage(bytes.length);
		reader(bytes);
	}

	#end(): void {
		this.#isClosed = true;
		this.#reader?.(new Uint8Array(0));
		for (const { reject } of this.#writers.splice(0)) reject(new Error('the connection was closed'));
		this.port.close();
	}
}
