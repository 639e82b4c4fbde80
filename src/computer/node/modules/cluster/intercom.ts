import type { WorkerProcess } from './worker.ts';

/** Message between the primary and a worker, which programs see as `internalMessage` only. */
export interface ClusterMessage {
	act?: string;
	/** Number of the message that this one answers. */
	ack?: number;
	seq: number;
	[field: string]: unknown;
}

type Receiver = (message: ClusterMessage) => void;

/** Messages to the process at the other end of a channel, and their answers. */
export class Intercom {
	readonly #answers = new Map<number, Receiver>();
	#count = 0;

	/** @param receive gets the messages that answer none */
	constructor(
		private readonly process: WorkerProcess,
		receive: Receiver
	) {
		process.on('internalMessage', (message: ClusterMessage & { cmd?: string }) => {
			if (message.cmd !== 'NODE_CLUSTER') return;
			const answered = message.ack === undefined ? undefined : this.#answers.get(message.ack);
			if (message.ack !== undefined) this.#answers.delete(message.ack);
			(answered ?? receive)(message);
		});
	}

	/** Sends a message, unless the other end is gone. */
	send(message: Omit<ClusterMessage, 'seq'>, answered?: Receiver): void {
		if (!this.process.connected) return;
		const seq = this.#count++;
		if (answered) this.#answers.set(seq, answered);
		this.process.send({ cmd: 'NODE_CLUSTER', ...message, seq });
	}
}
