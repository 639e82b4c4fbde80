import { describe, expect, it } from 'vitest';
import type { EventType, SessionEvent } from '#agent/events.ts';
import { missingEnds } from '#agent/unclosed.ts';

/** One input with two turns; each kind of start is followed by its end. */
const WHOLE: [type: EventType, fields?: Record<string, unknown>][] = [
	['session_start'],
	['user_input'],
	['agent_start'],
	['turn_start', { turnIndex: 0 }],
	['message_start'],
	['reasoning_start'],
	['reasoning_delta'],
	['reasoning_end'],
	['assistant_text_start'],
	['assistant_text_end'],
	['message_end'],
	['tool_call_start', { callId: 'a', toolName: 'Read' }],
	['tool_call_start', { callId: 'b', toolName: 'Bash' }],
	['tool_call_end', { callId: 'a' }],
	['tool_call_end', { callId: 'b' }],
	['turn_end'],
	['turn_start', { turnIndex: 1 }],
	['turn_end'],
	['agent_end']
];

/** Missing ends after the first events, as `type` and distinguishing fields. */
const endsAfter = (count: number) =>
	missingEnds(
		WHOLE.slice(0, count).map(([type, fields]) => ({ type, ...fields }) as SessionEvent),
		'interrupted'
	).map((end) => {
		if (end.type === 'tool_call_end') return `${end.type} ${end.callId} ${end.toolName}`;
		return end.type === 'turn_end' ? `${end.type} ${end.turnIndex}` : end.type;
	});

const after = (type: EventType, nth = 1): number => {
	let left = nth;
	return WHOLE.findIndex(([each]) => each === type && --left === 0) + 1;
};

describe('a log that breaks off', () => {
	it.each<[type: EventType, nth: number, ends: string[]]>([
		['user_input', 1, []],
		['agent_start', 1, ['agent_end']],
		['turn_start', 1, ['turn_end 0', 'agent_end']],
		['message_start', 1, ['message_end', 'turn_end 0', 'agent_end']],
		['reasoning_delta', 1, ['reasoning_end', 'message_end', 'turn_end 0', 'agent_end']],
		['reasoning_end', 1, ['message_end', 'turn_end 0', 'agent_end']],
		['assistant_text_start', 1, ['assistant_text_end', 'message_end', 'turn_end 0', 'agent_end']],
		['assistant_text_end', 1, ['message_end', 'turn_end 0', 'agent_end']],
		['message_end', 1, ['turn_end 0', 'agent_end']],
		['tool_call_start', 2, ['tool_call_end a Read', 'tool_call_end b Bash', 'turn_end 0', 'agent_end']],
		['tool_call_end', 1, ['tool_call_end b Bash', 'turn_end 0', 'agent_end']],
		['tool_call_end', 2, ['turn_end 0', 'agent_end']],
		['turn_end', 1, ['agent_end']],
		['turn_start', 2, ['turn_end 1', 'agent_end']],
		['turn_end', 2, ['agent_end']],
		['agent_end', 1, []]
	])('after %s (%i) gets its ends, innermost first: %j', (type, nth, ends) => {
		expect(endsAfter(after(type, nth))).toEqual(ends);
	});

	it('says in them why', () => {
		const events = WHOLE.slice(0, after('tool_call_start')).map(
			([type, fields]) => ({ type, ...fields }) as SessionEvent
		);
		const [call, , agent] = missingEnds(events, 'interrupted');
		expect(call).toEqual({
			type: 'tool_call_end',
			callId: 'a',
			toolName: 'Read',
			output: 'Interrupted: the session ended while this was running.',
			isError: true,
			durationMs: 0
		});
		expect(agent).toMatchObject({ result: { text: '', stopReason: 'interrupted', turns: 0, usage: { costUsd: 0 } } });
		const [rewound] = missingEnds(events, 'rewound');
		expect(rewound).toMatchObject({ output: 'Interrupted: the conversation was put back to before this ended.' });
		const message = WHOLE.slice(0, after('message_start')).map(
			([type, fields]) => ({ type, ...fields }) as SessionEvent
		);
		expect(missingEnds(message, 'rewound')[0]).toMatchObject({
			text: '',
			reasoning: '',
			stopReason: 'rewound',
			message: { role: 'assistant', content: [] }
		});
	});
});
