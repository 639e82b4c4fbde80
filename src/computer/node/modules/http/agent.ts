import { inspect } from 'node-inspect-extracted';
import { invalidArgument, nodeError, outOfRange } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { isIP } from '../net/address.ts';
import { Socket } from '../net/socket.ts';

export interface AgentOptions {
	keepAlive?: boolean;
	maxSockets?: number;
	maxFreeSockets?: number;
	maxTotalSockets?: number;
	/** Selects the free connection for the next request: the most recently used one, or the first. */
	scheduling?: 'fifo' | 'lifo';
	keepAliveMsecs?: number;
	noDelay?: boolean;
	timeout?: number;
}

/** Time until the first probe of an idle connection, in ms. */
const KEEP_ALIVE_MS = 1000;

type Connected = (error: Error | null, socket?: Socket) => void;

/** Destination of a request; requests with equal options can share a connection. */
export interface ConnectionOptions {
	host?: string;
	port?: number | string;
	path?: string | null;
	localAddress?: string;
	family?: number;
	socketPath?: string;
	/** Host name for TLS; empty for none. */
	servername?: string;
	keepAlive?: boolean;
	keepAliveInitialDelay?: number;
	noDelay?: boolean;
	timeout?: number;
	createConnection?: (options: ConnectionOptions, done: Connected) => Socket | undefined;
}

/** Parts of a request that an agent uses. */
export interface PooledRequest {
	reusedSocket: boolean;
	shouldKeepAlive: boolean;
	timeout?: number;
	res: { headers: Record<string, unknown> } | null;
	getHeader?(name: string): unknown;
	onSocket(socket: Socket | null, error?: Error | null): void;
}

type Pool<Entry> = Record<string, Entry[]>;

/** `http.Agent`: provides connections for requests, and keeps those that can be reused. */
export class Agent extends EventEmitter {
	static runtime: Runtime;

	options: AgentOptions & ConnectionOptions;
	keepAlive: boolean;
	maxSockets: number;
	maxFreeSockets: number;
	maxTotalSockets: number;
	totalSocketCount = 0;
	keepAliveMsecs: number;
	scheduling: 'fifo' | 'lifo';
	defaultPort = 80;
	protocol = 'http:';
	sockets: Pool<Socket> = {};
	freeSockets: Pool<Socket> = {};
	requests: Pool<PooledRequest> = {};
	/** Destinations of queued requests. */
	_destinations = new WeakMap<PooledRequest, ConnectionOptions>();

	constructor(options: AgentOptions = {}) {
		super();
		checkAgentOptions(options);
		// A path is specific to a request.
		this.options = { noDelay: true, ...options, path: null };
		this.keepAliveMsecs = options.keepAliveMsecs ?? KEEP_ALIVE_MS;
		this.maxTotalSockets = options.maxTotalSockets ?? Infinity;
		this.scheduling = options.scheduling ?? 'lifo';
		this.keepAlive = options.keepAlive ?? false;
		this.maxSockets = options.maxSockets ?? Infinity;
		this.maxFreeSockets = options.maxFreeSockets ?? 256;
		this.on('free', (socket: Socket, destination: ConnectionOptions) => this._freed(socket, destination));
	}

	/** Key of the connections that requests with these options can share. */
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
		const own = this.options.timeout ?? 0;
		const hint = /^timeout=(\d+)/.exec(String(requestOf(socket)?.res?.headers['keep-alive'] ?? ''))?.[1];
		const idle = hint === undefined ? own : Math.min(own, Number(hint) * 1000);
		if (socket.timeout !== idle) socket.setTimeout(idle);
		return true;
	}

	/** Prepares a connection for its next request; programs override it. */
	reuseSocket(socket: Socket, request: PooledRequest): void {
		socket.removeListener('error', dropIdle);
		request.reusedSocket = true;
		socket.ref();
	}

	/** Function that opens connections, unless the program has replaced it. */
	get _standardConnection(): unknown {
		return Agent.prototype.createConnection;
	}

	createConnection(options: ConnectionOptions, _connected?: Connected): Socket | undefined {
		const path = options.socketPath;
		return new Socket(options as object).connect([{ ...options, path }, null]);
	}

	/** Older form: `addRequest(request, host, port, localAddress)`. */
	addRequest(request: PooledRequest, given: ConnectionOptions | string, port?: number, localAddress?: string): void {
		const own: ConnectionOptions = typeof given === 'string' ? { host: given, port, localAddress } : given;
		const options = withServerName(this._destination(own), request);
		const name = this.getName(options);
		this.sockets[name] ??= [];
		const free = this._takeFree(name);
		const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length;
		if (free) {
			this.reuseSocket(free, request);
			this._give(request, free);
			this.sockets[name].push(free);
		} else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
			this.createSocket(request, options, (error, socket) => {
				if (error || !socket) request.onSocket(null, error);
				else this._give(request, socket);
			});
		} else {
			this._destinations.set(request, options);
			(this.requests[name] ??= []).push(request);
		}
	}

	/** Opens a connection and counts it; `connected` is called once. */
	createSocket(request: PooledRequest, given: ConnectionOptions, connected: Connected): void {
		const options = withServerName(this._destination(given), request);
		const name = this.getName(options);
		let isDone = false;
		const done: Connected = (error, socket) => {
			if (isDone) return;
			isDone = true;
			if (error || !socket) return connected(error);
			(this.sockets[name] ??= []).push(socket);
			this.totalSocketCount++;
			this._listen(socket, options);
			connected(null, socket);
		};
		const kept = this.keepAlive ? { keepAlive: true, keepAliveInitialDelay: this.keepAliveMsecs } : {};
		const connect = given.createConnection ?? this.createConnection.bind(this);
		const made = connect({ ...options, ...kept }, done);
		if (made) done(null, made);
	}

	/** Removes a connection; a request that waited for room gets a new one. */
	removeSocket(socket: Socket, options: ConnectionOptions): void {
		const name = this.getName(options);
		remove(this.sockets, name, socket);
		if (!socket.writable) remove(this.freeSockets, name, socket);
		const next = this.requests[name]?.[0] ?? this._requestElsewhere();
		const destination = next && (this._destinations.get(next) ?? options);
		if (!next || !destination) return;
		this._destinations.delete(next);
		this.createSocket(next, destination, (error, made) => {
			if (error || !made) next.onSocket(null, error);
			else made.emit('free');
		});
	}

	destroy(): void {
		for (const pool of [this.freeSockets, this.sockets]) {
			for (const socket of Object.values(pool).flat()) socket.destroy();
		}
	}

	/** A request to a host without any connection, delayed by the total limit. */
	_requestElsewhere(): PooledRequest | undefined {
		const name = Object.keys(this.requests)[0];
		return name === undefined || this.sockets[name]?.length ? undefined : this.requests[name]?.[0];
	}

	_destination(given: ConnectionOptions): ConnectionOptions {
		const own = Object.entries(this.options).filter(([, value]) => value !== undefined);
		return { ...given, ...(Object.fromEntries(own) as ConnectionOptions) };
	}

	/** Returns an idle connection that is still open. */
	_takeFree(name: string): Socket | undefined {
		const free = this.freeSockets[name];
		if (!free) return undefined;
		while (free[0]?.destroyed) free.shift();
		const taken = this.scheduling === 'fifo' ? free.shift() : free.pop();
		if (free.length === 0) Reflect.deleteProperty(this.freeSockets, name);
		return taken;
	}

	_listen(socket: Socket, options: ConnectionOptions): void {
		const onFree = () => this.emit('free', socket, options);
		const onTimeout = () => {
			if (Object.values(this.freeSockets).some((free) => free.includes(socket))) socket.destroy();
		};
		const onClose = () => {
			this.totalSocketCount--;
			this.removeSocket(socket, options);
		};
		const events = { free: onFree, timeout: onTimeout, close: onClose, agentRemove: () => onRemove() };
		const onRemove = () => {
			onClose();
			for (const [event, heard] of Object.entries(events)) socket.removeListener(event, heard);
		};
		for (const [event, heard] of Object.entries(events)) socket.on(event, heard);
	}

	_give(request: PooledRequest, socket: Socket): void {
		request.onSocket(socket);
		if (request.timeout !== undefined && request.timeout !== (this.options.timeout ?? 0)) {
			socket.setTimeout(request.timeout);
		}
	}

	_freed(socket: Socket, options: ConnectionOptions): void {
		const name = this.getName(options);
		if (!socket.writable) return void socket.destroy();
		const waiting = this.requests[name];
		const next = waiting?.shift();
		if (next) {
			if (waiting?.length === 0) Reflect.deleteProperty(this.requests, name);
			return this._give(next, socket);
		}
		const free = this.freeSockets[name] ?? [];
		const count = free.length + (this.sockets[name]?.length ?? 0);
		const isKept =
			this.keepAlive &&
			requestOf(socket)?.shouldKeepAlive &&
			this.totalSocketCount <= this.maxTotalSockets &&
			count <= this.maxSockets &&
			free.length < this.maxFreeSockets &&
			this.keepSocketAlive(socket);
		if (!isKept) return void socket.destroy();
		this.freeSockets[name] = free;
		socket._httpMessage = null;
		this.removeSocket(socket, options);
		socket.once('error', dropIdle);
		free.push(socket);
	}
}

/** Adds the host named in the request, without its port. */
function withServerName(options: ConnectionOptions, request: PooledRequest): ConnectionOptions {
	if (options.servername !== undefined || options.host === undefined) return options;
	const header = request.getHeader?.('host');
	if (typeof header !== 'string') return { ...options, servername: isIP(options.host) ? '' : options.host };
	const name = header.startsWith('[') ? header.slice(1, header.indexOf(']')) : (header.split(':', 1)[0] ?? '');
	return { ...options, servername: isIP(name) ? '' : name };
}

function requestOf(socket: Socket): PooledRequest | null {
	return socket._httpMessage as PooledRequest | null;
}

/** Removes an idle connection that fails without a request to report it to. */
function dropIdle(this: Socket): void {
	this.destroy();
	this.emit('agentRemove');
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

function remove(pool: Pool<Socket>, name: string, socket: Socket): void {
	const left = (pool[name] ?? []).filter((other) => other !== socket);
	if (left.length > 0) pool[name] = left;
	else Reflect.deleteProperty(pool, name);
}
