import { nodeError } from '../../runtime/errors.ts';
import { plainObject } from '../../runtime/validate.ts';
import type { EventLoop } from '../../runtime/event-loop.ts';
import type { Timers } from '../../runtime/timers.ts';

const LAST_WORDS_MS = 50;

/** Packet of the channel between a program and its fork. */
type Packet = { kind: 'message'; value: unknown } | { kind: 'disconnect' };

interface Emitter {
	emit(event: string, ...args: unknown[]): unknown;
	connected: boolean;
}

type Sent = (error: Error | null) => void;

/**
 * Returns the callback among the arguments of `send` after the message.
 * @throws ERR_INVALID_ARG_TYPE for options of another type
 */
export function sentCallback([handle, options, callback]: unknown[]): Sent | undefined {
	const done = [handle, options, callback].find((one) => typeof one === 'function');
	if (typeof handle !== 'function' && typeof options !== 'function' && options !== undefined) {
		plainObject(options, 'options');
	}
	return done as Sent | undefined;
}

/** One end of a channel created by `fork`: `send`, `message` and `disconnect` of a child or of `process`. */
export class Ipc {
	#port: MessagePort | null = null;
	#waiting: Packet[] = [];
	#closed = false;

	/** @param advanced structured clone; otherwise JSON, Node's default */
	constructor(
		private readonly loop: EventLoop,
		private readonly timers: Timers,
		private readonly emitter: Emitter,
		private readonly advanced: boolean,
		private readonly ended: () => void = () => {}
	) {
		emitter.connected = true;
	}

	/** Called when the port exists: sends the queued messages. */
	open(port: MessagePort): void {
		this.#port = port;
		port.addEventListener('message', ({ data }: MessageEvent<Packet>) =>
			this.loop.enter(() => {
				if (data.kind === 'disconnect') this.close();
				else if (!this.#closed) this.emitter.emit('message', data.value, undefined);
			})
		);
		port.start();
		for (const packet of this.#waiting.splice(0)) port.postMessage(packet);
	}

	send(value: unknown, done?: (error: Error | null) => void): boolean {
		if (value === undefined) {
			throw nodeError(TypeError, 'ERR_MISSING_ARGS', 'The "message" argument must be specified');
		}
		if (this.#closed) {
			const error = nodeError(Error, 'ERR_IPC_CHANNEL_CLOSED', 'Channel closed');
			this.loop.nextTick(() => (done ? done(error) : this.emitter.emit('error', error)), []);
			return false;
		}
		this.#post({ kind: 'message', value: this.advanced ? value : (JSON.parse(JSON.stringify(value)) as unknown) });
		if (done) this.loop.nextTick(() => done(null), []);
		return true;
	}

	/** @throws ERR_IPC_DISCONNECTED the second time */
	disconnect(): void {
		if (this.#closed) throw nodeError(Error, 'ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected');
		this.#post({ kind: 'disconnect' });
		this.close();
	}

	/** Called when the other end is gone. @param now emits synchronously, before the next event */
	close(now = false): void {
		if (this.#closed) return;
		this.#closed = true;
		this.emitter.connected = false;
		this.ended();
		if (now) this.emitter.emit('disconnect');
		else this.loop.nextTick(() => this.emitter.emit('disconnect'), []);
	}

	/**
	 * Resolves when the last messages of an ended process have arrived; in browsers that report it, the port closes
	 * after them.
	 */
	lastWords(): Promise<void> {
		const { timers } = this;
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
