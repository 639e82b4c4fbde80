import { describe, expect, it, vi } from 'vitest';
import { MessageQueues } from '#agent/message-queues.ts';
import type { ContentPart } from '#llm/types.ts';

const text = (value: string): ContentPart[] => [{ type: 'text', text: value }];

describe('queued messages', () => {
	const queues = new MessageQueues();
	const [a, b, c] = [text('a'), text('b'), text('c')];

	it('steer in order, interrupt where they are to, and go once they are taken or removed', () => {
		const interrupted = vi.fn();
		const stop = queues.onInterrupt(interrupted);
		queues.steer(a, false);
		expect([queues.pending(), queues.interrupting(), interrupted.mock.calls.length]).toEqual([true, false, 0]);
		queues.steer(b, true);
		expect([queues.interrupting(), interrupted.mock.calls.length]).toEqual([true, 1]);
		stop();
		queues.steer(c, true);
		expect(interrupted).toHaveBeenCalledTimes(1);
		expect(queues.remove(c)).toBe(true);
		expect(queues.remove(c)).toBe(false);
		expect(queues.steering).toEqual([a, b]);
		expect(queues.take()).toEqual([a, b]);
		expect([queues.pending(), queues.interrupting(), queues.take()]).toEqual([false, false, []]);
	});

	it('follow up in order', () => {
		queues.followUps = [a, b];
		queues.followUp(c);
		expect(queues.remove(b)).toBe(true);
		expect(queues.remove(text('a'))).toBe(false);
		expect(queues.followUps).toEqual([a, c]);
		expect([queues.nextFollowUp(), queues.nextFollowUp(), queues.nextFollowUp()]).toEqual([a, c, undefined]);
	});
});
