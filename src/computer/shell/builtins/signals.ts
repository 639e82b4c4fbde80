import { isSignalName, SIGNAL_NUMBERS, signalNamed, type SignalName } from '#computer/abi/signals.ts';

/** Signals by number, from 1, without their prefix. */
export const SIGNALS: readonly string[] = Object.keys(SIGNAL_NUMBERS).map((name) => name.slice(3));
/** Signals in bash's list; 32 and 33 belong to the C library. */
export const LISTED: readonly [number: number, name: string][] = [
	...SIGNALS.map((name, index): [number, string] => [index + 1, name]),
	...Array.from({ length: 31 }, (_, index): [number, string] => [
		34 + index,
		index < 16 ? `RTMIN${index === 0 ? '' : `+${index}`}` : `RTMAX${index === 30 ? '' : `-${30 - index}`}`
	])
];
/** Description of a job ended by a signal. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
	HUP: 'Hangup',
	KILL: 'Killed',
	USR1: 'User defined signal 1',
	USR2: 'User defined signal 2'
};

/** Signals of the keyboard, which processes that a script starts with `&` do not receive. */
export const KEYBOARD: ReadonlySet<SignalName> = new Set(['SIGINT', 'SIGQUIT']);

/** `9`, `KILL`, `SIGKILL` → `SIGKILL`; 0 tests; null: no such signal. */
export function signalOf(text: string): SignalName | 0 | null {
	if (text === '0') return 0;
	if (/^\d+$/.test(text)) return signalNamed(Number(text)) ?? null;
	const name = `SIG${text.toUpperCase().replace(/^SIG/, '')}`;
	return isSignalName(name) ? name : null;
}
