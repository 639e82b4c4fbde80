import type { SignalName, SyscallName } from '#computer/abi/syscalls.ts';
import { encodeError, encodeReply, describeError, type EncodedReply } from '#computer/abi/reply-codec.ts';
import { isSyscallName } from '#computer/abi/call-names.ts';
import { readRequest } from '#computer/abi/request-codec.ts';
import { HEADER_BYTES, Slot, State, type ToProcess } from '#computer/abi/wire.ts';
import { errno } from '#computer/abi/errno.ts';
import type { LogReplay } from '../detached/log-replay.ts';
import type { Outside } from '../outside.ts';
import type { Process } from '../processes/process.ts';
import { checkArguments } from '#computer/abi/arguments.ts';
import type { Caller, Doorbell } from './doorbell.ts';
import type { Handlers } from './handler.ts';

/** Answers the calls of one process, through shared memory or by message. Invalid messages are not answered. */
export class CallServer implements Caller {
	/** Absent in snapshot mode. */
	#slots: Int32Array | null;
	#data: Uint8Array;
	/** In snapshot mode: the process's log, and updates of the volume for it. */
	replay: LogReplay | null = null;
	/** Set if the program reports that its worker can be reused. */
	isDone = false;
	#reply: EncodedReply = encodeReply(undefined);
	#sent = 0;
	/** Number of messages handled, as `Slot.posted` counts them. */
	#heard = 0;

	constructor(
		private readonly process: Process,
		private readonly handlers: Handlers,
		private readonly outside: Outside,
		private readonly port: MessagePort,
		memory: SharedArrayBuffer | null,
		private readonly doorbell: Doorbell | null,
		private readonly started: () => void
	) {
		this.#slots = memory && new Int32Array(memory, 0, HEADER_BYTES / 4);
		this.#data = memory ? new Uint8Array(memory, HEADER_BYTES) : new Uint8Array(0);
		port.onmessage = ({ data }: MessageEvent<unknown>) => {
			this.#heard = (this.#heard + 1) | 0;
			this.#receive(data);
			// Before the answer: the process continues immediately, and its next call should find the kernel waiting.
			if (this.#isRequested()) void doorbell?.attend(this);
		};
		doorbell?.add(this);
	}

	/** Stops answering. */
	close(): void {
		this.doorbell?.remove(this);
		this.port.close();
	}

	expect(isExpected: boolean): void {
		if (this.#slots) Atomics.store(this.#slots, Slot.expected, isExpected ? 1 : 0);
	}

	hasPosted(): boolean {
		if (!this.#slots || this.process.ended) return false;
		return ((Atomics.load(this.#slots, Slot.posted) - this.#heard) | 0) > 0;
	}

	answer(): void {
		const slots = this.#slots;
		if (!slots || !this.#isRequested() || this.hasPosted()) return;
		Atomics.store(slots, Slot.state, State.waiting);
		if (Atomics.load(slots, Slot.kind) === 1) this.#sendPiece(slots);
		else {
			const request = readRequest(this.#data.slice(0, Math.max(0, Atomics.load(slots, Slot.length))));
			if (request) this.#answerSync(request.name, request.args);
			else this.#send(encodeError(errno('EINVAL')));
		}
	}

	#isRequested(): boolean {
		return this.#slots !== null && !this.process.ended && Atomics.load(this.#slots, Slot.state) === State.requested;
	}

	signal(name: SignalName, newest: number): void {
		if (this.#slots) Atomics.add(this.#slots, Slot.pendingSignals, 1);
		this.post({ kind: 'signal', name, newest });
	}

	#receive(message: unknown): void {
		if (typeof message !== 'object' || message === null || !('kind' in message)) return;
		const { kind } = message;
		if (kind === 'log' && 'version' in message && 'calls' in message) {
			return this.replay?.replay(message.version, message.calls);
		}
		if (this.process.ended) return;
		if (kind === 'call') return;
		if (kind === 'started') return this.started();
		if (kind === 'done') return void (this.isDone = true);
		const id = 'id' in message && Number.isSafeInteger(message.id) ? Number(message.id) : 0;
		if (kind === 'offer' && 'port' in message && message.port instanceof MessagePort) {
			return this.process.offers.put(id, message.port);
		}
		const name = 'name' in message ? message.name : undefined;
		const args = 'args' in message ? message.args : undefined;
		if (kind === 'sync' && isSyscallName(name) && this.#slots) this.#answerSync(name, args);
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
		const call = () => handler(this.process, ...args);
		return this.replay ? this.replay.inOrder(name, args, call) : call();
	}

	#answerSync(name: SyscallName, args: unknown): void {
		try {
			const { stopped } = this.process;
			const result = stopped ? this.#resumed(() => this.#call(name, args)) : this.#call(name, args);
			if (!(result instanceof Promise)) return this.#send(encodeReply(result));
			result.then(
				(value: unknown) => this.#sendResumed(encodeReply(value)),
				(error: unknown) => this.#sendResumed(encodeError(error))
			);
		} catch (error) {
			this.#send(encodeError(error));
		}
	}

	async #answerAsync(id: number, call: () => unknown): Promise<void> {
		try {
			const value = await (this.process.stopped ? this.#resumed(call) : call());
			await this.#resumed();
			// A view would transfer its whole buffer.
			this.post({ kind: 'value', id, value: value instanceof Uint8Array ? value.slice() : value });
		} catch (error) {
			this.post({ kind: 'error', id, ...describeError(error) });
		}
	}

	/** Waits until the process is not stopped. */
	async #resumed<T>(work?: () => T): Promise<Awaited<T> | undefined> {
		while (this.process.stopped) await this.process.stopped;
		return work ? await work() : undefined;
	}

	#sendResumed(reply: EncodedReply): void {
		if (this.process.stopped) void this.#resumed(() => this.#send(reply));
		else this.#send(reply);
	}

	#send(reply: EncodedReply): void {
		this.#reply = reply;
		this.#sent = 0;
		if (this.#slots) this.#sendPiece(this.#slots);
	}

	#sendPiece(slots: Int32Array): void {
		const { kind, bytes } = this.#reply;
		const piece = bytes.subarray(this.#sent, this.#sent + this.#data.length);
		this.#data.set(piece);
		this.#sent += piece.length;
		Atomics.store(slots, Slot.length, piece.length);
		Atomics.store(slots, Slot.kind, kind);
		Atomics.store(slots, Slot.total, bytes.length);
		Atomics.store(slots, Slot.state, State.replied);
		Atomics.notify(slots, Slot.state);
	}

	/** Sends a message to the process. */
	post(message: ToProcess): void {
		if (this.process.ended) return;
		// The next message may refer to files that the process must see.
		if (message.kind !== 'changes') this.replay?.flush();
		this.port.postMessage(message);
	}
}
