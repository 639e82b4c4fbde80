import type { SessionEvent } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';

/** Events of the current branch, in order. */
export function storedEvents(log: { branch(): SessionEntry[] }): SessionEvent[] {
	return eventsOf(log.branch());
}

export function eventsOf(entries: readonly SessionEntry[]): SessionEvent[] {
	return entries.flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));
}
