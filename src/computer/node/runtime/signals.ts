import { SIGNAL_NUMBERS } from '#computer/abi/signals.ts';

const { SIGABRT, SIGIO, SIGSTKFLT, ...others } = SIGNAL_NUMBERS;

/** Signals that Node lists after others: two aliases, and one out of order. */
const BEHIND: Readonly<Record<string, [name: string, number: number][]>> = {
	SIGTRAP: [
		['SIGABRT', SIGABRT],
		['SIGIOT', SIGABRT]
	],
	SIGCHLD: [['SIGSTKFLT', SIGSTKFLT]],
	SIGWINCH: [
		['SIGIO', SIGIO],
		['SIGPOLL', SIGIO]
	]
};

/** Linux's signals with their numbers, in Node's order. */
export const signalNumbers: Readonly<Record<string, number>> = Object.fromEntries(
	Object.entries(others).flatMap(([name, number]) => [[name, number], ...(BEHIND[name] ?? [])])
);
