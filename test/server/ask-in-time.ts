import { inTime } from '#test/in-time.ts';
import { ask } from './start.ts';

/** Same as {@link ask}; fails the test if the answer does not arrive completely. */
export const askInTime = (...call: Parameters<typeof ask>): ReturnType<typeof ask> =>
	inTime(ask(...call), `the whole answer of ${call[1]?.method ?? 'GET'} ${call[0]}`);
