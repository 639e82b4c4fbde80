import type { SignalName } from '#computer/abi/syscalls.ts';

/** The signals of the sandbox with Linux's numbers. */
export const signalNumbers: Record<SignalName, number> = {
	SIGHUP: 1,
	SIGINT: 2,
	SIGKILL: 9,
	SIGUSR1: 10,
	SIGUSR2: 12,
	SIGPIPE: 13,
	SIGTERM: 15,
	SIGWINCH: 28
};
