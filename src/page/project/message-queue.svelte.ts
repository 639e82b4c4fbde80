import type { SessionApi } from '../../agent/api.ts';
import type { ContentPart } from '../../llm/types.ts';
import type { StoredSession } from '../../session/contract.ts';
import { KeptValue } from './kept-value.ts';

/** The messages that wait for the agent: shown, edited, and kept over Stop, a new start of the agent and a reload. */
export class MessageQueue {
	/** They go in after the step now. */
	steering: readonly ContentPart[][] = $state.raw([]);
	/** They go in when the task is done. */
	followUps: readonly ContentPart[][] = $state.raw([]);
	readonly #kept: KeptValue<ContentPart[][]>;

	constructor(
		stored: StoredSession,
		private readonly session: () => SessionApi | null,
		onFailure: (error: unknown) => void
	) {
		this.#kept = new KeptValue(stored, 'queue', () => [...this.steering, ...this.followUps], onFailure);
	}

	/** What waited when the page was left. */
	async open(): Promise<void> {
		this.followUps = (await this.#kept.read()) ?? [];
	}

	/** A session that was started anew is given what waited for the one before. */
	handOver(session: SessionApi): void {
		const waiting = [...this.steering, ...this.followUps];
		if (waiting.length > 0 && session.state !== 'closed') session.setFollowUps(waiting);
	}

	/** Looks at what waits now. */
	read(): void {
		const queues = this.session()?.queues;
		if (!queues) return;
		const before = this.steering.length + this.followUps.length;
		this.steering = [...queues.steering];
		this.followUps = [...queues.followUps];
		if (before > 0 || this.steering.length + this.followUps.length > 0) this.#kept.touch();
	}

	/** Takes a queued message out, for good or to change it. */
	take(index: number): ContentPart[] {
		const taken = this.followUps[index] ?? [];
		this.session()?.setFollowUps(this.followUps.filter((_message, at) => at !== index));
		this.read();
		return taken;
	}

	leave(): void {
		this.#kept.leave();
	}
}
