import { DELTA_EVENTS, type EventBody, type SessionEvent } from './events.ts';
import { EventBroadcast, type EventQueue } from './event-stream.ts';
import type { SessionLog } from './session-log.ts';

/**
 * Numbers, timestamps and stores a session's events. Deltas are numbered and shown but not stored; after
 * reopening a session, old events keep their numbers and new ones continue after the last.
 */
export class SessionEmitter {
	readonly events: EventBroadcast<SessionEvent>;
	/** Event queue of the current run. */
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

	/** A listener that throws is reported as an event and does not affect others. */
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
