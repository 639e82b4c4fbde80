import type { DiffColors } from './colors.ts';
import type { MovedHow } from './moved.ts';
import type { StatWidths } from './stat.ts';
import type { LineRules } from './unified-diff.ts';
import type { WordHow } from './words.ts';

/** Lines in which errors of blanks are painted. */
export type Highlighted = Readonly<Record<'old' | 'new' | 'context', boolean>>;

/** Forms of showing changes; several are printed in git's order. */
export interface DiffFormat {
	patch: boolean;
	stat: boolean;
	shortstat: boolean;
	summary: boolean;
	/** Lines of `--stat` say what is new, gone or has another mode. */
	compact: boolean;
	numstat: boolean;
	nameOnly: boolean;
	nameStatus: boolean;
	raw: boolean;
	dirstat: string | null;
	context: number;
	/** Unchanged lines between two hunks that are shown as well. */
	between: number;
	/** Whole functions are context. */
	functions: boolean;
	/** Paths end with a zero byte and are not quoted. */
	zero: boolean;
	lines: LineRules;
	/** Ids are shown whole: everywhere, or in one of patches and raw lines. */
	fullIds: boolean | 'patch' | 'raw';
	/** Length of shortened ids. */
	digits: number | undefined;
	/** `a/` and `b/`. */
	prefixes: readonly [string, string];
	/** Binary files are compared as text. */
	text: boolean;
	/** Binary files are shown as patches. */
	binary: boolean;
	/** Removed files are shown without what was in them. */
	irreversible: boolean;
	/** Paths in conflict are shown against both sides at once. */
	combined: boolean;
	widths: StatWidths;
	colors: DiffColors | null;
	highlighted: Highlighted;
	/** Signs of lines that came, went and stayed. */
	signs: Readonly<Record<'old' | 'new' | 'context', string>>;
	words: WordHow | null;
	moved: MovedHow | null;
	/** Form of a submodule's change: its commit, a list of the commits between, or what they change. */
	submodule: 'short' | 'log' | 'diff';
	/** An empty line of context has no blank in front. */
	bareBlanks: boolean;
	/** Text in front of each line. */
	linePrefix: string;
}

const PLAIN_LINES: LineRules = { blanks: 'count', blankLines: true, ignored: [], indents: true };

export const NO_DIFF: DiffFormat = {
	patch: false,
	stat: false,
	shortstat: false,
	summary: false,
	compact: false,
	numstat: false,
	nameOnly: false,
	nameStatus: false,
	raw: false,
	dirstat: null,
	context: 3,
	between: 0,
	functions: false,
	zero: false,
	lines: PLAIN_LINES,
	fullIds: false,
	digits: undefined,
	prefixes: ['a/', 'b/'],
	text: false,
	binary: false,
	irreversible: false,
	combined: true,
	widths: { columns: 80, name: 0, bar: 0, count: 0 },
	colors: null,
	highlighted: { old: false, new: true, context: false },
	signs: { old: '-', new: '+', context: ' ' },
	words: null,
	moved: null,
	submodule: 'short',
	bareBlanks: false,
	linePrefix: ''
};
