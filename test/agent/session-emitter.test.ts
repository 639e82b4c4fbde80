import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '#agent/events.ts';
import { MemoryLog } from '#agent/memory-log.ts';
import { SessionEmitter } from '#agent/session-emitter.ts';

const notice = (message: string): EventBody => ({ type: 'notice', message });
const deltas = ['assistant_text_delta', 'reasoning_delta', 'tool_call_delta', 'tool_call_output_delta'].map(
	(type) => ({ type, delta: 'a' }) as EventBody
);
const [delta = notice('')] = deltas;
const stored = (log: MemoryLog): SessionEvent[] =>
	log.entries().flatMap((entry) => (entry.type === 'event' ? [entry.event] : []));

describe('events of a session', () => {
	it('are numbered on from those of its log, and stored unless they are parts of a text', () => {
		const log = new MemoryLog();
		const before = new SessionEmitter('s', log);
		const nested = (event: EventBody): EventBody => ({
			type: 'subagent_event',
			agentId: 'a',
			event: { ...event, sessionId: 'c', seq: 1, timestamp: 1 }
		});
		const bodies = [notice('One'), ...deltas, nested(delta), nested(nested(delta)), nested(notice('Two'))];
		expect(bodies.map((body) => before.emit(body).seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
		expect(stored(log).map(({ seq, type, sessionId }) => [seq, type, sessionId])).toEqual([
			[1, 'notice', 's'],
			[8, 'subagent_event', 's']
		]);
		expect(new SessionEmitter('s', log).emit(notice('Three')).seq).toBe(9);
	});

	it('reach all listeners, also where one fails, until they leave', () => {
		const emitter = new SessionEmitter('s', new MemoryLog());
		const seen: string[] = [];
		emitter.onEvent(({ type }) => {
			if (type === 'notice') throw new Error('It broke.');
		});
		const leave = emitter.onEvent((event) => seen.push(event.type === 'hook_error' ? event.message : event.type));
		emitter.emit(notice('One'));
		expect(seen).toEqual(['It broke.', 'notice']);
		leave();
		emitter.emit(notice('Two'));
		expect(seen).toHaveLength(2);
	});

	it('end with the failure of a listener that fails at that too', () => {
		const log = new MemoryLog();
		const emitter = new SessionEmitter('s', log);
		emitter.onEvent(() => {
			throw 'It broke.';
		});
		emitter.emit(notice('One'));
		expect(stored(log)).toMatchObject([
			{ type: 'notice' },
			{ type: 'hook_error', hook: 'listener', point: 'onEvent', message: 'It broke.' }
		]);
	});
});
