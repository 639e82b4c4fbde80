import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunningProcesses } from '#computer/host/running-processes.ts';
import { CommandClock } from '#computer/host/command-clock.ts';
import type { KernelPort } from '#computer/host/kernel-port.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The user is asked, or not. */
class Asking {
	isAsked = false;
	readonly listeners = new Set<() => void>();

	isPaused = (): boolean => this.isAsked;
	onChange = (listener: () => void): (() => void) => {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	};
	ask(isAsked: boolean): void {
		this.isAsked = isAsked;
		for (const listener of this.listeners) listener();
	}
}

it('runs out once, and not before', () => {
	const expire = vi.fn();
	new CommandClock(expire).set(1_000);
	vi.advanceTimersByTime(999);
	expect(expire).not.toHaveBeenCalled();
	vi.advanceTimersByTime(60_000);
	expect(expire).toHaveBeenCalledTimes(1);
});

it('stands while the user is asked, however often and from whenever on', () => {
	const [expire, asking] = [vi.fn(), new Asking()];
	asking.ask(true);
	const clock = new CommandClock(expire, asking);
	clock.set(1_000);
	vi.advanceTimersByTime(60_000);
	for (let question = 0; question < 3; question++) {
		asking.ask(false);
		asking.ask(false);
		vi.advanceTimersByTime(300);
		asking.ask(true);
		vi.advanceTimersByTime(60_000);
	}
	expect(expire).not.toHaveBeenCalled();
	asking.ask(false);
	vi.advanceTimersByTime(99);
	expect(expire).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(expire).toHaveBeenCalledTimes(1);
	expect(asking.listeners.size).toBe(0);
});

it('begins anew with another limit, and ends with its command', () => {
	const [expire, asking] = [vi.fn(), new Asking()];
	const clock = new CommandClock(expire, asking);
	clock.set(1_000);
	vi.advanceTimersByTime(900);
	clock.set(500);
	vi.advanceTimersByTime(400);
	clock.stop();
	asking.ask(true);
	asking.ask(false);
	vi.advanceTimersByTime(60_000);
	expect(expire).not.toHaveBeenCalled();
	expect([asking.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
});

it('of a command does not run while the user is asked about its host', async () => {
	const asking = new Asking();
	const calls: unknown[][] = [];
	const kernel = {
		request: (...call: unknown[]) => {
			calls.push(call);
			return Promise.resolve(1);
		}
	} as unknown as KernelPort;
	const processes = new RunningProcesses(kernel, asking);
	const { exited } = await processes.start(['npm', 'ci'], '/', { timeoutMs: 10_000 }, undefined);
	processes.started(1);
	asking.ask(true);
	await vi.advanceTimersByTimeAsync(50_000);
	asking.ask(false);
	await vi.advanceTimersByTimeAsync(9_000);
	expect(calls.map(([name]) => name)).toEqual(['start']);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(calls.at(-1)).toEqual(['kill', 1, 'SIGKILL']);
	processes.ended(1, 137);
	expect(await exited).toMatchObject({ exitCode: 124, timedOut: true });
});
