import { describe, expect, it } from 'vitest';
import type { SessionState } from '#agent/events.ts';
import { endsWithQuestion, mayChange } from '#agent/session-state.ts';

const STATES: SessionState[] = ['idle', 'processing', 'awaiting_input', 'closed'];

it.each<[SessionState, SessionState[]]>([
	['idle', ['processing', 'closed']],
	['processing', ['idle', 'awaiting_input', 'closed']],
	['awaiting_input', ['processing', 'closed']],
	['closed', []]
])('a session that is %s may become %j [S-1]', (from, to) => {
	expect(STATES.filter((state) => mayChange(from, state))).toEqual(to);
});

describe('an answer', () => {
	it.each(['Shall I?', '好吗？', 'He asked "Why?"', '**Shall I?** \n', '(Or not?)', '『よい？』', 'Is it `a?`_'])(
		'that ends with a question waits for the user: %s',
		(text) => expect(endsWithQuestion(text)).toBe(true)
	);

	it.each(['', 'Done.', 'Shall I? I did.', 'a ? b : c', 'Why?!', 'Why?x'])('that ends otherwise does not: %s', (text) =>
		expect(endsWithQuestion(text)).toBe(false)
	);
});
