import { modeText } from '../objects/tree.ts';
import { displayWidth } from '../display-width.ts';
import { arrowName } from './arrow-name.ts';
import type { Change } from './change.ts';
import type { DiffColors } from './colors.ts';
import type { FileCount } from './file-count.ts';
import { nameText } from './lines.ts';
import { Mode } from '#environment/mode.ts';

/** Column widths for `--stat`; zero for no limit. */
export interface StatWidths {
	columns: number;
	name: number;
	bar: number;
	/** Maximum number of files to list. */
	count: number;
}

export interface StatHow {
	widths: StatWidths;
	/** Adds creations, deletions and mode changes after the names. */
	compact?: boolean;
	colors?: DiffColors | null;
}

const LEAST_COLUMNS = 16 + 6;
const LEAST_BAR = 6;

/** Output of `git diff --stat`: a bar per file, then the total. @param bars false prints only the total */
export function printStat(
	files: readonly FileCount[],
	bars: boolean,
	{ widths, compact = false, colors = null }: StatHow
): string {
	let added = 0;
	let removed = 0;
	let changed = 0;
	for (const { change, counts } of files) {
		if (change.status === 'U') continue;
		changed++;
		added += counts?.added ?? 0;
		removed += counts?.removed ?? 0;
	}
	const listed = widths.count > 0 ? files.slice(0, widths.count) : files;
	let text = '';
	if (bars) {
		const names = listed.map(({ change }) => arrowName(change) + (compact ? comment(change) : ''));
		const layout = layoutOf(listed, names, widths);
		text = listed.map((file, i) => statLine(file, names[i]!, layout, colors)).join('');
		if (listed.length < files.length) text += ' ...\n';
	}
	return text + sumLine(changed, added, removed);
}

/** Change of a file other than of its lines: ` (new +x)`. */
function comment({ status, before, after }: Change): string {
	const isLink = (mode: number | undefined) => mode === Mode.symlink;
	if (status === 'A')
		return isLink(after?.mode) ? ' (new +l)' : after?.mode === Mode.executable ? ' (new +x)' : ' (new)';
	if (status === 'D') return ' (gone)';
	if (!before || !after || before.mode === after.mode) return '';
	if (isLink(before.mode)) return ' (mode -l)';
	if (isLink(after.mode)) return ' (mode +l)';
	if (modeText(before.mode) === '100644' && modeText(after.mode) === '100755') return ' (mode +x)';
	return modeText(before.mode) === '100755' && modeText(after.mode) === '100644' ? ' (mode -x)' : '';
}

interface Layout {
	name: number;
	number: number;
	bar: number;
	/** Largest number of changed lines in a file. */
	most: number;
}

function layoutOf(files: readonly FileCount[], names: readonly string[], widths: StatWidths): Layout {
	const longest = Math.max(0, ...names.map(displayWidth));
	const most = Math.max(0, ...files.map(({ counts }) => (counts ? counts.added + counts.removed : 0)));
	const binary = files.filter(({ counts, change }) => !counts && change.status !== 'U');
	const binaryWidth = Math.max(
		0,
		...binary.map(({ bytes }) => 14 + String(bytes.before).length + String(bytes.after).length),
		...files.map(({ change }) => (change.status === 'U' ? 'Unmerged'.length : 0))
	);
	const number = Math.max(String(most).length, binary.length > 0 ? 3 : 0);
	const columns = Math.max(widths.columns, LEAST_COLUMNS + number);
	let bar = most + 4 > binaryWidth ? most : binaryWidth - 4;
	if (widths.bar > 0) bar = Math.min(bar, widths.bar);
	let name = widths.name > 0 ? Math.min(widths.name, longest) : longest;
	if (name + number + 6 + bar > columns) {
		const limit = Math.floor((columns * 3) / 8) - number - 6;
		if (bar > limit) bar = Math.max(limit, LEAST_BAR);
		if (widths.bar > 0) bar = Math.min(bar, widths.bar);
		if (name > columns - number - 6 - bar) name = columns - number - 6 - bar;
		else bar = columns - number - 6 - name;
	}
	return { name, number, bar, most };
}

function statLine(
	{ change, counts, bytes }: FileCount,
	name: string,
	layout: Layout,
	colors: DiffColors | null
): string {
	const shown = shorten(name, layout.name);
	const head = ` ${nameText(shown)}${' '.repeat(Math.max(0, layout.name - displayWidth(shown)))} | `;
	const painted = (kind: 'old' | 'new', text: string) =>
		colors && text !== '' ? `${colors[kind]}${text}${colors.reset}` : text;
	if (change.status === 'U') return `${head}${'Unmerged'.padStart(layout.number)}\n`;
	if (!counts) {
		const sizes = `${painted('old', String(bytes.before))} -> ${painted('new', String(bytes.after))} bytes`;
		return `${head}${'Bin'.padStart(layout.number)}${bytes.before === 0 && bytes.after === 0 ? '' : ` ${sizes}`}\n`;
	}
	const { plus, minus } = barOf(counts, layout);
	const total = counts.added + counts.removed;
	const bar = painted('new', '+'.repeat(plus)) + painted('old', '-'.repeat(minus));
	return `${head}${String(total).padStart(layout.number)}${total === 0 ? '' : ` ${bar}`}\n`;
}

function barOf({ added, removed }: { added: number; removed: number }, { bar, most }: Layout) {
	if (bar > most) return { plus: added, minus: removed };
	const scale = (value: number) => (value === 0 ? 0 : 1 + Math.floor((value * (bar - 1)) / most));
	const whole = Math.max(scale(added + removed), added > 0 && removed > 0 ? 2 : 0);
	if (added < removed) return { plus: scale(added), minus: whole - scale(added) };
	return { plus: whole - scale(removed), minus: scale(removed) };
}

/** Total: ` 2 files changed, 3 insertions(+), 1 deletion(-)`; '' if there are no files. */
export function sumLine(files: number, added: number, removed: number): string {
	if (files === 0) return '';
	let text = ` ${files} file${files === 1 ? '' : 's'} changed`;
	if (added > 0 || removed === 0) text += `, ${added} insertion${added === 1 ? '' : 's'}(+)`;
	if (removed > 0 || added === 0) text += `, ${removed} deletion${removed === 1 ? '' : 's'}(-)`;
	return `${text}\n`;
}

function shorten(name: string, width: number): string {
	const length = displayWidth(name);
	if (length <= width) return name;
	const tail = name.slice(length - (width - 3));
	const slash = tail.indexOf('/');
	return `...${slash >= 0 ? tail.slice(slash) : tail}`;
}
