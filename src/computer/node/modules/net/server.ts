import { isSyscallError, nodeError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { addressOf, networkError, type Address } from './address.ts';
import { listenArguments } from './arguments.ts';
import { handleOf, type Handle } from './handle.ts';
import { Socket } from './socket.ts';

/** `Symbol.asyncDispose`, which older browsers lack; `build/shims/globals.ts` fills it in. */
const ASYNC_DISPOSE: symbol = Reflect.get(Symbol, 'asyncDispose') as symbol;

export interface ServerOptions {
	allowHalfOpen?: boolean;
	pauseOnConnect?: boolean;
}

type Listener = (...args: unknown[]) => void;

/** `net.Server`: a port of the sandbox's own loopback. */
export class Server extends EventEmitter {
	static runtime: Runtime;

	listening = false;
	maxConnections: number | undefined;
	_descriptor: number | null = null;
	_address: Address | null = null;
	_options: ServerOptions;
	_sockets = new Set<Socket>();
	_release: (() => void) | null = null;
	_referenced = true;

	constructor(options?: ServerOptions | Listener, listener?: Listener) {
		super();
		this._options = typeof options === 'object' ? options : {};
		const onConnection = typeof options === 'function' ? options : listener;
		if (onConnection) this.on('connection', onConnection);
	}

	/** Substitute for Node's binding. Libraries use it to detect a listening server. */
	get _handle(): Handle | null {
		return handleOf(this, this._descriptor);
	}

	listen(...args: unknown[]): this {
		const { options, listener } = listenArguments(args);
		const { loop, sys } = Server.runtime;
		if (this._descriptor !== null) {
			throw nodeError(
				Error,
				'ERR_SERVER_ALREADY_LISTEN',
				'Listen method has been called more than once without closing.'
			);
		}
		if (listener) this.once('listening', listener);
		if (options.path !== undefined) {
			const error = nodeError(
				Error,
				'ENOTSUP',
				`listen ENOTSUP ${options.path}: there are no socket files here, use a port`
			);
			loop.nextTick(() => this.emit('error', error), []);
			return this;
		}
		const port = Number(options.port ?? 0);
		if (!Number.isInteger(port) || port < 0 || port > 65_535) {
			const shown = `${typeof options.port} (${String(options.port)})`;
			const range = `options.port should be >= 0 and < 65536. Received ${shown}.`;
			throw nodeError(RangeError, 'ERR_SOCKET_BAD_PORT', range);
		}
		try {
			const opened = sys.listen(options.host ?? '', port);
			this._descriptor = opened.descriptor;
			this._address = addressOf(options.host, opened.port);
		} catch (error) {
			const shown = networkError(error, 'listen', options.host, port);
			loop.nextTick(() => this.emit('error', shown), []);
			return this;
		}
		this.listening = true;
		if (this._referenced) this._release = loop.hold('TCPServerWrap', this);
		options.signal?.addEventListener('abort', () => this.close(), { once: true });
		void this._accept(this._descriptor);
		loop.nextTick(() => {
			// It may have been closed again.
			if (this._descriptor !== null) this.emit('listening');
		}, []);
		return this;
	}

	async _accept(descriptor: number): Promise<void> {
		const { loop, async: calls } = Server.runtime;
		while (this._descriptor === descriptor) {
			try {
				const found = await calls.accept(descriptor);
				loop.enter(() => {
					const socket = new Socket(this._options);
					this._take(socket);
					socket._open(found, this._address ?? undefined);
				});
			} catch (error) {
				// ECONNABORTED, EBADF: it was closed.
				if (isSyscallError(error)) return;
				loop.onUncaught(error);
				return;
			}
		}
	}

	_take(socket: Socket): void {
		if (this.maxConnections !== undefined && this._sockets.size >= this.maxConnections) {
			Server.runtime.loop.nextTick(() => socket.destroy(), []);
			return;
		}
		socket.server = this;
		this._sockets.add(socket);
		socket.once('_gone', () => {
			this._sockets.delete(socket);
			this._emitCloseIfDone();
		});
		if (this._options.pauseOnConnect) socket.pause();
		Server.runtime.loop.nextTick(() => this.emit('connection', socket), []);
	}

	close(listener?: (error?: Error) => void): this {
		if (this._descriptor === null) {
			const error = nodeError(Error, 'ERR_SERVER_NOT_RUNNING', 'Server is not running.');
			if (listener) this.once('close', () => listener(error));
		} else if (listener) this.once('close', () => listener());
		if (this._descriptor !== null) Server.runtime.sys.close(this._descriptor);
		this._descriptor = null;
		this.listening = false;
		this._release?.();
		this._release = null;
		this._emitCloseIfDone();
		return this;
	}

	_emitCloseIfDone(): void {
		if (this._descriptor !== null || this._sockets.size > 0) return;
		Server.runtime.loop.nextTick(() => {
			if (this._descriptor === null && this._sockets.size === 0) this.emit('close');
		}, []);
	}

	address(): Address | null {
		return this._descriptor === null ? null : this._address;
	}

	getConnections(listener: (error: null, count: number) => void): this {
		Server.runtime.loop.nextTick(() => listener(null, this._sockets.size), []);
		return this;
	}

	ref(): this {
		this._referenced = true;
		if (this._descriptor !== null) this._release ??= Server.runtime.loop.hold('TCPServerWrap', this);
		return this;
	}

	unref(): this {
		this._referenced = false;
		this._release?.();
		this._release = null;
		return this;
	}

	[ASYNC_DISPOSE](): Promise<void> {
		return new Promise((resolve, reject) => this.close((error) => (error ? reject(error) : resolve())));
	}
}
