import { fatal } from '../errors.ts';
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
	patchWithStat: '--patch-with-stat',
	allBlanks: '-w --ignore-all-space',
	blankCount: '-b --ignore-space-change',
	blanksAtEnd: '--ignore-space-at-eol --ignore-cr-at-eol',
	ours: '--ours -2',
	theirs: '--theirs -3',
	base: '--base -1',
	fullIndex: '--full-index',
	text: '-a --text',
	noPrefix: '--no-prefix',
	fromPrefix: '--src-prefix =',
	toPrefix: '--dst-prefix =',
	reverse: '-R',
	algorithm: '--patience --histogram --diff-algorithm ?',
	copies: '-C --find-copies --find-copies-harder ?',
	submodule: '--submodule --ignore-submodules ?',
	words: '--word-diff --color-words ?',
	function: '-W --function-context',
	blankLines: '--ignore-blank-lines',
	check: '--check',
	binary: '--binary',
	compact: '--compact-summary',
	dirstat: '--dirstat ?',
	abbrev: '--abbrev ?',
	noAbbrev: '--no-abbrev'
};

/** Forms there are not, and what to do instead. */
const REFUSED = {
	words: 'words are not compared one by one here: leave out --word-diff, or add -U0',
	function: 'whole functions are not shown here: use -U<lines> for more context',
	blankLines: 'blank lines count here: use -w, which ignores blanks within lines',
	binary: 'changes of binary files cannot be printed as a patch here',
	compact: 'there is no such summary here: use --stat --summary',
	dirstat: 'there is no such summary here: use --stat'
} as const;

/** @param patch whether the patch is shown when no other form was asked for */
export function diffFormat(options: Options<keyof typeof DIFF_OPTIONS>, patch: boolean): DiffFormat {
	for (const name of ['words', 'function', 'blankLines', 'binary', 'compact', 'dirstat'] as const) {
		if (options.has(name)) throw fatal(REFUSED[name]);
	}
	const width = Number(/^\d+/.exec(options.get('stat') ?? '')?.[0] ?? 80);
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
		context: Number(options.get('context') ?? 3),
		blanks: options.has('allBlanks')
			? 'none'
			: options.has('blankCount')
				? 'some'
				: options.has('blanksAtEnd')
					? 'not at the end'
					: 'count',
		fullIds: options.has('fullIndex'),
		text: options.has('text'),
		prefixes: chosenPrefixes(options),
		width,
		combined: !(['ours', 'theirs', 'base'] as const).some((side) => options.has(side))
	};
	const asked = options.has('patch') || options.has('context') || options.has('patchWithStat');
	return { ...format, patch: !options.has('noPatch') && (asked || (patch && !showsChanges(format))) };
}

/** Form of the commands for scripts: raw lines with whole ids, unless others were asked for. */
export function scriptFormat(options: Options<keyof typeof DIFF_OPTIONS>): DiffFormat {
	const format = diffFormat(options, false);
	const isRaw = !showsChanges({ ...format, raw: false }) && !options.has('noPatch');
	return { ...format, raw: isRaw || format.raw, fullIds: format.fullIds || !options.has('abbrev') };
}

/** Returns true if any form of diff was requested. */
export const showsChanges = (format: DiffFormat): boolean =>
	format.patch ||
	format.stat ||
	format.shortstat ||
	format.summary ||
	format.numstat ||
	format.nameOnly ||
	format.nameStatus ||
	format.raw;

function chosenPrefixes(options: Options<'noPrefix' | 'fromPrefix' | 'toPrefix' | 'reverse'>): [string, string] {
	if (options.has('noPrefix')) return ['', ''];
	const from = options.get('fromPrefix') ?? 'a/';
	const to = options.get('toPrefix') ?? 'b/';
	return options.has('reverse') ? [to, from] : [from, to];
}
