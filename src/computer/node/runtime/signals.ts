import { SIGNAL_NUMBERS } from '#computer/abi/signals.ts';

/** Linux's signals with their numbers, and the two further names that Node lists. */
export const signalNumbers: Readonly<Record<string, number>> = Object.fromEntries(
	Object.entries(SIGNAL_NUMBERS).flatMap(([name, number]): [string, number][] => {
		if (name === 'SIGABRT')
			return [
				[name, number],
				['SIGIOT', number]
			];
		if (name === 'SIGSTKFLT') return [];
		if (name === 'SIGCHLD')
			return [
				[name, number],
				['SIGSTKFLT', SIGNAL_NUMBERS.SIGSTKFLT]
			];
		return name === 'SIGIO'
			? [
					[name, number],
					['SIGPOLL', number]
				]
			: [[name, number]];
	})
);
