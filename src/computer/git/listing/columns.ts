import { displayWidth } from '../display-width.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';

/** Layout of a list in columns. */
export interface ColumnLayout {
	/** Null: one item per line. */
	fills: 'columns' | 'rows' | null;
	/** Makes each column only as wide as its content. */
	isDense: boolean;
}

/** Space available for columns. */
export interface ColumnRoom {
	/** Line width in cells; default: one less than the terminal's. */
	width?: number | undefined;
	indent?: string;
	/** Cells between columns. */
	padding?: number;
	/** Text after each line. */
	end?: string;
}

interface Choice {
	when: 'always' | 'never' | 'auto';
	fills: ColumnLayout['fills'] | undefined;
	isDense: boolean;
}

/**
 * Determines a command's layout by `--column`, `--no-column`, `column.<command>` and `column.ui`; null: no columns.
 *
 * @param given values of `--column`; '' for the option without a value
 * @throws GitError for an unknown layout option
 */
export function columnLayout(
	git: Invocation,
	command: string | null,
	given: readonly string[],
	isTakenBack = false
): ColumnLayout | null {
	const { config } = git.repository;
	const choice: Choice = { when: 'never', fills: undefined, isDense: false };
	for (const key of ['column.ui', ...(command === null ? [] : [`column.${command}`])]) {
		for (const text of config.values(key)) {
			const fault = choose(choice, text);
			if (fault !== null)
				throw fatal(
					`bad config variable '${key}'\nerror: unsupported option '${fault}'\nerror: invalid ${key} mode ${text}`
				);
		}
	}
	if (isTakenBack) choice.when = 'never';
	for (const text of given) {
		choice.when = 'always';
		const fault = choose(choice, text);
		if (fault !== null) throw new GitError(`error: unsupported option '${fault}'`, 129);
	}
	const isOn = choice.when === 'always' || (choice.when === 'auto' && git.context.sync.isTerminal(1));
	return isOn ? { fills: choice.fills === undefined ? 'columns' : choice.fills, isDense: choice.isDense } : null;
}

/** Applies the words of a setting; returns the first unknown one, or null. */
function choose(choice: Choice, text: string): string | null {
	let hasWhen = false;
	let hasFills = false;
	for (const word of text.split(/[ ,]+/).filter(Boolean)) {
		if (word === 'always' || word === 'never' || word === 'auto') {
			choice.when = word;
			hasWhen = true;
		} else if (word === 'column' || word === 'row' || word === 'plain') {
			choice.fills = word === 'column' ? 'columns' : word === 'row' ? 'rows' : null;
			hasFills = true;
		} else if (word === 'dense' || word === 'nodense') choice.isDense = word === 'dense';
		else return word;
	}
	// A layout alone enables columns.
	if (hasFills && !hasWhen) choice.when = 'always';
	return null;
}

/** Formats a list in columns. */
export function inColumns(
	git: Invocation,
	items: readonly string[],
	layout: ColumnLayout,
	{ width, indent = '', padding = 1, end = '\n' }: ColumnRoom = {}
): string {
	if (items.length === 0) return '';
	if (layout.fills === null) return items.map((item) => indent + item + end).join('');
	const room = (width ?? lineWidth(git) - 1) - indent.length;
	const lengths = items.map(displayWidth);
	const { columns, rows, widths } = layout.isDense
		? denseGrid(lengths, layout.fills, room, padding)
		: evenGrid(lengths, room, padding);
	let text = '';
	for (let row = 0; row < rows; row++) {
		const cells = Array.from({ length: columns }, (_, column) =>
			layout.fills === 'columns' ? column * rows + row : row * columns + column
		).filter((at) => at < items.length);
		const shown = cells.map((at, column) => {
			const isLast = column === cells.length - 1;
			return items[at]! + (isLast ? '' : ' '.repeat(Math.max(0, widths[column]! - lengths[at]!)));
		});
		if (cells.length > 0) text += indent + shown.join('') + end;
	}
	return text;
}

interface Grid {
	columns: number;
	rows: number;
	/** Width of each column in cells, including padding. */
	widths: readonly number[];
}

function evenGrid(lengths: readonly number[], room: number, padding: number): Grid {
	const width = Math.max(...lengths) + padding;
	const columns = Math.max(1, Math.floor(room / width));
	const rows = Math.ceil(lengths.length / columns);
	return { columns, rows, widths: Array.from({ length: columns }, () => width) };
}

/** Reduces the number of rows while the columns still fit. */
function denseGrid(lengths: readonly number[], fills: 'columns' | 'rows', room: number, padding: number): Grid {
	const even = evenGrid(lengths, room, padding);
	let best = measured(lengths, fills, even.rows, padding, even.columns);
	while (best.rows > 1) {
		const next = measured(lengths, fills, best.rows - 1, padding);
		if (next.widths.reduce((sum, width) => sum + width, 0) > room) break;
		best = next;
	}
	return best;
}

function measured(
	lengths: readonly number[],
	fills: 'columns' | 'rows',
	rows: number,
	padding: number,
	columns = Math.ceil(lengths.length / rows)
): Grid {
	const widths = Array.from({ length: columns }, (_, column) => {
		const own = lengths.filter(
			(_length, at) => (fills === 'columns' ? Math.floor(at / rows) : at % columns) === column
		);
		return Math.max(0, ...own) + padding;
	});
	return { columns, rows, widths };
}

/** Line width in cells: `COLUMNS`, the terminal's, or 80. */
export function lineWidth(git: Invocation): number {
	const set = Number(git.env['COLUMNS']);
	if (Number.isInteger(set) && set > 0) return set;
	return git.context.sync.isTerminal(1) ? git.context.sync.terminalSize().columns : 80;
}
