import type { SessionApi } from '#agent/api.ts';
import type { ContentPart } from '#llm/types.ts';
import type { StoredSession } from '#session/contract.ts';
import { StoredValue } from './stored-value.ts';

/**
 * Queued messages for the agent: displayed, editable, and preserved across Stop, a restart of the agent and a reload.
 */
export class MessageQueue {
	/** Messages to deliver after the current step. */
	steering: readonly ContentPart[][] = $state.raw([]);
	/** Messages to deliver when the task is done. */
	followUps: readonly ContentPart[][] = $state.raw([]);
	readonly #kept: StoredValue<ContentPart[][]>;

	constructor(
		stored: StoredSession,
		private readonly session: () => SessionApi | null,
		onFailure: (error: unknown) => void
	) {
		this.#kept = new StoredValue(stored, 'queue', () => [...this.steering, ...this.followUps], onFailure);
	}

	/** Loads the messages that were queued when the page was left. */
	async open(): Promise<void> {
		this.followUps = (await this.#kept.read()) ?? [];
	}

	/** Passes the queue to a restarted session. */
	handOver(session: SessionApi): void {
		const waiting = [...this.steering, ...this.followUps];
		if (waiting.length > 0 && session.state !== 'closed') session.setFollowUps(waiting);
	}

	/** Reads the current queue. */
	read(): void {
		const session = this.session();
		if (!session) return;
		if (session.state === 'idle' && session.queues.steering.length > 0) holdSteering(session);
		const { queues } = session;
		const before = this.steering.length + this.followUps.length;
		this.steering = [...queues.steering];
		this.followUps = [...queues.followUps];
		if (before > 0 || this.steering.length + this.followUps.length > 0) this.#kept.touch();
	}

	/** Removes a queued message, to delete or edit it. Returns false if the agent has already received it. */
	take(message: readonly ContentPart[]): boolean {
		const isTaken = this.session()?.dequeue(message) ?? false;
		this.read();
		return isTaken;
	}

	/**
	 * Sends a queued message before its turn: as a task, or to a working agent after its current step.
	 *
	 * @param send if it throws, the message stays in the queue
	 */
	sendNow(message: ContentPart[], send: (message: ContentPart[]) => void): void {
		const { followUps } = this;
		if (!this.take(message)) return;
		try {
			send(message);
		} catch (error) {
			this.session()?.setFollowUps([...followUps]);
			this.read();
			throw error;
		}
	}

	leave(): void {
		this.#kept.leave();
	}
}

/** Moves steering messages to the follow-ups: no further step will deliver them, and there the user can send them. */
function holdSteering(session: SessionApi): void {
	const { steering, followUps } = session.queues;
	for (const message of steering) session.dequeue(message);
	session.setFollowUps([...steering, ...followUps]);
}
