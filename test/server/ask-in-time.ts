import { inTime } from '#test/in-time.ts';
import { ask } from './start.ts';

/** Asks as {@link ask} does; fails the test where the whole answer does not come. */
export const askInTime = (...call: Parameters<typeof ask>): ReturnType<typeof ask> =>
	inTime(ask(...call), `the whole answer of ${call[1]?.method ?? 'GET'} ${call[0]}`);
