import type { DiffColors } from './colors.ts';
import type { MovedHow } from './moved.ts';
import type { StatWidths } from './stat.ts';
import type { LineRules } from './unified-diff.ts';
import type { WordHow } from './words.ts';

/** Kinds of lines in which whitespace errors are highlighted. */
export type Highlighted = Readonly<Record<'old' | 'new' | 'context', boolean>>;

/** Output formats and options; several formats are printed in git's order. */
export interface DiffFormat {
	patch: boolean;
	stat: boolean;
	shortstat: boolean;
	summary: boolean;
	/** Lines of `--stat` include creations, deletions and mode changes. */
	compact: boolean;
	numstat: boolean;
	nameOnly: boolean;
	nameStatus: boolean;
	raw: boolean;
	dirstat: string | null;
	context: number;
	/** Maximum number of unchanged lines between hunks that are shown as well, which joins the hunks. */
	between: number;
	/** Shows whole functions as context. */
	functions: boolean;
	/** Terminates paths with a NUL byte and does not quote them. */
	zero: boolean;
	lines: LineRules;
	/** Shows full ids: everywhere, or only in patches or raw lines. */
	fullIds: boolean | 'patch' | 'raw';
	/** Length of abbreviated ids. */
	digits: number | undefined;
	/** `a/` and `b/`. */
	prefixes: readonly [string, string];
	/** Compares binary files as text. */
	text: boolean;
	/** Shows patches of binary files. */
	binary: boolean;
	/** Omits the content of deleted files. */
	irreversible: boolean;
	/** Shows paths in conflict as a combined diff against both sides. */
	combined: boolean;
	widths: StatWidths;
	colors: DiffColors | null;
	highlighted: Highlighted;
	/** Signs of removed, added and context lines. */
	signs: Readonly<Record<'old' | 'new' | 'context', string>>;
	words: WordHow | null;
	moved: MovedHow | null;
	/** Format for submodule changes: the commit id, a list of the commits, or a diff. */
	submodule: 'short' | 'log' | 'diff';
	/** Omits the leading space of empty context lines. */
	bareBlanks: boolean;
	/** Prefix of each line. */
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
