import type { SessionApi } from '#agent/api.ts';
import type { ContentPart } from '#llm/types.ts';
import type { StoredSession } from '#session/contract.ts';
import { StoredValue } from './stored-value.ts';

/**
 * Queued messages for the agent: displayed, edited, and preserved over Stop, a restart of the agent and a
 * reload.
 */
export class MessageQueue {
	/** They go in after the step now. */
	steering: readonly ContentPart[][] = $state.raw([]);
	/** They go in when the task is done. */
	followUps: readonly ContentPart[][] = $state.raw([]);
	readonly #kept: StoredValue<ContentPart[][]>;

	constructor(
		stored: StoredSession,
		private readonly session: () => SessionApi | null,
		onFailure: (error: unknown) => void
	) {
		this.#kept = new StoredValue(stored, 'queue', () => [...this.steering, ...this.followUps], onFailure);
	}

	/** Loads the messages queued when the page was left. */
	async open(): Promise<void> {
		this.followUps = (await this.#kept.read()) ?? [];
	}

	/** Passes the queue to a restarted session. */
	handOver(session: SessionApi): void {
		const waiting = [...this.steering, ...this.followUps];
		if (waiting.length > 0 && session.state !== 'closed') session.setFollowUps(waiting);
	}

	/** Reads what waits now. */
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

	/** Takes a queued message out, for good or to change it. False when the agent has it already. */
	take(message: readonly ContentPart[]): boolean {
		const isTaken = this.session()?.dequeue(message) ?? false;
		this.read();
		return isTaken;
	}

	/**
	 * Sends a queued message before its turn: as a task, or to a working agent after its current step.
	 *
	 * @param send where it throws, the message stays in the queue
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

/** No step comes any more after which steering goes in: it waits with the rest, where the user can send it. */
function holdSteering(session: SessionApi): void {
	const { steering, followUps } = session.queues;
	for (const message of steering) session.dequeue(message);
	session.setFollowUps([...steering, ...followUps]);
}
