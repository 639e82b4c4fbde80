import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { Session, type SessionEvent, type SessionState } from '#agent/index.ts';
import { ServerError, StreamError } from '#llm/errors.ts';
import { FakeClient, type FakeTurn } from './fake-client.ts';
import { temporaryEnvironment } from './fake-session.ts';
import { broken, echo, fakeProfile, fakeTool } from './fake-tools.ts';

const slow = fakeTool(
	'slow',
	(_, { signal }) =>
		new Promise((resolve) => {
			if (signal.aborted) resolve('stopped');
			signal.addEventListener('abort', () => resolve('stopped'));
			setTimeout(() => resolve('in the end'), 1);
		}),
	'write'
);

const text = fc.constantFrom('', 'Done.', 'Which one?', 'Working on it');
const call = fc.record(
	{
		name: fc.constantFrom('echo', 'broken', 'slow', 'unknown', ''),
		id: fc.constantFrom('a', 'b', ''),
		rawArguments: fc.constantFrom('{', '[]', '{}')
	},
	{ requiredKeys: ['name'] }
);
const turn: fc.Arbitrary<FakeTurn> = fc.record(
	{
		text,
		reasoning: text,
		calls: fc.array(call, { minLength: 1, maxLength: 4 }),
		finishReason: fc.constantFrom('stop', 'length', 'content_filter', 'other'),
		error: fc.constantFrom(new StreamError({ provider: 'f' }), new ServerError({ provider: 'f' }), new Error('plain'))
	},
	{ requiredKeys: [] }
);
/** User actions, and the event at which each happens. */
const act = fc.record({ at: fc.nat(40), what: fc.constantFrom('steer', 'interrupt', 'follow', 'stop', 'submit') });

const PAIRS = { agent: 1, turn: 1, message: 1, assistant_text: 1, reasoning: 1 } as const;
const NEXT: Record<SessionState, SessionState[]> = {
	idle: ['processing', 'closed'],
	processing: ['idle', 'awaiting_input', 'closed'],
	awaiting_input: ['processing', 'closed'],
	closed: []
};

function check(events: SessionEvent[]): void {
	expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
	const open = new Map<string, number>();
	const calls = new Map<string, number>();
	let state: SessionState = 'idle';
	for (const event of events) {
		for (const name of Object.keys(PAIRS)) {
			if (event.type === `${name}_start`) open.set(name, (open.get(name) ?? 0) + 1);
			if (event.type === `${name}_end`) open.set(name, (open.get(name) ?? 0) - 1);
			expect([0, 1]).toContain(open.get(name) ?? 0);
		}
		if (event.type === 'tool_call_start') {
			expect(calls.has(event.callId)).toBe(false);
			calls.set(event.callId, 0);
		}
		if (event.type === 'tool_call_end') {
			expect(calls.has(event.callId)).toBe(true);
			calls.set(event.callId, (calls.get(event.callId) ?? 0) + 1);
		}
		if (event.type === 'state_change') {
			expect(event.from).toBe(state);
			expect(NEXT[state]).toContain(event.to);
			state = event.to;
		}
	}
	for (const count of open.values()) expect(count).toBe(0);
	for (const ends of calls.values()) expect(ends).toBe(1);
	expect(state).toBe('closed');
	expect(events[0]?.type).toBe('session_start');
	expect(events.at(-1)?.type).toBe('session_end');
}

/** Checks that in each request all calls are answered, in order, with no extra answers. */
function checkRequests(client: FakeClient): void {
	for (const { messages } of client.requests)
		messages.forEach((message, index) => {
			expect(message.content.length).toBeGreaterThan(0);
			const calls = message.content.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
			if (message.role !== 'assistant' || calls.length === 0) return;
			const answers = messages[index + 1]?.content.map((part) => part.type === 'tool_result' && part.callId);
			expect(answers).toEqual(calls);
			expect(new Set(calls).size).toBe(calls.length);
		});
}

describe('any script of responses, faults and acts', () => {
	it(
		'keeps pairs, numbers and states whole, and requests valid [F-004-4] [S-1] [S-28] [J.9-4.2]',
		{ timeout: 60_000 },
		async () => {
			const environment = await temporaryEnvironment();
			await fc.assert(
				fc.asyncProperty(fc.array(turn, { maxLength: 8 }), fc.array(act, { maxLength: 4 }), async (turns, acts) => {
					const client = new FakeClient(turns);
					const profile = fakeProfile([echo, broken, slow]);
					const session = new Session({ profile, client, environment, mode: 'full', streamRetry: { delayMs: 0 } });
					let stopping: Promise<void> | undefined;
					let closing = false;
					session.emitter.onEvent((event) => {
						for (const { at, what } of acts) {
							if (at !== event.seq || closing) continue;
							if (what === 'steer') session.steer('Steer');
							if (what === 'interrupt') session.steer('Interrupt', { interrupt: true });
							if (what === 'follow') session.followUp('Follow');
							if (what === 'stop') stopping = session.stop();
							if (what === 'submit' && session.state === 'processing') expect(() => session.submit('No')).toThrow();
						}
					});
					await session.submit('Go').result;
					await stopping;
					await session.stop();
					await session.submit('Again').result;
					closing = true;
					await session.close();
					const all: SessionEvent[] = [];
					for await (const event of session.events) all.push(event);
					check(all);
					checkRequests(client);
				}),
				{ numRuns: 150 }
			);
		}
	);
});
