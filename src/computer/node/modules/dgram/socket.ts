import { Buffer } from 'buffer';
import { unpackDatagram } from '#computer/abi/datagram.ts';
import type { DatagramSettings } from '#computer/abi/syscalls.ts';
import { invalidArgument, isSyscallError, nodeError } from '../../runtime/errors.ts';
import { Reference } from '../../runtime/reference.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { string } from '../../runtime/validate.ts';
import { EventEmitter } from '../events.ts';
import { isIP, type Address } from '../net/address.ts';
import { portOf } from '../net/checks.ts';
import type { SharedListening } from '../net/shared-listening.ts';
import { alreadyConnected, remotePort, sendArguments, socketOptions, type Lookup, type Sent } from './arguments.ts';
import { BufferSizes } from './buffers.ts';
import { addressError, callError, notConnected, notRunning } from './errors.ts';
import { checkInterface, checkMembership } from './multicast.ts';

/** `Symbol.asyncDispose`, which older browsers lack; `build/shims/globals.ts` adds it. */
const ASYNC_DISPOSE: symbol = Reflect.get(Symbol, 'asyncDispose') as symbol;

type Listener = (...args: unknown[]) => void;

interface BindOptions {
	port?: unknown;
	address?: string;
	exclusive?: boolean;
}

/** `dgram.Socket`: datagrams over the sandbox's own loopback. */
export class DatagramSocket extends EventEmitter {
	static runtime: Runtime;

	static {
		Object.defineProperty(this, 'name', { value: 'Socket' });
	}

	type: 'udp4' | 'udp6';
	_options: ReturnType<typeof socketOptions>;
	_descriptor: number | null = null;
	_address: Address | null = null;
	_peer: Address | null = null;
	_state: 'unbound' | 'binding' | 'bound' | 'closed' = 'unbound';
	_connection: 'none' | 'connecting' | 'connected' = 'none';
	/** Sends, connections and the end of the socket that wait until it is bound. */
	_queue: (() => void)[] = [];
	_reference = new Reference(DatagramSocket.runtime.loop, 'UDPWrap');
	_sizes = new BufferSizes();
	_unshare: (() => void) | null = null;

	/** @throws ERR_SOCKET_BAD_TYPE, ERR_INVALID_ARG_TYPE */
	constructor(given: unknown, listener?: Listener) {
		super();
		this._options = socketOptions(given);
		this.type = this._options.type;
		if (typeof listener === 'function') this.on('message', listener);
		const { signal } = this._options;
		if (!signal) return;
		const abort = () => this._state !== 'closed' && this.close();
		if (signal.aborted) {
			abort();
			return;
		}
		signal.addEventListener('abort', abort, { once: true });
		this.once('close', () => signal.removeEventListener('abort', abort));
	}

	get _family(): 4 | 6 {
		return this.type === 'udp6' ? 6 : 4;
	}

	/** @throws ERR_SOCKET_DGRAM_NOT_RUNNING */
	_check(): void {
		if (this._state === 'closed') throw notRunning();
	}

	/** @throws ERR_SOCKET_DGRAM_NOT_RUNNING, ERR_SOCKET_ALREADY_BOUND, ERR_SOCKET_BAD_PORT */
	bind(...args: unknown[]): this {
		this._check();
		if (this._state !== 'unbound') {
			throw nodeError(Error, 'ERR_SOCKET_ALREADY_BOUND', 'Socket is already bound');
		}
		const [first, second] = args;
		const options: BindOptions =
			typeof first === 'object' && first !== null
				? (first as BindOptions)
				: { port: first, address: typeof second === 'string' ? second : '' };
		const listener = args.findLast((one) => typeof one === 'function') as Listener | undefined;
		const port = typeof options.port === 'function' ? 0 : portOf(options.port ?? 0, 'Port');
		this._state = 'binding';
		if (listener) this._onceBound(listener);
		this._lookUp(options.address || (this._family === 4 ? '0.0.0.0' : '::'), (error, address) => {
			if (this._state === 'closed') return;
			const { sharedListening } = DatagramSocket.runtime;
			if (error) this._bindFailed(error);
			else if (sharedListening && !options.exclusive) this._share(sharedListening, address, port);
			else this._bindTo(address, port);
		});
		return this;
	}

	/** Calls a listener once, unless binding fails. */
	_onceBound(listener: Listener): void {
		const remove = () => {
			this.off('error', remove);
			this.off('listening', bound);
		};
		const bound = () => {
			remove();
			Reflect.apply(listener, this, []);
		};
		this.on('error', remove);
		this.on('listening', bound);
	}

	_bindFailed(error: Error): void {
		this._state = 'unbound';
		this._queue = [];
		this.emit('error', error);
	}

	_bindTo(address: string, port: number): void {
		const { reuseAddr, reusePort, ipv6Only } = this._options;
		try {
			const reuse = Boolean(reuseAddr) || Boolean(reusePort);
			const settings = { reuse, only6: Boolean(ipv6Only) };
			const opened = DatagramSocket.runtime.sys.bindDatagrams(this._family, address, port, settings);
			this._adopt(opened.descriptor, address, opened.port);
		} catch (error) {
			this._bindFailed(addressError(error, 'bind', address, port));
		}
	}

	/** Binds, in a worker of a cluster, to the address that its primary has opened for all workers. */
	_share(sharedListening: SharedListening, address: string, port: number): void {
		const { reuseAddr, ipv6Only } = this._options;
		const place = { address, port, addressType: this.type, reuseAddr, ipv6Only };
		sharedListening.listen(this, place, (answer) => {
			if ('code' in answer) {
				const failure = Object.assign(new Error(answer.code), { name: 'SyscallError', code: answer.code });
				return this._bindFailed(addressError(failure, 'bind', address, port));
			}
			this._unshare = answer.release;
			if (this._state !== 'closed') return this._adopt(answer.descriptor, address, answer.port);
			answer.release();
			DatagramSocket.runtime.sys.close(answer.descriptor);
		});
	}

	/** Uses an open descriptor, which is bound. */
	_adopt(descriptor: number, address: string, port: number): void {
		const { recvBufferSize, sendBufferSize } = this._options;
		this._descriptor = descriptor;
		this._address = { address, family: isIP(address) === 6 ? 'IPv6' : 'IPv4', port };
		this._state = 'bound';
		this._reference.begin();
		void this._receive(descriptor);
		if (recvBufferSize) this.setRecvBufferSize(recvBufferSize);
		if (sendBufferSize) this.setSendBufferSize(sendBufferSize);
		this.emit('listening');
		for (const queued of this._queue.splice(0)) queued();
	}

	async _receive(descriptor: number): Promise<void> {
		const { loop, async: calls } = DatagramSocket.runtime;
		while (this._descriptor === descriptor) {
			try {
				const { address, port, bytes } = unpackDatagram(await calls.receiveDatagram(descriptor));
				const family = isIP(address) === 6 ? 'IPv6' : 'IPv4';
				const message = Buffer.from(bytes);
				loop.enter(() => {
					if (this._descriptor === descriptor)
						this.emit('message', message, { address, family, port, size: message.length });
				});
			} catch (error) {
				// EBADF: it was closed.
				if (this._descriptor !== descriptor || (isSyscallError(error) && error.code === 'EBADF')) return;
				loop.enter(() => this.emit('error', callError(error, 'recvmsg')));
			}
		}
	}

	/** Resolves a name by the program's own function or `dns.lookup`. */
	_lookUp(address: string | undefined, done: (error: Error | null, address: string) => void): void {
		const name = address || (this._family === 4 ? '127.0.0.1' : '::1');
		const lookup =
			this._options.lookup ?? (DatagramSocket.runtime.process.getBuiltinModule('dns') as { lookup: Lookup }).lookup;
		lookup(name, this._family, done);
	}

	/** Runs something now, or once the socket is bound, which it begins. */
	_whenBound(run: () => void): void {
		if (this._state === 'unbound') this.bind({ port: 0, exclusive: true });
		if (this._state === 'bound') run();
		else this._queue.push(run);
	}

	/** @throws ERR_SOCKET_BAD_PORT, ERR_INVALID_ARG_TYPE, ERR_SOCKET_DGRAM_IS_CONNECTED */
	connect(given: unknown, ...rest: unknown[]): void {
		const port = remotePort(given);
		const done = rest.find((one) => typeof one === 'function') as Listener | undefined;
		const address = typeof rest[0] === 'function' || rest[0] === undefined ? '' : rest[0];
		string(address, 'address');
		if (this._connection !== 'none') throw alreadyConnected();
		this._connection = 'connecting';
		this._whenBound(() => {
			if (done) this.once('connect', done);
			this._lookUp(String(address), (error, found) => this._connectTo(error, String(address), found, port, done));
		});
	}

	_connectTo(failure: Error | null, name: string, address: string, port: number, done: Listener | undefined): void {
		const { loop, sys } = DatagramSocket.runtime;
		if (this._descriptor === null) return;
		let error = failure;
		try {
			if (!error) sys.connectDatagrams(this._descriptor, address, port);
		} catch (thrown) {
			error = addressError(thrown, 'connect', name, port);
		}
		if (error) {
			this._connection = 'none';
			return loop.nextTick(() => {
				if (!done) return void this.emit('error', error);
				this.off('connect', done);
				done(error);
			}, []);
		}
		this._connection = 'connected';
		this._peer = { address, family: isIP(address) === 6 ? 'IPv6' : 'IPv4', port };
		loop.nextTick(() => this.emit('connect'), []);
	}

	/** @throws ERR_SOCKET_DGRAM_NOT_CONNECTED */
	disconnect(): void {
		if (this._connection !== 'connected' || this._descriptor === null) throw notConnected();
		DatagramSocket.runtime.sys.connectDatagrams(this._descriptor, null, 0);
		this._connection = 'none';
		this._peer = null;
	}

	/** Older form of `send`. @throws ERR_INVALID_ARG_TYPE */
	sendto(buffer: unknown, offset: unknown, length: unknown, port: unknown, address: unknown, done?: unknown): void {
		for (const [name, value] of Object.entries({ offset, length, port })) {
			if (typeof value !== 'number') throw invalidArgument(name, 'of type number', value);
		}
		string(address, 'address');
		this.send(buffer, offset, length, port, address, done);
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_SOCKET_BAD_PORT, ERR_BUFFER_OUT_OF_BOUNDS, ERR_SOCKET_DGRAM_IS_CONNECTED */
	send(...args: unknown[]): void {
		const { message, port, address, done } = sendArguments(args, this._connection === 'connected');
		this._check();
		this._whenBound(() => {
			if (port === null) return this._sendNow(message, null, undefined, 0, done);
			this._lookUp(address, (error, found) => {
				const { loop } = DatagramSocket.runtime;
				if (!error) this._sendNow(message, found, address, port, done);
				else loop.nextTick(() => (done ? done(error) : this.emit('error', error)), []);
			});
		});
	}

	/** @param target null: the peer. @param name as the program gave it, for errors */
	_sendNow(
		message: Buffer,
		target: string | null,
		name: string | undefined,
		port: number,
		done: Sent | undefined
	): void {
		const { loop, sys } = DatagramSocket.runtime;
		if (this._descriptor === null) return;
		try {
			sys.sendDatagram(this._descriptor, new Uint8Array(message), target, port);
			if (done) loop.nextTick(() => done(null, message.length), []);
		} catch (error) {
			// As in Node, an error without a callback is lost, as a datagram may be.
			if (done) loop.nextTick(() => done(addressError(error, 'send', name, port)), []);
		}
	}

	/** @throws ERR_SOCKET_DGRAM_NOT_RUNNING */
	close(listener?: unknown): this {
		if (typeof listener === 'function') this.on('close', listener as Listener);
		if (this._state === 'binding' && this._queue.length > 0) {
			this._queue.push(() => this.close());
			return this;
		}
		this._check();
		const { sys, loop } = DatagramSocket.runtime;
		if (this._descriptor !== null) sys.close(this._descriptor);
		this._unshare?.();
		this._descriptor = null;
		this._state = 'closed';
		this._reference.end();
		loop.nextTick(() => this.emit('close'), []);
		return this;
	}

	async [ASYNC_DISPOSE](): Promise<void> {
		if (this._state === 'closed') return;
		await new Promise<void>((resolve) => this.close(resolve));
	}

	/** @throws ERR_SOCKET_DGRAM_NOT_RUNNING, EBADF */
	address(): Address {
		this._check();
		if (!this._address) throw callError('EBADF', 'getsockname');
		const { address, family, port } = this._address;
		// The kernel chooses an address of its own for the only other end.
		const own = family === 'IPv6' ? '::1' : '127.0.0.1';
		const isAny = this._peer && (address === '0.0.0.0' || address === '::');
		return { address: isAny ? own : address, family, port };
	}

	/** @throws ERR_SOCKET_DGRAM_NOT_RUNNING, ERR_SOCKET_DGRAM_NOT_CONNECTED */
	remoteAddress(): Address {
		this._check();
		if (!this._peer) throw notConnected();
		return { ...this._peer };
	}

	_set(syscall: string, settings: DatagramSettings): void {
		if (this._state === 'closed') throw notRunning();
		if (this._descriptor === null) throw callError('EBADF', syscall);
		try {
			DatagramSocket.runtime.sys.datagramSettings(this._descriptor, settings);
		} catch (error) {
			throw callError(error, syscall);
		}
	}

	setBroadcast(isOn: unknown): void {
		this._set('setBroadcast', { broadcast: Boolean(isOn) });
	}

	/** The loopback has no hops: the number is only checked. */
	setTTL(ttl: number): number {
		return this._checkHops('setTTL', ttl, 1);
	}

	setMulticastTTL(ttl: number): number {
		return this._checkHops('setMulticastTTL', ttl, 0);
	}

	_checkHops(syscall: string, ttl: unknown, least: number): number {
		if (typeof ttl !== 'number') throw invalidArgument('ttl', 'of type number', ttl);
		this._set(syscall, {});
		if (ttl < least || ttl > 255) throw callError('EINVAL', syscall);
		return ttl;
	}

	setMulticastLoopback(isOn: unknown): unknown {
		this._set('setMulticastLoopback', { loopback: Boolean(isOn) });
		return isOn;
	}

	setMulticastInterface(address: unknown): void {
		this._check();
		string(address, 'interfaceAddress');
		this._set('setMulticastInterface', {});
		checkInterface(this._family, String(address));
	}

	addMembership(group: unknown, through?: unknown): void {
		this._changeGroup('addMembership', 'join', group, undefined, through);
	}

	dropMembership(group: unknown, through?: unknown): void {
		this._changeGroup('dropMembership', 'leave', group, undefined, through);
	}

	addSourceSpecificMembership(source: unknown, group: unknown, through?: unknown): void {
		this._changeSource('addSourceSpecificMembership', 'join', source, group, through);
	}

	dropSourceSpecificMembership(source: unknown, group: unknown, through?: unknown): void {
		this._changeSource('dropSourceSpecificMembership', 'leave', source, group, through);
	}

	_changeSource(syscall: string, change: 'join' | 'leave', source: unknown, group: unknown, through: unknown): void {
		this._check();
		string(source, 'sourceAddress');
		string(group, 'groupAddress');
		this._changeGroup(syscall, change, group, String(source), through);
	}

	/** Joins or leaves a group; a socket that is not bound is bound to any port first. */
	_changeGroup(
		syscall: string,
		change: 'join' | 'leave',
		group: unknown,
		source: string | undefined,
		through: unknown
	): void {
		this._check();
		if (!group) {
			throw nodeError(TypeError, 'ERR_MISSING_ARGS', 'The "multicastAddress" argument must be specified');
		}
		checkMembership(syscall, this._family, String(group), through);
		if (this._state === 'unbound') this._bindTo(this._family === 4 ? '0.0.0.0' : '::', 0);
		this._set(syscall, { [change]: String(group), source });
	}

	/** @throws ERR_SOCKET_BAD_BUFFER_SIZE, ERR_SOCKET_BUFFER_SIZE */
	setRecvBufferSize(size: number): void {
		const receiveBytes = this._sizes.set('recv', size, this._descriptor !== null);
		if (this._descriptor !== null) DatagramSocket.runtime.sys.datagramSettings(this._descriptor, { receiveBytes });
	}

	/** Sends do not wait in the sandbox: the size is only stored. */
	setSendBufferSize(size: number): void {
		this._sizes.set('send', size, this._descriptor !== null);
	}

	getRecvBufferSize(): number {
		return this._sizes.get('recv', this._descriptor !== null);
	}

	getSendBufferSize(): number {
		return this._sizes.get('send', this._descriptor !== null);
	}

	getSendQueueSize(): number {
		return 0;
	}

	getSendQueueCount(): number {
		return 0;
	}

	ref(): this {
		this._reference.ref();
		return this;
	}

	unref(): this {
		this._reference.unref();
		return this;
	}
}
