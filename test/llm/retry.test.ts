import { afterEach, describe, expect, it, vi } from 'vitest';
import { AuthenticationError, RateLimitError, ServerError } from '#llm/errors.ts';
import { defaultRetry, pause, retryDelay } from '#llm/retry.ts';
import { inTime } from '#test/in-time.ts';

const server = new ServerError({ provider: 'openai' });
const at = (random: number) => ({ ...defaultRetry, random: () => random });
const asked = (retryAfterMs: number) => new RateLimitError({ provider: 'openai', retryAfterMs });

describe('retry delays [U-19]', () => {
	it('are 1 s and 2 s with half as much either way, twice', () => {
		expect([1, 2, 3].map((attempt) => retryDelay(at(0.5), attempt, server))).toEqual([1000, 2000, null]);
		expect(retryDelay(at(0), 1, server)).toBe(500);
		expect(retryDelay(at(1), 1, server)).toBe(1500);
	});
	it('stay under 60 s', () => expect(retryDelay({ ...at(1), retries: 20 }, 12, server)).toBe(60_000));
	it('are what Retry-After says up to the cap, and none beyond it', () => {
		expect(retryDelay(at(0.5), 1, asked(7000))).toBe(7000);
		expect(retryDelay(at(0.5), 1, asked(60_000))).toBe(60_000);
		expect(retryDelay(at(0.5), 1, asked(60_001))).toBeNull();
	});
	it('are none when retrying is off or pointless', () => {
		expect(retryDelay({ ...at(0.5), retries: 0 }, 1, server)).toBeNull();
		expect(retryDelay(at(0.5), 1, new AuthenticationError({ provider: 'openai' }))).toBeNull();
	});
});

describe('a pause', () => {
	afterEach(() => void vi.useRealTimers());

	it('lasts as long as it says, and then listens to nothing', async () => {
		vi.useFakeTimers();
		const { signal } = new AbortController();
		const removed = vi.spyOn(signal, 'removeEventListener');
		const ended = vi.fn();
		const paused = pause(1_000, signal).then(ended);
		await vi.advanceTimersByTimeAsync(999);
		expect(ended).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(1);
		await inTime(paused, 'the end of the pause');
		expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
	});

	it('ends at once when it is stopped, also before it starts, and leaves no timer', async () => {
		vi.useFakeTimers();
		const controller = new AbortController();
		const paused = pause(1_000, controller.signal);
		controller.abort();
		await inTime(paused, 'the end of the pause');
		await inTime(pause(1_000, controller.signal), 'the end of a pause that was stopped before');
		expect(vi.getTimerCount()).toBe(0);
	});

	it('needs no signal', async () => {
		await inTime(pause(1, undefined), 'the end of the pause');
	});
});
