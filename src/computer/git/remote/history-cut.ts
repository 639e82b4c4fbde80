import { parseDate } from '../config/identity.ts';
import { fatal } from '../errors.ts';
import { agoDate } from '../history/dates.ts';
import type { Options } from '../options.ts';
import { WHOLE_DEPTH } from './fetch-pack.ts';
import type { HistoryCut } from './fetch-request.ts';

/** Options of commands that get a part of a history. */
export const CUT_OPTIONS = {
	depth: '--depth =',
	since: '--shallow-since =',
	without: '--shallow-exclude ='
};

/** Options that change the part of a history that a repository has. */
export const DEEPEN_OPTIONS = { ...CUT_OPTIONS, deepen: '--deepen =', unshallow: '--unshallow' };

/** Part of the history that is wanted. @throws GitError for a depth or date that is none */
export function cutBy(options: Options<keyof typeof CUT_OPTIONS>, nowMs: number): HistoryCut {
	const [depth, date] = [options.get('depth'), options.get('since')];
	const without = options.all('without');
	if (depth !== undefined && !(Number.isInteger(Number(depth)) && Number(depth) > 0))
		throw fatal(`depth ${depth} is not a positive number`);
	// A text that is no date is the time of now, as in git.
	const since = date === undefined ? undefined : (parseDate(date) ?? agoDate(date, nowMs));
	return {
		...(depth !== undefined && { depth: Number(depth) }),
		...(date !== undefined && { since: since?.seconds ?? Math.floor(nowMs / 1000) }),
		...(without.length > 0 && { without })
	};
}

/** Part of the history that is wanted after a fetch. @throws GitError for options that exclude each other */
export function deepenedBy(options: Options<keyof typeof DEEPEN_OPTIONS>, nowMs: number): HistoryCut {
	const steps = options.get('deepen');
	if (steps !== undefined) {
		if (!Number.isInteger(Number(steps))) throw fatal(`depth ${steps} is not a positive number`);
		if (Number(steps) < 0) throw fatal('negative depth in --deepen is not supported');
		if (options.has('depth')) throw fatal("options '--deepen' and '--depth' cannot be used together");
	}
	if (options.has('unshallow') && options.has('depth'))
		throw fatal("options '--depth' and '--unshallow' cannot be used together");
	if (options.has('unshallow')) return { depth: WHOLE_DEPTH };
	if (steps !== undefined && Number(steps) > 0) return { depth: Number(steps), isDeepened: true };
	return cutBy(options, nowMs);
}
