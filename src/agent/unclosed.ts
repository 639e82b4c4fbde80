import type { EventBody, SessionEvent, StopReason } from './events.ts';
import { emptyUsage } from '#llm/usage.ts';

/**
 * Reason why a log ends during a run: the session's process ended, or the conversation was rewound to that
 * point.
 */
export type CutOff = Extract<StopReason, 'interrupted' | 'rewound'>;

const OUTPUT: Record<CutOff, string> = {
	interrupted: 'Interrupted: the session ended while this was running.',
	rewound: 'Interrupted: the conversation was put back to before this ended.'
};

/**
 * Returns the end events missing from a log, innermost first, so that each start event has an end event before the
 * session continues.
 */
export function missingEnds(events: Iterable<SessionEvent>, reason: CutOff): EventBody[] {
	const open = { message: false, text: false, reasoning: false, agent: false, turn: -1 };
	const calls = new Map<string, string>();
	for (const event of events) {
		switch (event.type) {
			case 'agent_start':
			case 'agent_end':
				open.agent = event.type === 'agent_start';
				break;
			case 'turn_start':
				open.turn = event.turnIndex;
				break;
			case 'turn_end':
				open.turn = -1;
				break;
			case 'message_start':
			case 'message_end':
				open.message = event.type === 'message_start';
				break;
			case 'assistant_text_start':
			case 'assistant_text_end':
				open.text = event.type === 'assistant_text_start';
				break;
			case 'reasoning_start':
			case 'reasoning_end':
				open.reasoning = event.type === 'reasoning_start';
				break;
			case 'tool_call_start':
				calls.set(event.callId, event.toolName);
				break;
			case 'tool_call_end':
				calls.delete(event.callId);
				break;
			default:
				break;
		}
	}
	const ends: EventBody[] = [];
	if (open.reasoning) ends.push({ type: 'reasoning_end', text: '' });
	if (open.text) ends.push({ type: 'assistant_text_end', text: '' });
	const message = { role: 'assistant' as const, content: [] };
	if (open.message) ends.push({ type: 'message_end', text: '', reasoning: '', stopReason: reason, message });
	const output = OUTPUT[reason];
	for (const [callId, toolName] of calls)
		ends.push({ type: 'tool_call_end', callId, toolName, output, isError: true, durationMs: 0 });
	if (open.turn >= 0) ends.push({ type: 'turn_end', turnIndex: open.turn, toolCalls: [], durationMs: 0 });
	const result = { text: '', stopReason: reason, turns: 0, usage: emptyUsage() };
	if (open.agent) ends.push({ type: 'agent_end', result, durationMs: 0 });
	return ends;
}
