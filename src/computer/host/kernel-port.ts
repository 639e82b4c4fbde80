import { EnvironmentError } from '#environment/errors.ts';
import type { PortInfo } from '#computer/abi/syscalls.ts';
import type { Operation, Operations, Question, ToKernel, ToPage, WireChange } from '#computer/abi/protocol.ts';
import { toEnvironmentError } from './errors.ts';
import { parseToPage } from './parse.ts';
import { joinParts, parsePart, parseResult } from './results.ts';

type Answer = (ToKernel & { type: 'answer' })['value'];

/** Events from the kernel to the page. */
export interface KernelEvents {
	output(pid: number, stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
	started(pid: number): void;
	ended(pid: number, code: number): void;
	changes(changes: WireChange[]): void;
	/** Listening ports in the sandbox. */
	ports(ports: PortInfo[]): void;
	/** Answers questions of the kernel. A rejection is passed on with its `code`. */
	answer(question: Question): Promise<Answer>;
	/** Called for a message that the kernel does not send. */
	strange(data: unknown): void;
}

interface Waiting {
	operation: Operation;
	resolve: (value: unknown) => void;
	reject: (error: EnvironmentError) => void;
	/** Called with the first items of its lists, each as an answer, and with the final answer. */
	onPart: (part: unknown) => void;
}

/** Connection of the page to one machine in the frame. */
export class KernelPort {
	#waiting = new Map<number, Waiting>();
	#lastId = 0;
	#closed: EnvironmentError | null = null;

	constructor(
		private readonly port: MessagePort,
		private readonly events: KernelEvents
	) {
		port.onmessage = ({ data }: MessageEvent<unknown>) => {
			const message = parseToPage(data);
			if (message) this.#receive(message);
			else events.strange(data);
		};
	}

	/** Rejects with `EnvironmentError`. */
	request<Name extends Operation>(
		operation: Name,
		...args: Operations[Name]['args']
	): Promise<Operations[Name]['result']> {
		const parts: Operations[Name]['result'][] = [];
		return this.requestInParts(operation, (part) => parts.push(part), ...args).then((end) =>
			joinParts(operation, parts, end)
		);
	}

	/**
	 * Rejects with `EnvironmentError`.
	 *
	 * @param onPart called as the parts of a long answer arrive, including the last one; in a separate task for each
	 * @returns the last part
	 */
	requestInParts<Name extends Operation>(
		operation: Name,
		onPart: (part: Operations[Name]['result']) => void,
		...args: Operations[Name]['args']
	): Promise<Operations[Name]['result']> {
		if (this.#closed) return Promise.reject(this.#closed);
		const id = ++this.#lastId;
		return new Promise((resolve, reject) => {
			// Both are narrowed again by `parseResult` before they are called.
			const taking = { resolve: resolve as (value: unknown) => void, onPart: onPart as (part: unknown) => void };
			this.#waiting.set(id, { operation, ...taking, reject });
			this.#post({ type: 'request', id, operation, args });
		});
	}

	/** Acknowledges output, so that its writer may continue. */
	taken(pid: number, stream: 'stdout' | 'stderr', bytes: number): void {
		this.#post({ type: 'taken', pid, stream, bytes });
	}

	/** Rejects every pending call, and every later one, with `reason`. */
	close(reason: EnvironmentError): void {
		if (this.#closed) return;
		this.#closed = reason;
		this.port.close();
		for (const { reject } of this.#waiting.values()) reject(reason);
		this.#waiting.clear();
	}

	#receive(message: ToPage): void {
		if (this.#closed) return;
		switch (message.type) {
			case 'result':
				return this.#settle(message.id, ({ operation, resolve, onPart }) => {
					const end = parseResult(operation, message.value);
					onPart(end);
					resolve(end);
				});
			case 'part':
				return this.#collect(message.id, message.list, message.items);
			case 'failure':
				return this.#settle(message.id, ({ reject }) => reject(toEnvironmentError(message)));
			case 'output':
				return this.events.output(message.pid, message.stream, message.bytes);
			case 'started':
				return this.events.started(message.pid);
			case 'ended':
				return this.events.ended(message.pid, message.code);
			case 'changes':
				this.events.changes(message.changes);
				return this.#post({ type: 'changesTaken' });
			case 'ports':
				return this.events.ports(message.ports);
			case 'ask':
				return void this.#answer(message.id, message.question);
		}
	}

	#collect(id: number, list: string, items: unknown[]): void {
		const waiting = this.#waiting.get(id);
		if (!waiting) return;
		try {
			waiting.onPart(parsePart(waiting.operation, list, items));
		} catch (error) {
			this.#waiting.delete(id);
			this.#strangeAnswer(waiting, error);
		}
	}

	#strangeAnswer({ operation, reject }: Waiting, error: unknown): void {
		this.events.strange(error);
		reject(new EnvironmentError('EIO', `The sandbox gave no proper answer to "${operation}".`));
	}

	#settle(id: number, settle: (waiting: Waiting) => void): void {
		const waiting = this.#waiting.get(id);
		if (!waiting) return;
		this.#waiting.delete(id);
		try {
			settle(waiting);
		} catch (error) {
			this.#strangeAnswer(waiting, error);
		}
	}

	async #answer(id: number, question: Question): Promise<void> {
		try {
			this.#post({ type: 'answer', id, value: await this.events.answer(question) });
		} catch (error) {
			const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
			const message = error instanceof Error ? error.message : String(error);
			this.#post({ type: 'refusal', id, code, message });
		}
	}

	#post(message: ToKernel): void {
		if (!this.#closed) this.port.postMessage(message);
	}
}
