import { choosesColor, isColorTerminal } from '../color-choice.ts';
import type { Config } from '../config/config.ts';
import { fatal, GitError } from '../errors.ts';
import { binaryText } from './lines.ts';
import { encode } from '../bytes.ts';
import { lineRegex } from '../history/regex.ts';
import type { Invocation } from '../invocation.ts';
import type { Options } from '../options.ts';
import { diffColors } from './colors.ts';
import { wordRegex } from './driver.ts';
import { NO_DIFF, type DiffFormat, type Highlighted } from './format.ts';
import type { MovedHow } from './moved.ts';
import { PICKAXE_OPTIONS } from './pickaxe.ts';
import type { Announced } from './sides.ts';
import type { StatWidths } from './stat.ts';
import type { Blanks, LineRules } from './unified-diff.ts';
import type { WordHow } from './words.ts';

/** The options that `diff`, `show` and `log` share. */
export const DIFF_OPTIONS = {
	...PICKAXE_OPTIONS,
	announced: '--ita-visible-in-index',
	notAnnounced: '--ita-invisible-in-index',
	patch: '-p -u --patch',
	noPatch: '-s --no-patch',
	stat: '--stat ?',
	statWidth: '--stat-width =',
	statNameWidth: '--stat-name-width =',
	statBarWidth: '--stat-graph-width =',
	statCount: '--stat-count =',
	shortstat: '--shortstat',
	summary: '--summary',
	numstat: '--numstat',
	nameOnly: '--name-only',
	nameStatus: '--name-status',
	raw: '--raw',
	check: '--check',
	compact: '--compact-summary',
	noCompact: '--no-compact-summary',
	dirstat: '-X --dirstat ?',
	dirstatByFile: '--dirstat-by-file ?',
	cumulative: '--cumulative',
	patchWithStat: '--patch-with-stat',
	patchWithRaw: '--patch-with-raw',
	context: '-U --unified ?',
	between: '--inter-hunk-context =',
	functions: '-W --function-context',
	noFunctions: '--no-function-context',
	zero: '-z',
	color: '--color ?',
	noColor: '--no-color',
	moved: '--color-moved ?',
	noMoved: '--no-color-moved',
	movedBlanks: '--color-moved-ws =',
	noMovedBlanks: '--no-color-moved-ws',
	highlight: '--ws-error-highlight =',
	renames: '-M --find-renames ?',
	noRenames: '--no-renames',
	copies: '-C --find-copies ?',
	copiesHarder: '--find-copies-harder',
	breaks: '-B --break-rewrites ?',
	irreversible: '-D --irreversible-delete',
	renameLimit: '-l =',
	renameEmpty: '--rename-empty',
	noRenameEmpty: '--no-rename-empty',
	// Commands of drivers and from the environment are never run: a repository from elsewhere could name any program.
	noExternal: '--no-ext-diff --no-textconv',
	filter: '--diff-filter =',
	orderFile: '-O =',
	rotateTo: '--rotate-to =',
	skipTo: '--skip-to =',
	relative: '--relative ?',
	noRelative: '--no-relative',
	indents: '--indent-heuristic',
	noIndents: '--no-indent-heuristic',
	// The comparison looks for the shortest diff anyway, up to a limit that few files reach.
	minimal: '--minimal --no-minimal',
	algorithm: '--diff-algorithm =',
	patience: '--patience',
	histogram: '--histogram',
	allBlanks: '-w --ignore-all-space',
	blankCount: '-b --ignore-space-change',
	blanksAtEnd: '--ignore-space-at-eol',
	crAtEnd: '--ignore-cr-at-eol',
	blankLines: '--ignore-blank-lines',
	ignored: '-I --ignore-matching-lines =',
	ours: '--ours -2',
	theirs: '--theirs -3',
	base: '--base -1',
	fullIndex: '--full-index',
	noFullIndex: '--no-full-index',
	binary: '--binary',
	noPrefix: '--no-prefix',
	fromPrefix: '--src-prefix =',
	toPrefix: '--dst-prefix =',
	linePrefix: '--line-prefix =',
	newSign: '--output-indicator-new =',
	oldSign: '--output-indicator-old =',
	contextSign: '--output-indicator-context =',
	turned: '-R',
	submodule: '--submodule ?',
	ignoreSubmodules: '--ignore-submodules ?',
	words: '--word-diff ?',
	wordRegex: '--word-diff-regex =',
	colorWords: '--color-words ?',
	abbrev: '--abbrev ?',
	noAbbrev: '--no-abbrev'
};

type DiffOptions = Options<keyof typeof DIFF_OPTIONS>;

/** Returns what files that were only announced are in the index. */
export function announcedFiles(options: DiffOptions, byDefault: Announced): Announced {
	const latest = options.latest('announced', 'notAnnounced');
	if (latest === undefined) return byDefault;
	return latest === 'announced' ? 'empty' : 'none';
}

/** Context that determines the diff format. */
export interface FormatHow {
	config: Config;
	/** Porcelain command: all config settings apply, not only those that also apply to plumbing. */
	isForPeople: boolean;
	isTerminal: () => boolean;
	warn: (text: string) => void;
	/** Width of the terminal. */
	columns: number;
	/** `i` and `w`: prefixes that name the compared sides, for `diff.mnemonicPrefix`. */
	sides?: readonly [string, string];
}

/** Collects this context from a git invocation. */
export function formatHow(git: Invocation, isForPeople: boolean, config = git.repository.config): FormatHow {
	const { sync } = git.context;
	const columns = Number(git.env['COLUMNS']);
	return {
		config,
		isForPeople,
		isTerminal: () => isColorTerminal(git),
		warn: (text) => git.surroundings.warn(text),
		columns: isForPeople ? (columns > 0 ? columns : sync.isTerminal(1) ? sync.terminalSize().columns : 80) : 80
	};
}

/**
 * Parses the options that determine the diff format.
 *
 * @param patch shows the patch if no other format was requested
 * @param how if absent, config settings are ignored
 */
export function diffFormat(options: DiffOptions, patch: boolean, how?: FormatHow): DiffFormat {
	const config = how?.config;
	const people = how?.isForPeople ? config : undefined;
	const widths = statWidths(options, people, how?.columns ?? 80);
	checkAlgorithm(options);
	const words = wordHow(options, people);
	const isColored = words?.mode === 'color' && options.latest('words', 'colorWords', 'color', 'noColor') !== 'noColor';
	const colored = isColored || (how !== undefined && isColorWanted(options, how));
	const format: DiffFormat = {
		...NO_DIFF,
		...listForms(options),
		dirstat: dirstatText(options, config),
		context: contextLines(options, people),
		between: count(options.get('between') ?? people?.get('diff.interhunkcontext') ?? '0', 'inter-hunk-context'),
		functions: options.latest('functions', 'noFunctions') === 'functions',
		lines: lineRules(options, config),
		fullIds: options.latest('fullIndex', 'noFullIndex') === 'fullIndex' ? 'patch' : false,
		text: options.has('text'),
		binary: options.has('binary'),
		irreversible: options.has('irreversible'),
		prefixes: chosenPrefixes(options, people, how?.sides),
		widths,
		combined: !(['ours', 'theirs', 'base'] as const).some((side) => options.has(side)),
		colors: colored && config ? diffColors(config) : null,
		highlighted: highlighted(options.get('highlight') ?? config?.get('diff.wserrorhighlight')),
		signs: {
			old: sign(options.get('oldSign') ?? '-', 'old'),
			new: sign(options.get('newSign') ?? '+', 'new'),
			context: sign(options.get('contextSign') ?? ' ', 'context')
		},
		words,
		moved: movedHow(options, people),
		submodule: submoduleForm(options.get('submodule'), how?.isForPeople ? how : undefined),
		bareBlanks: config?.flag('diff.suppressblankempty', false) ?? false,
		linePrefix: binaryText(encode(options.get('linePrefix') ?? ''))
	};
	if (options.has('noAbbrev')) format.fullIds = true;
	else if ((options.get('abbrev') ?? '') !== '') format.digits = digits(options.get('abbrev')!);
	const last = options.latest('patch', 'noPatch', 'context', 'patchWithStat', 'patchWithRaw');
	const asked = ['patch', 'context', 'patchWithStat', 'patchWithRaw', 'binary', 'functions', 'irreversible'].some(
		(name) => options.has(name as 'patch')
	);
	// A list of names replaces all other forms.
	if (last === 'noPatch' || format.nameOnly || format.nameStatus) return { ...format, ...NOTHING };
	return {
		...format,
		patch: asked ? asksForPatch(options) || (patch && !showsChanges(format)) : patch && !showsChanges(format)
	};
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
	format.raw ||
	format.dirstat !== null;

/** Disables all output formats, for `-s`. */
export const NOTHING = {
	patch: false,
	stat: false,
	shortstat: false,
	summary: false,
	numstat: false,
	raw: false,
	dirstat: null
};

const asksForPatch = (options: DiffOptions): boolean =>
	(['patch', 'context', 'patchWithStat', 'patchWithRaw', 'binary'] as const).some((name) => options.has(name));

/** Format for plumbing commands: raw lines with full ids, unless other formats were requested. */
export function scriptFormat(options: DiffOptions, how?: FormatHow): DiffFormat {
	const format = diffFormat(options, false, how);
	const isRaw = !showsChanges({ ...format, raw: false }) && !options.has('noPatch');
	return {
		...format,
		raw: isRaw || format.raw,
		fullIds: options.has('abbrev') ? format.fullIds : format.fullIds || 'raw'
	};
}

function listForms(options: DiffOptions) {
	const only = options.latest('nameOnly', 'nameStatus', 'check');
	const names = ['nameOnly', 'nameStatus', 'check', 'noPatch'].filter((name) => options.has(name as 'nameOnly'));
	if (names.length > 1)
		throw fatal("options '--name-only', '--name-status', '--check', and '-s' cannot be used together");
	const widths = ['statWidth', 'statNameWidth', 'statBarWidth', 'statCount', 'compact'] as const;
	return {
		stat: options.has('stat') || options.has('patchWithStat') || widths.some((name) => options.has(name)),
		shortstat: options.has('shortstat'),
		summary: options.has('summary'),
		compact: options.latest('compact', 'noCompact') === 'compact',
		numstat: options.has('numstat'),
		nameOnly: only === 'nameOnly',
		nameStatus: only === 'nameStatus',
		raw: options.has('raw') || options.has('patchWithRaw'),
		zero: options.has('zero')
	};
}

function count(text: string, name: string): number {
	if (!/^\d+$/.test(text)) throw new GitError(`error: option \`${name}' expects a numerical value`, 129);
	return Number(text);
}

function contextLines(options: DiffOptions, config: Config | undefined): number {
	const given = options.get('context');
	if (given !== undefined && given !== '') {
		if (!/^\d+$/.test(given)) throw new GitError('error: --unified expects a numerical value', 129);
		return Number(given);
	}
	const set = config?.get('diff.context');
	if (set === undefined) return NO_DIFF.context;
	if (!/^-?\d+$/.test(set)) throw fatal(`bad numeric config value '${set}' for 'diff.context': invalid unit`);
	if (Number(set) < 0) throw fatal("bad config variable 'diff.context' in file '.git/config' at line 1");
	return Number(set);
}

function digits(text: string): number {
	if (!/^\d+$/.test(text)) throw new GitError("error: option `abbrev' expects a numerical value", 129);
	return Math.min(40, Math.max(4, Number(text)));
}

/** Parses the sign for lines: one character. */
function sign(text: string, name: string): string {
	if (text.length !== 1) throw new GitError(`error: output-indicator-${name} expects a character, got '${text}'`, 129);
	return text;
}

function dirstatText(options: DiffOptions, config: Config | undefined): string | null {
	const given = ['dirstat', 'dirstatByFile', 'cumulative'] as const;
	if (!given.some((name) => options.has(name))) return null;
	return [
		config?.get('diff.dirstat') ?? '',
		...options.all('dirstat'),
		...(options.has('cumulative') ? ['cumulative'] : []),
		...(options.has('dirstatByFile') ? ['files', options.get('dirstatByFile') ?? ''] : [])
	].join(',');
}

function isColorWanted(options: DiffOptions, { config, isForPeople, isTerminal }: FormatHow): boolean {
	const last = options.latest('color', 'noColor');
	const option = last === 'noColor' ? null : last === 'color' ? (options.get('color') ?? '') : undefined;
	// Plumbing commands use colors only if requested.
	if (option === undefined && !isForPeople) return false;
	return choosesColor(config, option, ['color.diff', 'diff.color', 'color.ui'], isTerminal);
}

function statWidths(options: DiffOptions, config: Config | undefined, columns: number): StatWidths {
	const [, width = '', name = '', files = ''] = /^(\d*)(?:,(\d*))?(?:,(\d*))?$/.exec(options.get('stat') ?? '') ?? [
		'',
		'!'
	];
	if (width === '!') throw new GitError(`error: invalid --stat value: ${options.get('stat')}`, 129);
	const number = (
		option: 'statWidth' | 'statNameWidth' | 'statBarWidth' | 'statCount',
		text: string,
		spelling: string
	) => {
		const given = options.get(option);
		if (given === undefined) return Number(text || 0);
		if (!/^\d+$/.test(given)) throw new GitError(`error: ${spelling} expects a numerical value`, 129);
		return Number(given);
	};
	return {
		columns: number('statWidth', width, 'stat-width') || columns,
		name: number('statNameWidth', name, 'stat-name-width'),
		bar: number('statBarWidth', config?.get('diff.statgraphwidth') ?? '', 'stat-graph-width'),
		count: number('statCount', files, 'stat-count')
	};
}

function lineRules(options: DiffOptions, config: Config | undefined): LineRules {
	const last = options.latest('indents', 'noIndents');
	return {
		blanks: chosenBlanks(options),
		blankLines: !options.has('blankLines'),
		ignored: options.all('ignored').map((text) => lineRegex(binaryText(encode(text)), 'extended', false)),
		indents: last === undefined ? (config?.flag('diff.indentheuristic', true) ?? true) : last === 'indents'
	};
}

function chosenBlanks(options: DiffOptions): Blanks {
	if (options.has('allBlanks')) return 'none';
	if (options.has('blankCount')) return 'some';
	if (options.has('blanksAtEnd')) return 'not at the end';
	return options.has('crAtEnd') ? 'no cr at the end' : 'count';
}

function chosenPrefixes(
	options: DiffOptions,
	config: Config | undefined,
	sides: readonly [string, string] | undefined
): [string, string] {
	const given = options.latest('noPrefix', 'fromPrefix', 'toPrefix');
	const isBare = given === 'noPrefix' || (given === undefined && config?.flag('diff.noprefix', false) === true);
	const mnemonic = sides && config?.flag('diff.mnemonicprefix', false) === true ? sides : ['a', 'b'];
	const usual = isBare ? ['', ''] : mnemonic.map((side) => `${side}/`);
	const from = options.get('fromPrefix') ?? usual[0]!;
	const to = options.get('toPrefix') ?? usual[1]!;
	return options.has('turned') ? [to, from] : [from, to];
}

function highlighted(text: string | undefined): Highlighted {
	const all = { old: false, new: false, context: false };
	for (const word of (text ?? 'default').split(',').filter((part) => part !== '')) {
		if (word === 'none') Object.assign(all, { old: false, new: false, context: false });
		else if (word === 'default') Object.assign(all, { old: false, new: true, context: false });
		else if (word === 'all') Object.assign(all, { old: true, new: true, context: true });
		else if (word === 'old' || word === 'new' || word === 'context') all[word] = true;
		else throw new GitError(`error: unknown value after ws-error-highlight=${text ?? ''}`, 129);
	}
	return all;
}

function wordHow(options: DiffOptions, config: Config | undefined): WordHow | null {
	const usual = config?.get('diff.wordregex');
	let mode: WordHow['mode'] | null = null;
	const last = options.latest('words', 'colorWords');
	if (last === 'colorWords') mode = 'color';
	else if (last === 'words') {
		const text = options.get('words') ?? '';
		if (text === 'none') mode = null;
		else if (text === '' || text === 'plain') mode = 'plain';
		else if (text === 'color' || text === 'porcelain') mode = text;
		else throw new GitError(`error: bad --word-diff argument: ${text}`, 129);
	} else if (options.has('wordRegex')) mode = 'plain';
	if (mode === null) return null;
	const given = options.get('wordRegex') ?? (options.get('colorWords') || undefined);
	return {
		mode,
		words: given === undefined ? null : [wordRegex(binaryText(encode(given)))],
		usual: usual === undefined ? null : [wordRegex(binaryText(encode(usual)))]
	};
}

/** @throws GitError if the algorithm is unknown */
function checkAlgorithm(options: DiffOptions): void {
	const given = options.get('algorithm');
	if (given === undefined || /^(?:myers|default|minimal|patience|histogram)$/i.test(given)) return;
	throw new GitError('error: option diff-algorithm accepts "myers", "minimal", "patience" and "histogram"', 129);
}

const SUBMODULE_FORMS = ['short', 'log', 'diff'] as const;

function submoduleForm(given: string | undefined, how: FormatHow | undefined): DiffFormat['submodule'] {
	const known = (text: string | undefined) => SUBMODULE_FORMS.find((form) => form === text);
	if (given !== undefined) {
		const form = known(given || 'log');
		if (!form) throw new GitError(`error: failed to parse --submodule option parameter: '${given}'`, 129);
		return form;
	}
	const set = how?.config.get('diff.submodule');
	const form = known(set);
	if (set !== undefined && !form) how?.warn(`Unknown value for 'diff.submodule' config variable: '${set}'`);
	return form ?? 'short';
}

const MOVED_MODES: Readonly<Record<string, MovedHow['mode'] | null>> = {
	...{ no: null, false: null, off: null, '0': null },
	...{ true: 'zebra', on: 'zebra', yes: 'zebra', '1': 'zebra', default: 'zebra', zebra: 'zebra' },
	...{ plain: 'plain', blocks: 'blocks', 'dimmed-zebra': 'dimmed-zebra', dimmed_zebra: 'dimmed-zebra' }
};

function movedHow(options: DiffOptions, config: Config | undefined): MovedHow | null {
	const blanks = options.latest('movedBlanks', 'noMovedBlanks');
	const text = blanks === 'noMovedBlanks' ? '' : (options.get('movedBlanks') ?? config?.get('diff.colormovedws') ?? '');
	const found = movedBlanks(text, options.has('movedBlanks'));
	const set = config?.get('diff.colormoved');
	const last = options.latest('moved', 'noMoved');
	const given = last === 'moved' ? options.get('moved') || undefined : undefined;
	const mode = movedMode(given ?? set ?? (last === 'moved' ? 'default' : 'no'), given);
	const chosen = mode ?? (last === 'moved' && given === undefined ? 'zebra' : null);
	if (last === 'noMoved' || chosen === null) return null;
	return { mode: chosen, ...found };
}

function movedMode(text: string, given: string | undefined): MovedHow['mode'] | null {
	const mode = MOVED_MODES[text];
	if (mode !== undefined) return mode;
	const modes = "'no', 'default', 'blocks', 'zebra', 'dimmed-zebra', 'plain'";
	const wrong = `error: color moved setting must be one of ${modes}\n`;
	if (given === undefined)
		throw new GitError(`${wrong}fatal: unable to parse 'diff.colormoved' from command-line config`, 128);
	throw new GitError(`${wrong}error: bad --color-moved argument: ${given}`, 129);
}

function movedBlanks(text: string, isGiven: boolean): Pick<MovedHow, 'blanks' | 'allowsIndent'> {
	const found = { blanks: 'count' as Blanks, allowsIndent: false };
	for (const word of text.split(',').map((part) => part.trim())) {
		if (word === 'ignore-all-space') found.blanks = 'none';
		else if (word === 'ignore-space-change') found.blanks = found.blanks === 'none' ? 'none' : 'some';
		else if (word === 'ignore-space-at-eol') found.blanks = found.blanks === 'count' ? 'not at the end' : found.blanks;
		else if (word === 'allow-indentation-change') found.allowsIndent = true;
		else if (word === 'no') Object.assign(found, { blanks: 'count', allowsIndent: false });
		else if (word !== '')
			throw new GitError(
				`error: unknown color-moved-ws mode '${word}', possible values are 'ignore-space-change', 'ignore-space-at-eol', 'ignore-all-space', 'allow-indentation-change'\n${isGiven ? `error: invalid mode '${text}' in --color-moved-ws` : "fatal: unable to parse 'diff.colormovedws' from command-line config"}`,
				isGiven ? 129 : 128
			);
	}
	if (found.allowsIndent && found.blanks !== 'count')
		throw new GitError(
			'error: color-moved-ws: allow-indentation-change cannot be combined with other whitespace modes',
			129
		);
	return found;
}
