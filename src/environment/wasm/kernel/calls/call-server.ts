import type { SignalName, SyscallName } from '../../process/syscalls.ts';
import { encodeError, encodeReply, describeError, type EncodedReply } from '../../process/reply-codec.ts';
import { isSyscallName } from '../../process/call-names.ts';
import { HEADER_BYTES, Slot, type ToProcess } from '../../process/wire.ts';
import type { Outside } from '../outside.ts';
import type { Process } from '../processes/process.ts';
import { checkArguments } from './arguments.ts';
import type { Handlers } from './handlers.ts';

/** Answers the calls of one process, through shared memory or by message. Rubbish is not answered. */
export class CallServer {
	#slots: Int32Array;
	#data: Uint8Array;
	#reply: EncodedReply = encodeReply(undefined);
	#sent = 0;

	constructor(
		private readonly process: Process,
		private readonly handlers: Handlers,
		private readonly outside: Outside,
		private readonly port: MessagePort,
		memory: SharedArrayBuffer,
		private readonly started: () => void
	) {
		this.#slots = new Int32Array(memory, 0, HEADER_BYTES / 4);
		this.#data = new Uint8Array(memory, HEADER_BYTES);
		port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
	}

	signal(name: SignalName): void {
		Atomics.add(this.#slots, Slot.pendingSignals, 1);
		this.#post({ kind: 'signal', name });
	}

	#receive(message: unknown): void {
		if (this.process.ended || typeof message !== 'object' || message === null || !('kind' in message)) return;
		const { kind } = message;
		if (kind === 'more') return this.#sendPiece();
		if (kind === 'started') return this.started();
		const id = 'id' in message && Number.isSafeInteger(message.id) ? Number(message.id) : 0;
		const name = 'name' in message ? message.name : undefined;
		const args = 'args' in message ? message.args : undefined;
		if (kind === 'sync' && isSyscallName(name)) this.#answerSync(name, args);
		else if (kind === 'async' && isSyscallName(name)) void this.#answerAsync(id, () => this.#call(name, args));
		else if (kind === 'module' && 'asset' in message && typeof message.asset === 'string') {
			const { asset } = message;
			void this.#answerAsync(id, () => this.outside.module(asset));
		}
	}

	#call(name: SyscallName, args: unknown): unknown {
		checkArguments(name, args);
		// The tuple was checked against the call's signature; TypeScript cannot follow that through the union.
		const handler = this.handlers[name] as (process: Process, ...args: unknown[]) => unknown;
		return handler(this.process, ...args);
	}

	#answerSync(name: SyscallName, args: unknown): void {
		try {
			const result = this.#call(name, args);
			if (!(result instanceof Promise)) return this.#send(encodeReply(result));
			result.then(
				(value: unknown) => this.#send(encodeReply(value)),
				(error: unknown) => this.#send(encodeError(error))
			);
		} catch (error) {
			this.#send(encodeError(error));
		}
	}

	async #answerAsync(id: number, call: () => unknown): Promise<void> {
		try {
			const value = await call();
			// A view would carry its whole buffer along.
			this.#post({ kind: 'value', id, value: value instanceof Uint8Array ? value.slice() : value });
		} catch (error) {
			this.#post({ kind: 'error', id, ...describeError(error) });
		}
	}

	#send(reply: EncodedReply): void {
		this.#reply = reply;
		this.#sent = 0;
		this.#sendPiece();
	}

	#sendPiece(): void {
		const { kind, bytes } = this.#reply;
		const piece = bytes.subarray(this.#sent, this.#sent + this.#data.length);
		this.#data.set(piece);
		this.#sent += piece.length;
		Atomics.store(this.#slots, Slot.length, piece.length);
		Atomics.store(this.#slots, Slot.kind, kind);
		Atomics.store(this.#slots, Slot.total, bytes.length);
		Atomics.store(this.#slots, Slot.state, 1);
		Atomics.notify(this.#slots, Slot.state);
	}

	#post(message: ToProcess): void {
		if (!this.process.ended) this.port.postMessage(message);
	}
}
