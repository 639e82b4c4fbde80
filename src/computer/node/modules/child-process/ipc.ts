import { asSystem, invalidArgument, nodeError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { plainObject } from '../../runtime/validate.ts';
import { type SendOptions, type SentHandle, SentHandles } from './sent-handle.ts';

const LAST_WORDS_MS = 50;

/** Types of the messages that can be sent. */
const SENT_TYPES = ['string', 'object', 'number', 'boolean'];

/** Packet of the channel between a program and its fork. `closed` is about a connection that was sent. */
type Packet =
	{ kind: 'message'; value: unknown; handle?: SentHandle } | { kind: 'closed'; key: number } | { kind: 'disconnect' };

interface Emitter {
	emit(event: string, ...args: unknown[]): unknown;
	on(event: string, listener: (...args: unknown[]) => void): unknown;
	listenerCount(event: string): number;
	connected: boolean;
}

type Sent = (error: Error | null) => void;

/** Arguments of `send` after the message. */
export interface SendArguments {
	handle: unknown;
	options: SendOptions;
	done: Sent | undefined;
}

/**
 * Parses the arguments of `send` after the message.
 * @throws ERR_INVALID_ARG_TYPE for options of another type
 */
export function sendArguments([handle, options, callback]: unknown[]): SendArguments {
	const done = [handle, options, callback].find((one) => typeof one === 'function') as Sent | undefined;
	if (typeof handle === 'function') return { handle: undefined, options: {}, done };
	if (typeof options === 'function' || options === undefined) return { handle, options: {}, done };
	plainObject(options, 'options');
	return { handle, options: options as SendOptions, done };
}

/** Returns whether a message is one of Node's own, as those of `node:cluster`. */
function isInternal(value: unknown): boolean {
	if (typeof value !== 'object' || value === null || !('cmd' in value)) return false;
	return typeof value.cmd === 'string' && value.cmd.startsWith('NODE_');
}

/** One end of a channel created by `fork`: `send`, `message` and `disconnect` of a child or of `process`. */
export class Ipc {
	#port: MessagePort | null = null;
	#waiting: Packet[] = [];
	/** Messages that arrived before there was a listener. */
	#unheard: unknown[][] = [];
	#closed = false;
	readonly #handles: SentHandles;

	/**
	 * @param pid process at the other end
	 * @param advanced structured clone; otherwise JSON, Node's default
	 */
	constructor(
		private readonly runtime: Runtime,
		private readonly emitter: Emitter,
		pid: () => number,
		private readonly advanced: boolean,
		private readonly ended: () => void = () => {}
	) {
		emitter.connected = true;
		this.#handles = new SentHandles(runtime, pid, (key) => {
			if (!this.#closed) this.#post({ kind: 'closed', key });
		});
		emitter.on('newListener', (event) => {
			if (event === 'message') runtime.loop.nextTick(() => this.#deliverUnheard(), []);
		});
	}

	/** Called when the port exists: sends the queued messages. */
	open(port: MessagePort): void {
		this.#port = port;
		port.addEventListener('message', ({ data }: MessageEvent<Packet>) =>
			this.runtime.loop.enter(() => {
				if (data.kind === 'disconnect') this.close();
				else if (data.kind === 'closed') this.#handles.gone(data.key);
				else if (!this.#closed) this.#receive(data.value, data.handle);
			})
		);
		port.start();
		for (const packet of this.#waiting.splice(0)) port.postMessage(packet);
	}

	#receive(value: unknown, sent: SentHandle | undefined): void {
		const handle = sent && asSystem('read', undefined, undefined, () => this.#handles.receive(sent));
		const deliver = () => {
			if (isInternal(value)) this.emitter.emit('internalMessage', value, handle);
			else if (this.emitter.listenerCount('message') > 0) this.emitter.emit('message', value, handle);
			else this.#unheard.push(['message', value, handle]);
		};
		if (sent && sent.kind !== 'net.Socket') handle?.once('listening', deliver);
		else deliver();
	}

	#deliverUnheard(): void {
		if (this.emitter.listenerCount('message') === 0) return;
		for (const message of this.#unheard.splice(0)) this.emitter.emit(...(message as [string]));
	}

	/** @throws ERR_MISSING_ARGS, ERR_INVALID_ARG_TYPE, ERR_INVALID_HANDLE_TYPE */
	send(value: unknown, { handle, options, done }: SendArguments): boolean {
		const { loop } = this.runtime;
		const failed = (error: Error) => {
			loop.nextTick(() => (done ? done(error) : this.emitter.emit('error', error)), []);
			return false;
		};
		if (value === undefined) {
			throw nodeError(TypeError, 'ERR_MISSING_ARGS', 'The "message" argument must be specified');
		}
		if (!SENT_TYPES.includes(typeof value)) {
			throw invalidArgument('message', 'one of type string, object, number, or boolean', value);
		}
		if (this.#closed) return failed(nodeError(Error, 'ERR_IPC_CHANNEL_CLOSED', 'Channel closed'));
		const packet: Packet = {
			kind: 'message',
			value: this.advanced ? value : (JSON.parse(JSON.stringify(value)) as unknown)
		};
		if (handle) {
			try {
				packet.handle = this.#handles.send(handle, options) ?? undefined;
			} catch (error) {
				if (!(error instanceof Error) || !('syscall' in error)) throw error;
				return options.swallowErrors ? false : failed(error);
			}
		}
		this.#post(packet);
		if (done) loop.nextTick(() => done(null), []);
		return true;
	}

	/** Ends the channel; a second time is an error of the program. */
	disconnect(): void {
		if (this.#closed) {
			const error = nodeError(Error, 'ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected');
			return void this.emitter.emit('error', error);
		}
		this.#post({ kind: 'disconnect' });
		this.close();
	}

	/** Called when the other end is gone. @param now emits synchronously, before the next event */
	close(now = false): void {
		if (this.#closed) return;
		this.#closed = true;
		this.emitter.connected = false;
		this.ended();
		this.#handles.allGone();
		if (now) this.emitter.emit('disconnect');
		else this.runtime.loop.nextTick(() => this.emitter.emit('disconnect'), []);
	}

	/**
	 * Resolves when the last messages of an ended process have arrived; in browsers that report it, the port closes
	 * after them.
	 */
	lastWords(): Promise<void> {
		const { timers } = this.runtime;
		return new Promise((resolve) => {
			if (!this.#port || this.#closed) return resolve();
			this.#port.addEventListener('close', () => resolve(), { once: true });
			timers.setTimeout(resolve, LAST_WORDS_MS);
		});
	}

	#post(packet: Packet): void {
		if (this.#port) this.#port.postMessage(packet);
		else this.#waiting.push(packet);
	}
}
