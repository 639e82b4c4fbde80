import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { Socket } from '../net/socket.ts';

export interface AgentOptions {
	keepAlive?: boolean;
	maxSockets?: number;
	maxFreeSockets?: number;
	maxTotalSockets?: number;
	/** Selects the free connection for the next request: the last used one, or the first. */
	scheduling?: 'fifo' | 'lifo';
	keepAliveMsecs?: number;
	noDelay?: boolean;
	timeout?: number;
}

/** Time until the first probe of an idle connection, in ms. */
const KEEP_ALIVE_MS = 1000;

type Connected = (error: Error | null, socket?: Socket) => void;

/** Destination of a request; requests with equal options may share a connection. */
export interface ConnectionOptions {
	host?: string;
	port?: number | string;
	localAddress?: string;
	family?: number;
	socketPath?: string;
	createConnection?: (options: ConnectionOptions, done: Connected) => Socket | undefined;
}

/** Parts of a request that an agent uses. */
export interface PooledRequest {
	reusedSocket: boolean;
	readonly destroyed: boolean;
	/** Asks for a connection again; set while the agent has none to give. */
	_retry: (() => void) | undefined;
	onSocket(socket: Socket): void;
	destroy(error?: Error): unknown;
}

/** `http.Agent`: gives requests a connection, and keeps those that may be used again. */
export class Agent extends EventEmitter {
	static runtime: Runtime;

	options: AgentOptions;
	keepAlive: boolean;
	maxSockets: number;
	maxFreeSockets: number;
	maxTotalSockets: number;
	totalSocketCount = 0;
	keepAliveMsecs: number;
	scheduling: 'fifo' | 'lifo';
	defaultPort = 80;
	protocol = 'http:';
	sockets: Record<string, Socket[]> = {};
	freeSockets: Record<string, Socket[]> = {};
	requests: Record<string, PooledRequest[]> = {};

	constructor(options: AgentOptions = {}) {
		super();
		checkAgentOptions(options);
		this.options = { noDelay: true, ...options };
		this.keepAliveMsecs = options.keepAliveMsecs ?? KEEP_ALIVE_MS;
		this.maxTotalSockets = options.maxTotalSockets ?? Infinity;
		this.scheduling = options.scheduling ?? 'lifo';
		this.keepAlive = options.keepAlive ?? false;
		this.maxSockets = options.maxSockets ?? Infinity;
		this.maxFreeSockets = options.maxFreeSockets ?? 256;
	}

	/** Name of the connections that requests with these options may share. */
	getName(options: ConnectionOptions = {}): string {
		const { host, port, localAddress, family, socketPath } = options;
		const name = `${host || 'localhost'}:${port || ''}:${localAddress || ''}`;
		const withFamily = family === 4 || family === 6 ? `${name}:${family}` : name;
		return socketPath ? `${withFamily}:${socketPath}` : withFamily;
	}

	/** Decides whether a free connection is reused; programs override it. */
	keepSocketAlive(socket: Socket): boolean {
		socket.setKeepAlive(true, this.keepAliveMsecs);
		socket.unref();
		socket.setTimeout(0);
		return true;
	}

	/** Prepares a connection for its next request; programs override it. */
	reuseSocket(socket: Socket, request: PooledRequest): void {
		request.reusedSocket = true;
		socket.ref();
	}

	createConnection(options: ConnectionOptions, _connected?: Connected): Socket | undefined {
		return new Socket().connect({ host: options.host, port: options.port });
	}

	addRequest(request: PooledRequest, options: ConnectionOptions): void {
		const name = this.getName(options);
		const free = this.#takeFree(name);
		if (free) {
			this.reuseSocket(free, request);
			this.#give(name, request, free);
		} else if (this.#hasRoom(name)) this.#connect(name, request, options);
		else {
			request._retry = () => this.#connect(name, request, options);
			(this.requests[name] ??= []).push(request);
		}
	}

	/** Returns an idle connection that is still writable; drops the others. */
	#takeFree(name: string): Socket | undefined {
		const usable = (this.freeSockets[name] ?? []).filter((socket) => !socket.destroyed && socket.writable);
		const free = this.scheduling === 'fifo' ? usable.shift() : usable.pop();
		if (usable.length > 0) this.freeSockets[name] = usable;
		else Reflect.deleteProperty(this.freeSockets, name);
		free?.removeListener('error', dropIdle);
		return free;
	}

	#hasRoom(name: string): boolean {
		return (this.sockets[name]?.length ?? 0) < this.maxSockets && this.totalSocketCount < this.maxTotalSockets;
	}

	destroy(): void {
		for (const pool of [this.freeSockets, this.sockets]) {
			for (const socket of Object.values(pool).flat()) socket.destroy();
		}
	}

	#connect(name: string, request: PooledRequest, options: ConnectionOptions): void {
		let isGiven = false;
		const connected: Connected = (error, socket) => {
			if (isGiven) return;
			isGiven = true;
			if (error || !socket) return void request.destroy(error ?? undefined);
			this.totalSocketCount++;
			socket.on('free', () => this.#freed(name, socket));
			socket.once('close', () => this.#gone(name, socket));
			this.#give(name, request, socket);
		};
		const made = (options.createConnection ?? this.createConnection.bind(this))(options, connected);
		if (made) connected(null, made);
	}

	#give(name: string, request: PooledRequest, socket: Socket): void {
		(this.sockets[name] ??= []).push(socket);
		request.onSocket(socket);
	}

	#freed(name: string, socket: Socket): void {
		remove(this.sockets, name, socket);
		const next = this.#nextRequest(name);
		if (next && !socket.destroyed && socket.writable) {
			next.reusedSocket = true;
			return this.#give(name, next, socket);
		}
		if (next) return next._retry?.();
		const isFull = (this.freeSockets[name]?.length ?? 0) >= this.maxFreeSockets;
		if (!this.keepAlive || isFull || socket.destroyed || !this.keepSocketAlive(socket)) return socket.destroySoon();
		socket.on('error', dropIdle);
		(this.freeSockets[name] ??= []).push(socket);
		this.emit('free', socket, this.options);
	}

	/** Next request that waits for a connection; those that were given up meanwhile are left out. */
	#nextRequest(name: string): PooledRequest | undefined {
		const waiting = (this.requests[name] ?? []).filter((request) => !request.destroyed);
		const next = waiting.shift();
		if (waiting.length > 0) this.requests[name] = waiting;
		else Reflect.deleteProperty(this.requests, name);
		return next;
	}

	#gone(name: string, socket: Socket): void {
		remove(this.sockets, name, socket);
		remove(this.freeSockets, name, socket);
		this.totalSocketCount--;
		// A limit on all connections may have held back requests to another host.
		for (const waiting of [name, ...Object.keys(this.requests)]) {
			if (!this.#hasRoom(waiting)) continue;
			const next = this.#nextRequest(waiting);
			if (next) return next._retry?.();
		}
	}
}

/** Ends an idle connection that fails without a request to report it to. */
function dropIdle(this: Socket): void {
	this.destroy();
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE */
function checkAgentOptions({ maxTotalSockets, scheduling }: AgentOptions): void {
	if (scheduling !== undefined && scheduling !== 'fifo' && scheduling !== 'lifo') {
		const words = `The argument 'scheduling' must be one of: 'fifo', 'lifo'. Received ${inspect(scheduling)}`;
		throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
	}
	if (maxTotalSockets === undefined) return;
	if (typeof maxTotalSockets !== 'number') throw invalidArgument('maxTotalSockets', 'of type number', maxTotalSockets);
	if (!(maxTotalSockets >= 1)) throw outOfRange('maxTotalSockets', '>= 1', maxTotalSockets);
}

function remove(pool: Record<string, Socket[]>, name: string, socket: Socket): void {
	const left = (pool[name] ?? []).filter((other) => other !== socket);
	if (left.length > 0) pool[name] = left;
	else Reflect.deleteProperty(pool, name);
}
