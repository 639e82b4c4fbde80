import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { Socket } from '../net/socket.ts';
import type { ClientRequest, RequestOptions } from './client.ts';

export interface AgentOptions {
	keepAlive?: boolean;
	maxSockets?: number;
	maxFreeSockets?: number;
	timeout?: number;
}

type Connected = (error: Error | null, socket?: Socket) => void;

/** `http.Agent`: gives requests a connection, and keeps those that may be used again. */
export class Agent extends EventEmitter {
	static runtime: Runtime;

	options: AgentOptions;
	keepAlive: boolean;
	maxSockets: number;
	maxFreeSockets: number;
	defaultPort = 80;
	protocol = 'http:';
	sockets: Record<string, Socket[]> = {};
	freeSockets: Record<string, Socket[]> = {};
	requests: Record<string, ClientRequest[]> = {};

	constructor(options: AgentOptions = {}) {
		super();
		this.options = { ...options };
		this.keepAlive = options.keepAlive ?? false;
		this.maxSockets = options.maxSockets ?? Infinity;
		this.maxFreeSockets = options.maxFreeSockets ?? 256;
	}

	getName({ host = 'localhost', port = '', localAddress = '' }: RequestOptions = {}): string {
		return `${host}:${port}:${localAddress}`;
	}

	createConnection(options: RequestOptions, _connected?: Connected): Socket | undefined {
		return new Socket().connect({ host: options.host, port: options.port });
	}

	addRequest(request: ClientRequest, options: RequestOptions): void {
		const name = this.getName(options);
		const free = this.freeSockets[name]?.shift();
		if (free && !free.destroyed) {
			request.reusedSocket = true;
			free.ref();
			this.#give(name, request, free);
		} else if ((this.sockets[name]?.length ?? 0) < this.maxSockets) this.#connect(name, request, options);
		else {
			request._retry = () => this.#connect(name, request, options);
			(this.requests[name] ??= []).push(request);
		}
	}

	destroy(): void {
		for (const pool of [this.freeSockets, this.sockets]) {
			for (const socket of Object.values(pool).flat()) socket.destroy();
		}
	}

	#connect(name: string, request: ClientRequest, options: RequestOptions): void {
		let isGiven = false;
		const connected: Connected = (error, socket) => {
			if (isGiven) return;
			isGiven = true;
			if (error || !socket) return void request.destroy(error ?? undefined);
			socket.on('free', () => this.#freed(name, socket));
			socket.once('close', () => this.#gone(name, socket));
			this.#give(name, request, socket);
		};
		const made = (options.createConnection ?? this.createConnection.bind(this))(options, connected);
		if (made) connected(null, made);
	}

	#give(name: string, request: ClientRequest, socket: Socket): void {
		(this.sockets[name] ??= []).push(socket);
		request.onSocket(socket);
	}

	#freed(name: string, socket: Socket): void {
		remove(this.sockets, name, socket);
		const next = this.requests[name]?.shift();
		if (next && !socket.destroyed && socket.writable) {
			next.reusedSocket = true;
			return this.#give(name, next, socket);
		}
		if (next) return next._retry?.();
		if (!this.keepAlive || (this.freeSockets[name]?.length ?? 0) >= this.maxFreeSockets) return socket.destroySoon();
		socket.unref();
		socket.setTimeout(0);
		(this.freeSockets[name] ??= []).push(socket);
	}

	#gone(name: string, socket: Socket): void {
		remove(this.sockets, name, socket);
		remove(this.freeSockets, name, socket);
		this.requests[name]?.shift()?._retry?.();
	}
}

function remove(pool: Record<string, Socket[]>, name: string, socket: Socket): void {
	const left = (pool[name] ?? []).filter((other) => other !== socket);
	if (left.length > 0) pool[name] = left;
	else Reflect.deleteProperty(pool, name);
}
