import { invalidArgument, isSyscallError, nodeError } from '../../runtime/errors.ts';
import { isSocketName } from '#computer/abi/special-files.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { abortSignal } from '../../runtime/validate.ts';
import { EventEmitter } from '../events.ts';
import { addressOf, isIP, networkError, sharedError, socketFileError, type Address } from './address.ts';
import { listenArguments, type ListenOptions } from './arguments.ts';
import { portOf } from './checks.ts';
import { BlockList } from './block-list.ts';
import { handleOf, type Handle } from './handle.ts';
import type { SharedListening } from './shared-listening.ts';
import { Socket } from './socket.ts';

/** `Symbol.asyncDispose`, which older browsers lack; `build/shims/globals.ts` adds it. */
const ASYNC_DISPOSE: symbol = Reflect.get(Symbol, 'asyncDispose') as symbol;

export interface ServerOptions {
	allowHalfOpen?: boolean;
	pauseOnConnect?: boolean;
	/** Addresses whose connections are closed at once. */
	blockList?: unknown;
}

type Listener = (...args: unknown[]) => void;

/** `net.Server`: a port of the sandbox's own loopback, or a socket file. */
export class Server extends EventEmitter {
	static runtime: Runtime;

	listening = false;
	allowHalfOpen = false;
	pauseOnConnect = false;
	maxConnections: number | undefined;
	_descriptor: number | null = null;
	_address: Address | string | null = null;
	_options: ServerOptions;
	_sockets = new Set<Socket>();
	/** Resolved path of the socket file to remove when the server is closed. */
	_file: string | null = null;
	_release: (() => void) | null = null;
	_referenced = true;
	/** Number of the last call that waits for a shared socket: another one, or the end of the server, replaces it. */
	_listenings = 0;
	/** Reports to the primary that a shared socket is closed. */
	_unshare: (() => void) | null = null;

	constructor(options?: ServerOptions | Listener, listener?: Listener) {
		super();
		if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
			throw invalidArgument('options', 'of type object', options);
		}
		this._options = typeof options === 'object' ? (options ?? {}) : {};
		this.allowHalfOpen = this._options.allowHalfOpen ?? false;
		this.pauseOnConnect = Boolean(this._options.pauseOnConnect);
		const { blockList } = this._options;
		if (blockList !== undefined && !BlockList.isBlockList(blockList)) {
			throw invalidArgument('options.blockList', 'an net.BlockList', blockList);
		}
		const onConnection = typeof options === 'function' ? options : listener;
		if (onConnection) this.on('connection', onConnection);
	}

	/** Substitute for Node's binding. Libraries use it to detect a listening server. */
	get _handle(): Handle | null {
		return this._descriptor === null ? null : handleOf(this);
	}

	listen(...args: unknown[]): this {
		const { options, listener } = listenArguments(args);
		const { loop } = Server.runtime;
		if (this._descriptor !== null) {
			throw nodeError(
				Error,
				'ERR_SERVER_ALREADY_LISTEN',
				'Listen method has been called more than once without closing.'
			);
		}
		if (options.signal !== undefined) abortSignal(options.signal, 'options.signal');
		if (listener) this.once('listening', listener);
		const { sharedListening } = Server.runtime;
		if (sharedListening && !options.exclusive) return this._share(sharedListening, options);
		const failure = options.path === undefined ? this._listenOn(options) : this._listenAt(options.path);
		if (failure) {
			loop.nextTick(() => this.emit('error', failure), []);
			return this;
		}
		this._closeBy(options.signal);
		this._start();
		return this;
	}

	/** Listens, in a worker of a cluster, on the socket that its primary has opened for all workers. */
	_share(sharedListening: SharedListening, options: ListenOptions): this {
		const { path, host } = options;
		const port = path === undefined ? portOf(options.port ?? 0, 'options.port') : -1;
		const isNamed = path !== undefined && isSocketName(path);
		const given = path === undefined ? host || null : isNamed ? path : Server.runtime.resolvePath(path);
		const address = given === null || port < 0 ? given : addressOf(given, port).address;
		const addressType = port < 0 ? -1 : address !== null && isIP(address) === 6 ? 6 : 4;
		const number = ++this._listenings;
		sharedListening.listen(this, { address, port, addressType }, (answer) => {
			if ('code' in answer) return void this.emit('error', sharedError(answer.code, address, port));
			if (number === this._listenings) {
				this._closeBy(options.signal);
				this._unshare = answer.release;
				this._adopt(answer.descriptor, path ?? addressOf(host, answer.port));
				return;
			}
			// It was closed meanwhile.
			answer.release();
			Server.runtime.sys.close(answer.descriptor);
		});
		return this;
	}

	/** Listens on the port or the socket file of an open descriptor. */
	_adopt(descriptor: number, address: Address | string | null): void {
		this._descriptor = descriptor;
		this._address = address;
		this._start();
	}

	_start(): void {
		this.listening = true;
		if (this._referenced) this._release = this._hold();
		if (this._descriptor !== null) void this._accept(this._descriptor);
		Server.runtime.loop.nextTick(() => {
			// It may have been closed meanwhile.
			if (this._descriptor !== null) this.emit('listening');
		}, []);
	}

	_closeBy(signal: AbortSignal | undefined): void {
		if (signal?.aborted) Server.runtime.loop.nextTick(() => this.close(), []);
		else signal?.addEventListener('abort', () => this.close(), { once: true });
	}

	/** Listens on a port. @returns the error if it could not be opened */
	_listenOn(options: ListenOptions): Error | null {
		const port = portOf(options.port ?? 0, 'options.port');
		try {
			const opened = Server.runtime.sys.listen(options.host ?? '', port);
			this._descriptor = opened.descriptor;
			this._address = addressOf(options.host, opened.port);
			return null;
		} catch (error) {
			return networkError(error, 'listen', options.host, port);
		}
	}

	/** Listens at a socket file. @returns the error if it could not be created */
	_listenAt(path: string): Error | null {
		const { sys, resolvePath } = Server.runtime;
		try {
			this._file = isSocketName(path) ? null : resolvePath(path);
			this._descriptor = sys.listenAt(this._file ?? path);
			this._address = path;
			return null;
		} catch (error) {
			this._file = null;
			return socketFileError(error, 'listen', path);
		}
	}

	_hold(): () => void {
		return Server.runtime.loop.hold(typeof this._address === 'string' ? 'PipeServerWrap' : 'TCPServerWrap', this);
	}

	async _accept(descriptor: number): Promise<void> {
		const { loop, sys, async: calls } = Server.runtime;
		while (this._descriptor === descriptor) {
			try {
				if (this._unshare) await this._room();
				// Closed meanwhile: the number may be another's by now.
				if (this._descriptor !== descriptor) return;
				const found = await calls.accept(descriptor);
				loop.enter(() => {
					const socket = new Socket(this._options);
					if (this._isBlocked()) return sys.close(found.descriptor);
					const isFull = this.maxConnections !== undefined && this._sockets.size >= this.maxConnections;
					if (isFull || this._options.pauseOnConnect) socket.pause();
					if (!isFull) this._take(socket);
					// Before the program has it, nothing is read: it may pass it to another process.
					if (typeof this._address === 'string') socket._open({ descriptor: found.descriptor }, undefined, false);
					else socket._open(found, this._address ?? undefined, false);
					if (isFull) this._drop(socket);
				});
			} catch (error) {
				// ECONNABORTED, EBADF: it was closed.
				if (isSyscallError(error)) return;
				loop.onUncaught(error);
				return;
			}
		}
	}

	/** Returns whether connections are refused by their address, which is the sandbox's own. */
	_isBlocked(): boolean {
		const { blockList } = this._options;
		if (!BlockList.isBlockList(blockList) || typeof this._address === 'string') return false;
		const { family } = this._address ?? {};
		return family === 'IPv6'
			? blockList.check('::1', 'ipv6') || blockList.check('127.0.0.1')
			: blockList.check('127.0.0.1');
	}

	/** Waits, where others share the port, while this server has as many connections as it takes. */
	async _room(): Promise<void> {
		const isFull = () => this.maxConnections !== undefined && this._sockets.size >= this.maxConnections;
		while (this._unshare && isFull()) await new Promise((resolve) => this.once('_room', resolve));
	}

	_take(socket: Socket): void {
		socket.server = this;
		this._sockets.add(socket);
		socket.once('_gone', () => {
			this._sockets.delete(socket);
			this.emit('_room');
			this._emitCloseIfDone();
		});
		Server.runtime.loop.nextTick(() => {
			this.emit('connection', socket);
			if (!socket.isPaused() && socket._descriptor !== null) socket.read(0);
		}, []);
	}

	/** Closes a connection beyond the server's limit. */
	_drop(socket: Socket): void {
		const { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily } = socket;
		socket.destroy();
		this.emit('drop', { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily });
	}

	close(given?: unknown): this {
		const listener = typeof given === 'function' ? (given as (error?: Error) => void) : undefined;
		if (this._descriptor === null) {
			const error = nodeError(Error, 'ERR_SERVER_NOT_RUNNING', 'Server is not running.');
			if (listener) this.once('close', () => listener(error));
		} else if (listener) this.once('close', () => listener());
		if (this._descriptor !== null) Server.runtime.sys.close(this._descriptor);
		this._removeFile();
		this._unshare?.();
		this._unshare = null;
		this._listenings++;
		this.emit('_room');
		this._descriptor = null;
		this.listening = false;
		this._release?.();
		this._release = null;
		this._emitCloseIfDone();
		return this;
	}

	_removeFile(): void {
		if (this._file === null) return;
		const file = this._file;
		this._file = null;
		try {
			Server.runtime.sys.unlink(file);
		} catch (error) {
			// The program has already removed or moved it.
			if (!isSyscallError(error)) throw error;
		}
	}

	_emitCloseIfDone(): void {
		if (this._descriptor !== null || this._sockets.size > 0) return;
		Server.runtime.loop.nextTick(() => {
			if (this._descriptor === null && this._sockets.size === 0) this.emit('close');
		}, []);
	}

	address(): Address | string | null {
		return this._descriptor === null ? null : this._address;
	}

	getConnections(listener: (error: null, count: number) => void): this {
		Server.runtime.loop.nextTick(() => listener(null, this._sockets.size), []);
		return this;
	}

	ref(): this {
		this._referenced = true;
		if (this._descriptor !== null) this._release ??= this._hold();
		return this;
	}

	unref(): this {
		this._referenced = false;
		this._release?.();
		this._release = null;
		return this;
	}

	[ASYNC_DISPOSE](): Promise<void> {
		return new Promise((resolve, reject) => this.close((error?: Error) => (error ? reject(error) : resolve())));
	}
}
