import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LockedError, type Storage } from '#session/storage/client.ts';
import { openWhenFree } from '#session/storage/open-when-free.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A storage whose `open` fails a given number of times, and the result of opening it. */
function opening(failures: number, failure: Error = new LockedError()) {
	const open = vi.fn(async (id: string) => {
		if (failures-- > 0) throw failure;
		return id;
	});
	const outcome = vi.fn();
	openWhenFree({ open } as unknown as Storage, 'session').then(outcome, outcome);
	return { open, outcome };
}

it('opens a session that is free at once', async () => {
	const { open, outcome } = opening(0);
	await vi.advanceTimersByTimeAsync(0);
	expect([open.mock.calls, outcome.mock.calls]).toEqual([[['session']], [['session']]]);
});

it('tries again while another tab closes it, and not all the time', async () => {
	const { open, outcome } = opening(3);
	await vi.advanceTimersByTimeAsync(1_000);
	expect([open.mock.calls.length, outcome.mock.calls]).toEqual([4, [['session']]]);
});

it('gives up after five seconds', async () => {
	const { open, outcome } = opening(Infinity);
	await vi.advanceTimersByTimeAsync(4_900);
	expect(outcome).not.toHaveBeenCalled();
	expect(open.mock.calls.length).toBeLessThan(250);
	await vi.advanceTimersByTimeAsync(200);
	expect(outcome.mock.calls).toEqual([[expect.any(LockedError)]]);
});

it('does not wait for any other failure to pass', async () => {
	const failure = new Error('no disk');
	const { open, outcome } = opening(1, failure);
	await vi.advanceTimersByTimeAsync(1_000);
	expect([open.mock.calls.length, outcome.mock.calls]).toEqual([1, [[failure]]]);
});
