import { Buffer } from 'buffer';
import { isSocketName } from '#computer/abi/special-files.ts';
import type { SocketInfo } from '#computer/abi/syscalls.ts';
import { isSyscallError, nodeError, systemError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { integer } from '../../runtime/validate.ts';
import streams from '../stream.ts';
import { descriptorsOf } from '../fs/descriptors.ts';
import { connectArguments, firstAddress, type ConnectOptions, type Lookup } from './arguments.ts';
import { addressOf, isIP, networkError, socketFileError, type Address } from './address.ts';
import { checkConnectOptions, checkStreamOptions, checkTimeout, portOf } from './checks.ts';
import { BlockList } from './block-list.ts';
import { handleOf, type Handle } from './handle.ts';

const READ_BYTES = 64 * 1024;
/** Number of written bytes that a connection accepts at once, like TCP: a pipe of the kernel has room for them. */
const SEND_BUFFER_BYTES = 64 * 1024;

type Done = (error?: Error | null) => void;

/** Open connection: without addresses if it uses a socket file. */
type OpenSocket = SocketInfo | Pick<SocketInfo, 'descriptor'>;

export interface SocketOptions extends ConnectOptions {
	allowHalfOpen?: boolean;
	signal?: AbortSignal;
	/** Open descriptor of a pipe or a connection. */
	fd?: number;
	readable?: boolean;
	writable?: boolean;
	highWaterMark?: number;
	readableHighWaterMark?: number;
	writableHighWaterMark?: number;
}

/** Sizes of a connection's buffers, if specified. */
function sizesOf({ highWaterMark, readableHighWaterMark, writableHighWaterMark }: SocketOptions): SocketOptions {
	return Object.fromEntries(
		Object.entries({ highWaterMark, readableHighWaterMark, writableHighWaterMark }).filter(
			([, size]) => size !== undefined
		)
	);
}

/** `net.Socket`: a connection of the sandbox's own loopback, or over a socket file, as a stream. */
export class Socket extends streams.Duplex {
	static runtime: Runtime;

	connecting = false;
	localAddress: string | undefined;
	localPort: number | undefined;
	localFamily: string | undefined;
	_peer: Address | null = null;
	/** Set when the peer's address was read: it remains after the connection has closed. */
	_isPeerKnown = false;
	bytesRead = 0;
	timeout = 0;
	server: unknown = null;
	/** The HTTP message that currently uses the connection. */
	_httpMessage: unknown = null;
	/** Parser of a connection's messages in Node; always null here. */
	parser: unknown = null;
	_descriptor: number | null = null;
	_written = 0;
	/** Number of bytes in flight to the kernel. */
	_sending = 0;
	_sent: Promise<void> = Promise.resolve();
	_wanted = false;
	_reading = false;
	/** True for a connection over a socket file. */
	_isLocal = false;
	/** Set if the connection is reset when it closes. */
	_isReset = false;
	/** Set if bytes were written after the peer was gone. */
	_hasLost = false;
	_referenced = true;
	_release: (() => void) | null = null;
	_timer: { refresh(): unknown; close(): unknown } | null = null;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE */
	constructor(options: SocketOptions = {}) {
		checkStreamOptions(options);
		if (options.fd !== undefined) integer(0, 2 ** 31 - 1)(options.fd, 'fd');
		super({
			allowHalfOpen: options.allowHalfOpen ?? false,
			emitClose: false,
			autoDestroy: true,
			signal: options.signal,
			...(options.fd === undefined ? {} : { readable: options.readable, writable: options.writable }),
			...sizesOf(options)
		});
		// The end of a connection is detected even if nothing is read.
		this.on('end', () => {
			this.setTimeout(0);
			if (!this.allowHalfOpen) this.write = writeAfterEnd as typeof this.write;
		});
		if (options.fd !== undefined) this._openDescriptor(options.fd, options.readable !== false);
	}

	/** Substitute for Node's binding. Libraries use it to detect an open connection. */
	get _handle(): Handle | null {
		return this._descriptor === null && !this.connecting ? null : handleOf(this);
	}

	/** A handle set by others has no effect here. */
	set _handle(_handle: Handle | null) {
		// Node's connections lose theirs this way; ours is the descriptor.
	}

	get pending(): boolean {
		return this._descriptor === null;
	}

	/** Older name of `connecting`. */
	get _connecting(): boolean {
		return this.connecting;
	}

	/** Undefined on the prototype, which packages read. */
	get bytesWritten(): number | undefined {
		return this._written === undefined ? undefined : this._written + this.writableLength;
	}

	get bufferSize(): number | undefined {
		return this._handle ? this.writableLength : undefined;
	}

	get remoteAddress(): string | undefined {
		return this._peername()?.address;
	}

	get remotePort(): number | undefined {
		return this._peername()?.port;
	}

	get remoteFamily(): string | undefined {
		return this._peername()?.family;
	}

	_peername(): Address | null {
		if (this._descriptor === null && !this._isPeerKnown) return null;
		this._isPeerKnown = this._peer !== null;
		return this._peer;
	}

	get readyState(): string {
		if (this.connecting) return 'opening';
		if (this._descriptor === null) return 'closed';
		if (this.readable && this.writable) return 'open';
		return this.readable ? 'readOnly' : this.writable ? 'writeOnly' : 'closed';
	}

	connect(...args: unknown[]): this {
		const { options, listener } = connectArguments(args);
		checkConnectOptions(options);
		if (this.destroyed) this._reopen();
		if (listener) this.once('connect', listener);
		if (options.timeout) this.setTimeout(options.timeout);
		if (options.path) {
			this._connectTo(options.path);
			return this;
		}
		const host = options.host ?? 'localhost';
		const port = portOf(options.port, 'Port');
		if (options.noDelay) this.once('connect', () => this.setNoDelay());
		if (options.keepAlive) this.once('connect', () => this.setKeepAlive(true, options.keepAliveInitialDelay));
		if (options.lookup && isIP(host) === 0) this._lookUp(options.lookup, host, port, options);
		else {
			this._connectOn(host, port, options);
			// The only name that can be resolved without a lookup.
			if (host === 'localhost') {
				Socket.runtime.loop.nextTick(() => this.emit('lookup', null, '127.0.0.1', 4, host), []);
			}
		}
		return this;
	}

	/** Resets the streams of a closed connection, so that it can be used for another one. */
	_reopen(): void {
		(this as unknown as { _undestroy(): void })._undestroy();
		delete (this as { write?: unknown }).write;
		this._peer = null;
		this._isPeerKnown = false;
		this._written = this.bytesRead = 0;
		this._hasLost = false;
	}

	_connectOn(host: string, port: number, { blockList }: ConnectOptions): void {
		const { address, family } = addressOf(host, port);
		if (BlockList.isBlockList(blockList) && blockList.check(address, family)) {
			const words = `IP(${address}) is blocked by net.BlockList`;
			return void this.destroy(nodeError(Error, 'ERR_IP_BLOCKED', words));
		}
		this._connect(Socket.runtime.async.connect(host, port), (error) => networkError(error, 'connect', host, port));
	}

	/** Calls the program's own resolver for the address of a host. */
	_lookUp(lookup: Lookup, host: string, port: number, { family, hints = 0, blockList }: ConnectOptions): void {
		this.connecting = true;
		lookup(host, { family, hints, all: false }, (error, found, foundFamily) => {
			const { address, family: given } = firstAddress(found, foundFamily);
			this.emit('lookup', error, address, given, host);
			if (this.destroyed) return;
			if (error) return void Socket.runtime.loop.nextTick(() => this.destroy(error), []);
			if (isIP(address) === 0) return void this.destroy(invalidAddress(address, host, port));
			if (given !== undefined && Number(given) !== 4 && Number(given) !== 6) {
				const words = `Invalid address family: ${given} ${host}:${port}`;
				return void this.destroy(
					Object.assign(nodeError(RangeError, 'ERR_INVALID_ADDRESS_FAMILY', words), { host, port })
				);
			}
			this._connectOn(String(address), port, { blockList });
		});
	}

	_connectTo(path: string): void {
		const { async: calls, resolvePath } = Socket.runtime;
		this._isLocal = true;
		const connecting = calls
			.connectTo(isSocketName(path) ? path : resolvePath(path))
			.then((descriptor) => ({ descriptor }));
		this._connect(connecting, (error) => socketFileError(error, 'connect', path));
	}

	_connect(connecting: Promise<OpenSocket>, failed: (error: unknown) => Error): void {
		this.connecting = true;
		const release = Socket.runtime.loop.hold(this._resource, this);
		connecting.then(
			(socket) =>
				Socket.runtime.loop.enter(() => {
					release();
					if (this.destroyed) return Socket.runtime.sys.close(socket.descriptor);
					this._open(socket);
					this.emit('connect');
					this.emit('ready');
				}),
			(error: unknown) =>
				Socket.runtime.loop.enter(() => {
					release();
					this.connecting = false;
					this.destroy(failed(error));
				})
		);
	}

	/** Name of the resource that keeps the program alive. */
	get _resource(): string {
		return this._isLocal ? 'PipeWrap' : 'TCPSocketWrap';
	}

	/**
	 * Adopts an open connection.
	 * @param reads false if the caller starts reading later, with `read(0)`
	 */
	_open(socket: OpenSocket, local?: Address, reads = true): void {
		this.connecting = false;
		this._descriptor = socket.descriptor;
		if ('localPort' in socket) this._takeAddresses(socket, local ?? addressOf('127.0.0.1', socket.localPort));
		else this._isLocal = true;
		if (this._wanted) this._receive();
		else if (!reads) return;
		// Do not read ahead for a paused program: that would keep it alive.
		else if (!this.isPaused()) this.read(0);
	}

	/** @throws ERR_INVALID_FD_TYPE for a file */
	_openDescriptor(descriptor: number, isReadable: boolean): void {
		const descriptors = descriptorsOf(Socket.runtime);
		if (descriptors.isFile(descriptor)) throw nodeError(TypeError, 'ERR_INVALID_FD_TYPE', 'Unsupported fd type: FILE');
		this._descriptor = descriptors.forChild(descriptor);
		this._isLocal = true;
		if (isReadable) this.read(0);
	}

	_takeAddresses(socket: SocketInfo, local: Address): void {
		this.localAddress = local.address;
		this.localPort = socket.localPort;
		this.localFamily = local.family;
		const address = local.address === '::1' ? '::1' : local.family === 'IPv6' ? '::ffff:127.0.0.1' : '127.0.0.1';
		this._peer = { address, family: local.family, port: socket.remotePort };
	}

	address(): Address | Record<string, never> {
		if (this.localAddress === undefined || this.localPort === undefined) return {};
		return addressOf(this.localAddress, this.localPort);
	}

	override _read(): void {
		this._wanted = true;
		this._receive();
	}

	_receive(): void {
		const descriptor = this._descriptor;
		if (this._reading || descriptor === null) return;
		this._reading = true;
		this._wanted = false;
		if (this._referenced) this._release ??= Socket.runtime.loop.hold(this._resource, this);
		Socket.runtime.async.read(descriptor, READ_BYTES).then(
			(bytes) =>
				Socket.runtime.loop.enter(() => {
					// Another process has the connection.
					if (this._descriptor !== descriptor && !this.destroyed) return;
					this._stopReading();
					if (this.destroyed) return;
					this._timer?.refresh();
					this.bytesRead += bytes.length;
					this.push(bytes.length > 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : null);
					// The end is emitted even if no one reads.
					if (bytes.length === 0) this.read(0);
				}),
			(error: unknown) =>
				Socket.runtime.loop.enter(() => {
					if (this._descriptor !== descriptor && !this.destroyed) return;
					this._stopReading();
					if (!this.destroyed) this.destroy(failure(error, 'read'));
				})
		);
	}

	_stopReading(): void {
		this._reading = false;
		this._release?.();
		this._release = null;
	}

	override _write(chunk: Uint8Array, _encoding: unknown, done: Done): void {
		if (this.connecting) {
			const closed = () => {
				const words = 'Socket closed before the connection was established';
				done(nodeError(Error, 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION', words));
			};
			this.once('connect', () => {
				this.off('close', closed);
				this._write(chunk, _encoding, done);
			});
			this.once('close', closed);
			return;
		}
		if (this._descriptor === null) return done(socketClosed());
		this._timer?.refresh();
		this._written += chunk.length;
		this._sending += chunk.length;
		const isTaken = this._sending <= SEND_BUFFER_BYTES;
		const writing = Socket.runtime.async.write(this._descriptor, chunk);
		this._sent = Socket.runtime.loop.holdWhile(writing).then(
			() => Socket.runtime.loop.enter(() => this._wrote(chunk.length, isTaken ? null : done, null)),
			(error: unknown) => {
				const shown = isTaken && this._isFirstLoss(error) ? null : failure(error, 'write');
				Socket.runtime.loop.enter(() => this._wrote(chunk.length, isTaken ? null : done, shown));
			}
		);
		if (isTaken) done();
	}

	/**
	 * @param done callback of a write that was awaited; null for one that counted as done when the connection accepted
	 * it
	 */
	_wrote(count: number, done: Done | null, error: Error | null): void {
		this._sending -= count;
		if (done) done(error);
		else if (error && !this.destroyed) this.destroy(error);
	}

	/** Returns whether written data are lost silently, as TCP accepts the first bytes for a peer that is gone. */
	_isFirstLoss(error: unknown): boolean {
		const isLost = isSyscallError(error) && error.code === 'EPIPE' && !this._isLocal && !this._hasLost;
		this._hasLost ||= isLost;
		return isLost;
	}

	override _writev(chunks: { chunk: Uint8Array }[], done: Done): void {
		this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
	}

	override _final(done: Done): void {
		if (this.connecting) {
			this.once('connect', () => this._final(done));
			return;
		}
		if (this._sending > 0) void this._sent.then(() => Socket.runtime.loop.enter(() => this._shutDown(done)));
		else this._shutDown(done);
	}

	_shutDown(done: Done): void {
		// A connection that is reset has no regular end.
		if (this._descriptor !== null && !this._isReset) {
			try {
				Socket.runtime.sys.shutdown(this._descriptor);
			} catch (error) {
				// A pipe ends when it is closed.
				if (!isSyscallError(error) || error.code !== 'ENOTSOCK') return done(failure(error, 'shutdown'));
			}
		}
		done();
	}

	override _destroy(error: Error | null, done: Done): void {
		const hasConnection = this.connecting || this._descriptor !== null;
		this.connecting = false;
		this._stopReading();
		this._timer?.close();
		this._timer = null;
		this._close();
		done(error);
		this.emit('_gone');
		const { loop } = Socket.runtime;
		const closed = () => void this.emit('close', error !== null);
		// With a connection, `close` is emitted in a separate turn; otherwise after `error`, which has a separate tick.
		if (hasConnection) loop.turn(closed);
		else loop.nextTick(() => loop.nextTick(closed, []), []);
	}

	/** Gives the connection up to another process, which has it already. */
	_detach(): void {
		this._stopReading();
		this.setTimeout(0);
		this._close();
	}

	/** Closes the descriptor, after the bytes in flight. */
	_close(): void {
		const { _descriptor: descriptor, _sending: sending } = this;
		this._descriptor = null;
		if (descriptor === null) return;
		const isReset = this._isReset;
		this._isReset = false;
		const close = () => {
			if (isReset) Socket.runtime.sys.shutdown(descriptor, true);
			Socket.runtime.sys.close(descriptor);
		};
		if (sending > 0) void this._sent.then(close);
		else close();
	}

	destroySoon(): void {
		if (this.writable) this.end();
		if (this.writableFinished) this.destroy();
		else this.once('finish', () => this.destroy());
	}

	/** Resets the connection: the other side gets `ECONNRESET`, not an end. */
	resetAndDestroy(): this {
		if (!this._handle) return this.destroy(socketClosed());
		if (this._isLocal) {
			const words = 'This handle type cannot be sent';
			throw nodeError(TypeError, 'ERR_INVALID_HANDLE_TYPE', words);
		}
		const reset = () => {
			this._isReset = true;
			this.destroySoon();
		};
		if (this.connecting) this.once('connect', reset);
		else reset();
		return this;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	setTimeout(ms: number, listener?: () => void): this {
		checkTimeout(ms, listener);
		this.timeout = ms;
		if (this.destroyed) return this;
		this._timer?.close();
		this._timer = null;
		if (listener && ms > 0) this.once('timeout', listener);
		else if (listener) this.removeListener('timeout', listener);
		if (ms > 0) {
			this._timer = Socket.runtime.timers
				.setTimeout(() => {
					this.emit('timeout');
				}, ms)
				.unref();
		}
		return this;
	}

	/** The loopback has no delay; the handle is called as in Node. */
	setNoDelay(isOn = true): this {
		if (this._handle) this._handle.setNoDelay(isOn);
		else this.once('connect', () => this._handle?.setNoDelay(isOn));
		return this;
	}

	/** The loopback does not lose connections; the handle is called as in Node. */
	setKeepAlive(isOn = false, initialDelayMs = 0): this {
		const seconds = Math.trunc(initialDelayMs / 1000);
		if (this._handle) this._handle.setKeepAlive(isOn, seconds);
		else this.once('connect', () => this._handle?.setKeepAlive(isOn, seconds));
		return this;
	}

	ref(): this {
		this._referenced = true;
		if (this._reading) this._release ??= Socket.runtime.loop.hold(this._resource, this);
		return this;
	}

	unref(): this {
		this._referenced = false;
		this._release?.();
		this._release = null;
		return this;
	}
}

/** `write` of a connection that was ended by the other side: writing after its own end is an error. */
function writeAfterEnd(this: Socket, chunk: unknown, encoding?: unknown, done?: unknown): boolean {
	if (!this.writableEnded) return streams.Duplex.prototype.write.call(this, chunk, encoding as never, done as never);
	const error = nodeError(Error, 'EPIPE', 'This socket has been ended by the other party');
	const after = [encoding, done].find((given) => typeof given === 'function');
	if (after) Socket.runtime.loop.nextTick(after as Done as never, [error]);
	this.destroy(error);
	return false;
}

const socketClosed = () => nodeError(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed');

const invalidAddress = (address: unknown, host: string, port: number): Error =>
	Object.assign(nodeError(TypeError, 'ERR_INVALID_IP_ADDRESS', `Invalid IP address: ${String(address)}`), {
		host,
		port
	});

/** Error of reading or writing after the other side is gone. */
function failure(error: unknown, syscall: string): Error {
	const code = isSyscallError(error) ? error.code : 'EPIPE';
	return systemError(code === 'EBADF' ? 'EPIPE' : code, syscall);
}
