import { DELTA_EVENTS, type EventBody, type SessionEvent } from './events.ts';
import { EventBroadcast, type EventQueue } from './event-stream.ts';
import type { SessionLog } from './session-log.ts';

/**
 * Numbers, stamps and keeps a session's events. Deltas are counted and shown but not stored, so a
 * reopened session's earlier events have the numbers they had, and new ones go on after the last.
 */
export class SessionEmitter {
	readonly events: EventBroadcast<SessionEvent>;
	/** The run whose consumer gets what happens now. */
	run: EventQueue<SessionEvent> | null = null;
	readonly #listeners = new Set<(event: SessionEvent) => void>();
	#seq: number;

	constructor(
		private readonly sessionId: string,
		private readonly log: SessionLog
	) {
		const earlier = log.branch().flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));
		this.events = new EventBroadcast(earlier);
		this.#seq = earlier.reduce((last, { seq }) => Math.max(last, seq), 0);
	}

	readonly emit = (body: EventBody): SessionEvent => {
		const event: SessionEvent = { ...body, sessionId: this.sessionId, seq: ++this.#seq, timestamp: Date.now() };
		this.events.push(event);
		this.run?.push(event);
		if (!isDelta(event)) this.log.append({ type: 'event', event });
		for (const listener of this.#listeners) this.#tell(listener, event);
		return event;
	};

	/** A listener that throws is told as an event and hurts nobody else. */
	#tell(listener: (event: SessionEvent) => void, event: SessionEvent): void {
		try {
			listener(event);
		} catch (error) {
			if (event.type === 'hook_error') return;
			const message = error instanceof Error ? error.message : String(error);
			this.emit({ type: 'hook_error', hook: 'listener', point: 'onEvent', message });
		}
	}

	onEvent(listener: (event: SessionEvent) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}

function isDelta(event: SessionEvent): boolean {
	return event.type === 'subagent_event' ? isDelta(event.event) : DELTA_EVENTS.has(event.type);
}
