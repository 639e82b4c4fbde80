import type { Options } from '../options.ts';
import { NO_DIFF, type DiffFormat } from './print.ts';

/** The options `diff`, `show` and `log` share. */
export const DIFF_OPTIONS = {
	patch: '-p -u --patch',
	noPatch: '-s --no-patch',
	stat: '--stat ?',
	shortstat: '--shortstat',
	summary: '--summary',
	numstat: '--numstat',
	nameOnly: '--name-only',
	nameStatus: '--name-status',
	raw: '--raw',
	context: '-U --unified =',
	zero: '-z',
	color: '--color ?',
	noColor: '--no-color',
	renames: '-M --find-renames ?',
	noRenames: '--no-renames',
	noExternal: '--no-ext-diff --no-textconv',
	filter: '--diff-filter =',
	minimal: '--minimal --indent-heuristic',
	patchWithStat: '--patch-with-stat'
};

/** @param patch whether the patch is shown when no other form was asked for */
export function diffFormat(options: Options<keyof typeof DIFF_OPTIONS>, patch: boolean): DiffFormat {
	const format: DiffFormat = {
		...NO_DIFF,
		stat: options.has('stat') || options.has('patchWithStat'),
		shortstat: options.has('shortstat'),
		summary: options.has('summary'),
		numstat: options.has('numstat'),
		nameOnly: options.has('nameOnly'),
		nameStatus: options.has('nameStatus'),
		raw: options.has('raw'),
		zero: options.has('zero'),
		context: Number(options.get('context') ?? 3)
	};
	const other =
		format.stat ||
		format.shortstat ||
		format.summary ||
		format.numstat ||
		format.nameOnly ||
		format.nameStatus ||
		format.raw;
	const asked = options.has('patch') || options.has('context') || options.has('patchWithStat');
	return { ...format, patch: !options.has('noPatch') && (asked || (patch && !other)) };
}
