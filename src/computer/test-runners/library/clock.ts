import { withGlobal } from '@sinonjs/fake-timers';

type Install = ReturnType<typeof withGlobal>['install'];
type InstalledClock = ReturnType<Install>;
type ClockOptions = NonNullable<Parameters<Install>[0]>;

/** Timers and dates controlled by a test. */
export class Clock {
	#installed: InstalledClock | null = null;

	/** Methods of `vi` and `jest` that control it. @param self their return value, for chaining */
	methods<Self>(self: () => Self) {
		const need = (): InstalledClock => {
			if (this.#installed) return this.#installed;
			throw new Error(
				'A function to advance timers was called but the timers APIs are not mocked. Call useFakeTimers() in the test first.'
			);
		};
		const restore = () => {
			this.#installed?.uninstall();
			this.#installed = null;
		};
		return {
			useFakeTimers: (options: ClockOptions & { legacyFakeTimers?: boolean } = {}) => {
				restore();
				const { now, toFake, shouldAdvanceTime, advanceTimeDelta } = options;
				this.#installed = withGlobal(globalThis).install({
					now: now ?? Date.now(),
					toFake: toFake ?? [
						'setTimeout',
						'clearTimeout',
						'setInterval',
						'clearInterval',
						'setImmediate',
						'clearImmediate',
						'Date'
					],
					shouldAdvanceTime,
					advanceTimeDelta,
					loopLimit: 10_000,
					ignoreMissingTimers: true
				});
				return self();
			},
			useRealTimers: () => (restore(), self()),
			isFakeTimers: () => this.#installed !== null,
			advanceTimersByTime: (ms: number) => (need().tick(ms), self()),
			advanceTimersByTimeAsync: async (ms: number) => (await need().tickAsync(ms), self()),
			advanceTimersToNextTimer: () => (need().next(), self()),
			advanceTimersToNextTimerAsync: async () => (await need().nextAsync(), self()),
			runAllTimers: () => (need().runAll(), self()),
			runAllTimersAsync: async () => (await need().runAllAsync(), self()),
			runOnlyPendingTimers: () => (need().runToLast(), self()),
			runOnlyPendingTimersAsync: async () => (await need().runToLastAsync(), self()),
			runAllTicks: () => (need().runMicrotasks(), self()),
			clearAllTimers: () => (need().reset(), self()),
			getTimerCount: () => need().countTimers(),
			setSystemTime: (time: number | Date | string) => (need().setSystemTime(new Date(time)), self()),
			getMockedSystemTime: () => (this.#installed ? new Date(this.#installed.now) : null),
			getRealSystemTime: () => Date.now()
		};
	}
}
