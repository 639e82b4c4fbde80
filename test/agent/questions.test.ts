import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { PendingQuestion } from '#agent/questions.ts';
import { inTime } from '../in-time.ts';

describe('a question', () => {
	it('waits for the one before, for its answer or for the stop of its run', async () => {
		const question = new PendingQuestion();
		const log: string[] = [];
		const ask = (name: string, signal = new AbortController().signal) =>
			question.ask(
				signal,
				() => log.push(`show ${name}`),
				() => log.push(`done ${name}`)
			);
		expect(question.answer('nobody')).toBe(false);
		const stopped = new AbortController();
		const first = ask('a', stopped.signal);
		const second = ask('b');
		await Promise.resolve();
		await Promise.resolve();
		expect(question.asked).toBe(true);
		stopped.abort(new Error('stopped'));
		await expect(inTime(first, 'the end of the first question')).rejects.toThrow('stopped');
		await vi.waitFor(() => expect(log).toEqual(['show a', 'done a', 'show b']), 10_000);
		expect(question.answer('yes')).toBe(true);
		expect(await second).toBe('yes');
		expect([log.at(-1), question.asked]).toEqual(['done b', false]);
		await expect(ask('c', stopped.signal)).rejects.toThrow('stopped');
		expect(log).not.toContain('show c');
	});

	it('leaves nothing at the signal of a run that asks many', async () => {
		const question = new PendingQuestion();
		const { signal } = new AbortController();
		const asked = question.ask(
			signal,
			() => undefined,
			() => undefined
		);
		await vi.waitFor(() => expect(question.answer('yes')).toBe(true), 10_000);
		await asked;
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});
