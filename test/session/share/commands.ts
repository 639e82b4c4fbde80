import type { EventBody } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';

/** Entries of a session, each below the previous one. */
export function entriesOf(...events: (EventBody | { type: 'entry'; entry: object })[]): SessionEntry[] {
	return events.map((event, seq) => {
		const place = { id: `e${seq}`, parentId: seq === 0 ? null : `e${seq - 1}`, timestamp: seq };
		if (event.type === 'entry') return { ...place, ...event.entry } as SessionEntry;
		return { ...place, type: 'event', event: { sessionId: 's', seq: seq + 1, timestamp: seq, ...event } };
	});
}
export const session = { type: 'entry', entry: { type: 'session', version: 3, sessionId: 's', title: '' } } as const;
export const start = (callId: string, args: Record<string, unknown>): EventBody => ({
	type: 'tool_call_start',
	callId,
	toolName: 'shell',
	arguments: args
});
export const checkpoint = (checkpointId: string): EventBody => ({
	type: 'checkpoint',
	checkpointId,
	tree: 't',
	label: 'l'
});
export const end = (callId: string, command: string, exitCode = 0): EventBody => ({
	type: 'tool_call_end',
	callId,
	toolName: 'shell',
	output: `output of ${command}\n`,
	details: { command, exitCode, durationMs: 1, timedOut: false, truncated: false },
	isError: exitCode !== 0,
	durationMs: 1
});
