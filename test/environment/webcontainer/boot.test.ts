import type { WebContainer } from '@webcontainer/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isEnvironmentError } from '#environment/errors.ts';
import { bootWebContainer } from '#environment/webcontainer/boot.ts';

const reasonOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('booting a WebContainer', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	it('gives up after 10 s where the library waits for ever, and says what to do', async () => {
		const failed = reasonOf(bootWebContainer({ boot: () => new Promise(() => {}) }));
		let settled = false;
		void failed.then(() => (settled = true));
		await vi.advanceTimersByTimeAsync(9_900);
		expect(settled).toBe(false);
		await vi.advanceTimersByTimeAsync(200);
		const error = await failed;
		expect(isEnvironmentError(error) && error.code).toBe('EUNAVAILABLE');
		expect(String(error)).toMatch(/did not start within 10 s\. Check that .* can be reached/);
	});

	it('tears down one that comes too late', async () => {
		const teardown = vi.fn();
		let come: (container: WebContainer) => void = () => {};
		const failed = reasonOf(
			bootWebContainer({ timeoutMs: 50, boot: () => new Promise((resolve) => (come = resolve)) })
		);
		await vi.advanceTimersByTimeAsync(60);
		await failed;
		expect(teardown).not.toHaveBeenCalled();
		come({ teardown } as Partial<WebContainer> as WebContainer);
		await vi.advanceTimersByTimeAsync(0);
		expect(teardown).toHaveBeenCalledOnce();
	});

	it('keeps one that comes in time, for ever', async () => {
		const teardown = vi.fn();
		const container = { teardown } as Partial<WebContainer> as WebContainer;
		expect(await bootWebContainer({ boot: async () => container })).toBe(container);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(teardown).not.toHaveBeenCalled();
	});

	it('passes on why it cannot start', async () => {
		const boot = (): Promise<WebContainer> =>
			Promise.reject(new Error('Only a single WebContainer instance can be booted'));
		const error = await reasonOf(bootWebContainer({ boot }));
		expect(isEnvironmentError(error) && error.code).toBe('EUNAVAILABLE');
		expect(String(error)).toMatch(/Only a single WebContainer/);
	});
});
