import type { SignalName } from '#computer/abi/syscalls.ts';

/** Signals by number, from 1. */
export const SIGNALS: readonly string[] = [
	...'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU'.split(
		' '
	),
	...'URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(' ')
];
/** Signals in bash's list; 32 and 33 belong to the C library. */
export const LISTED: readonly [number: number, name: string][] = [
	...SIGNALS.map((name, index): [number, string] => [index + 1, name]),
	...Array.from({ length: 31 }, (_, index): [number, string] => [
		34 + index,
		index < 16 ? `RTMIN${index === 0 ? '' : `+${index}`}` : `RTMAX${index === 30 ? '' : `-${30 - index}`}`
	])
];
/** Signals that processes here support. */
export const KNOWN: readonly SignalName[] = [
	'SIGINT',
	'SIGTERM',
	'SIGKILL',
	'SIGHUP',
	'SIGPIPE',
	'SIGUSR1',
	'SIGUSR2',
	'SIGWINCH'
];

/** Description of a job ended by a signal. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
	HUP: 'Hangup',
	KILL: 'Killed',
	USR1: 'User defined signal 1',
	USR2: 'User defined signal 2'
};

/** Signals that are ignored by default. */
export const IGNORED: ReadonlySet<string> = new Set(['URG', 'CHLD', 'CONT', 'WINCH']);

/** `23`, `URG`, `SIGURG` → `URG`; undefined: no such signal. */
export function nameOf(text: string): string | undefined {
	const name = /^\d+$/.test(text) ? SIGNALS[Number(text) - 1] : text.toUpperCase().replace(/^SIG/, '');
	return name !== undefined && SIGNALS.includes(name) ? name : undefined;
}

/** `9`, `KILL`, `SIGKILL` → `SIGKILL`; 0 tests; null: no such signal. */
export function signalOf(text: string): SignalName | 0 | null {
	if (text === '0') return 0;
	const name = /^\d+$/.test(text) ? SIGNALS[Number(text) - 1] : text.toUpperCase().replace(/^SIG/, '');
	if (name === 'QUIT' || name === 'ABRT') return 'SIGTERM';
	return KNOWN.find((known) => known === `SIG${name}`) ?? null;
}
