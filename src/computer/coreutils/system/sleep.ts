import { UsageError, utility } from '../options.ts';
import { secondsOf } from './duration.ts';

/** Longest timeout of a timer: 24 days. */
const MOST_MS = 2 ** 31 - 1;

/** `sleep`: waits for the sum of its operands. */
export const sleep = utility('', async (call, { operands }) => {
	if (operands.length === 0) throw new UsageError('missing operand');
	const times = operands.map(secondsOf);
	const wrong = operands.filter((_text, index) => times[index] === null);
	for (const text of wrong.slice(0, -1)) await call.complain(`invalid time interval '${text}'`);
	if (wrong.length > 0) throw new UsageError(`invalid time interval '${wrong.at(-1)}'`, true);
	const seconds = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		await call.shell.control.race(
			new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(seconds * 1000, MOST_MS))))
		);
	} finally {
		clearTimeout(timer);
	}
	return 0;
});
