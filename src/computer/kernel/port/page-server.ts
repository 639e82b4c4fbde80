import { packed } from '#environment/packed.ts';
import { describeError } from '#computer/abi/reply-codec.ts';
import type { Operation, Operations, ToKernel, ToPage } from '#computer/abi/protocol.ts';
import { errno } from '#computer/abi/errno.ts';
import { Journal } from '#computer/volume/journal.ts';
import type { KernelComputer } from '../kernel-computer.ts';
import { splitAnswer } from './answer-parts.ts';
import { createOperations, type OperationHandlers } from './operations.ts';
import type { Questions } from './questions.ts';
import { parseArguments, parseToKernel } from './requests.ts';
import { Trials } from '../trial/trials.ts';
import { PageSessions } from './page-sessions.ts';

/** Serves one computer to the page over its port: requests, output, the journal. */
export class PageServer {
	readonly #post: (message: ToPage, transfer?: Transferable[]) => void;
	readonly #journal: Journal;
	readonly #sessions: PageSessions;
	readonly #trials: Trials;
	readonly #operations: OperationHandlers;

	/**
	 * @param questions questions the kernel has asked over this port, if any
	 * @param close drops the computer
	 */
	constructor(
		private readonly computer: KernelComputer,
		port: MessagePort,
		private readonly questions: Questions | null,
		overlay: () => MessagePort,
		close: () => void
	) {
		this.#post = (message, transfer = []) => port.postMessage(message, transfer);
		this.#journal = new Journal((entries) => {
			const { items: changes, buffer } = packed(entries);
			this.#post({ type: 'changes', changes }, [buffer]);
		});
		computer.ports.onChange = () => this.#post({ type: 'ports', ports: computer.ports.list() });
		computer.volume.onChange = (change) => this.#journal.record(change);
		this.#sessions = new PageSessions(computer, (message) => {
			// The caller of a command must have seen its changes first.
			if (message.type === 'ended') this.#journal.push();
			this.#post(message);
		});
		this.#trials = new Trials(computer, this.#post);
		this.#operations = createOperations(computer, this.#sessions, this.#trials, this.#journal, overlay, () => {
			this.#trials.endAll();
			this.computer.table.killAll();
			close();
			// The reply to this request must be sent first.
			setTimeout(() => port.close());
		});
		port.onmessage = ({ data }: MessageEvent<unknown>) => {
			const message = parseToKernel(data);
			if (message) this.#receive(message);
		};
	}

	#receive(message: ToKernel): void {
		switch (message.type) {
			case 'request':
				return void this.#answer(message.id, message.operation, message.args);
			case 'taken':
				return (this.#trials.sessionsOf(message.pid) ?? this.#sessions).taken(
					message.pid,
					message.stream,
					message.bytes
				);
			case 'changesTaken':
				return this.#journal.taken();
			case 'answer':
				return this.questions?.answer(message.id, message.value);
			case 'refusal':
				return this.questions?.refuse(message.id, message.code, message.message);
		}
	}

	async #answer<Name extends Operation>(id: number, operation: Name, given: unknown[]): Promise<void> {
		try {
			const args = this.#parse(operation, given);
			const value = await this.#operations[operation](...args);
			// Likewise for the receiver of this answer.
			this.#journal.push();
			const { parts, rest } = splitAnswer(value);
			for (const { list, items } of parts) this.#post({ type: 'part', id, list, items });
			const sent = rest instanceof Uint8Array ? rest.slice() : rest;
			const transfer = sent instanceof Uint8Array ? [sent.buffer] : sent instanceof MessagePort ? [sent] : [];
			this.#post({ type: 'result', id, value: sent ?? null }, transfer);
		} catch (error) {
			this.#post({ type: 'failure', id, ...describeError(error) });
		}
	}

	#parse<Name extends Operation>(operation: Name, given: unknown[]): Operations[Name]['args'] {
		try {
			return parseArguments(operation, given);
		} catch (error) {
			throw errno('EINVAL', undefined, `${operation}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
}
