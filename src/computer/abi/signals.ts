import type { ExitStatus, SignalName } from './syscalls.ts';

/** Linux's numbers. */
export const SIGNAL_NUMBERS: Record<SignalName, number> = {
	SIGHUP: 1,
	SIGINT: 2,
	SIGKILL: 9,
	SIGUSR1: 10,
	SIGUSR2: 12,
	SIGPIPE: 13,
	SIGTERM: 15,
	SIGWINCH: 28
};

export function isSignalName(value: unknown): value is SignalName {
	return typeof value === 'string' && Object.hasOwn(SIGNAL_NUMBERS, value);
}

/** Exit status of a process ended by `signal`. */
export function statusOf(signal: SignalName): ExitStatus {
	return { code: 128 + SIGNAL_NUMBERS[signal], signal };
}
