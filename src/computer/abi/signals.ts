/** Linux's signal numbers, in order. */
export const SIGNAL_NUMBERS = {
	SIGHUP: 1,
	SIGINT: 2,
	SIGQUIT: 3,
	SIGILL: 4,
	SIGTRAP: 5,
	SIGABRT: 6,
	SIGBUS: 7,
	SIGFPE: 8,
	SIGKILL: 9,
	SIGUSR1: 10,
	SIGSEGV: 11,
	SIGUSR2: 12,
	SIGPIPE: 13,
	SIGALRM: 14,
	SIGTERM: 15,
	SIGSTKFLT: 16,
	SIGCHLD: 17,
	SIGCONT: 18,
	SIGSTOP: 19,
	SIGTSTP: 20,
	SIGTTIN: 21,
	SIGTTOU: 22,
	SIGURG: 23,
	SIGXCPU: 24,
	SIGXFSZ: 25,
	SIGVTALRM: 26,
	SIGPROF: 27,
	SIGWINCH: 28,
	SIGIO: 29,
	SIGPWR: 30,
	SIGSYS: 31
} as const;

export type SignalName = keyof typeof SIGNAL_NUMBERS;

export interface ExitStatus {
	/** 128 + n if a signal ended it. */
	code: number;
	signal: SignalName | null;
}

/** Effects of signals that a process neither catches nor ignores; all other signals end it. */
export const DEFAULT_ACTIONS: Readonly<Partial<Record<SignalName, 'ignore' | 'stop' | 'continue'>>> = {
	SIGCHLD: 'ignore',
	SIGURG: 'ignore',
	SIGWINCH: 'ignore',
	SIGSTOP: 'stop',
	SIGTSTP: 'stop',
	SIGTTIN: 'stop',
	SIGTTOU: 'stop',
	SIGCONT: 'continue'
};

/** Signals that a process can neither catch nor ignore. */
export const UNCATCHABLE: ReadonlySet<SignalName> = new Set(['SIGKILL', 'SIGSTOP']);

const byNumber = new Map(
	Object.entries(SIGNAL_NUMBERS).map(([name, number]) => [number as number, name as SignalName])
);

/** Returns the name of a signal number, or `undefined`. */
export const signalNamed = (number: number): SignalName | undefined => byNumber.get(number);

export function isSignalName(value: unknown): value is SignalName {
	return typeof value === 'string' && Object.hasOwn(SIGNAL_NUMBERS, value);
}

/** Exit status of a process ended by `signal`. */
export function statusOf(signal: SignalName): ExitStatus {
	return { code: 128 + SIGNAL_NUMBERS[signal], signal };
}
