import { decode, encode } from '#computer/process/text.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { eachInput } from '../input/each-input.ts';
import { UsageError, utility, type Options } from '../options.ts';

const TAB_WIDTH = 8;
const SPECIFICATION =
	'c|output-width= t|table s|separator= o|output-separator= N|table-columns= R|table-right= H|table-hide= ' +
	'd|table-noheadings L|keep-empty-lines l|table-columns-limit= n|table-name= J|json x|fillrows';

/** `column`: arranges entries in columns, or aligns the fields of lines (`-t`), as util-linux does. */
export const column: BuiltIn = utility(SPECIFICATION, async (call, options) => {
	const lines: string[] = [];
	const status = await eachInput(call, options.operands, async (file) => {
		const text = decode(await call.shell.control.race(file.readAll()));
		lines.push(...text.replace(/\n$/, '').split('\n'));
	});
	const kept = options.has('L') ? lines : lines.filter((line) => line.trim() !== '');
	const width = widthOf(options, call.shell.variables.exported('COLUMNS'));
	const isTable = options.has('t') || options.has('J') || options.has('N');
	const text = isTable
		? table(kept, options)
		: filled(
				kept.map((line) => line.trim()),
				width,
				options.has('x')
			);
	await call.shell.descriptors.require(1).write(encode(text));
	return status;
});

/** @throws UsageError */
function widthOf(options: Options, columns: string | undefined): number {
	const text = options.get('c');
	if (text === undefined) return Number(columns) > 0 ? Number(columns) : 80;
	if (text === 'unlimited') return Infinity;
	if (!/^\d+$/.test(text)) throw new UsageError(`invalid columns argument: '${text}'`);
	return Number(text);
}

const widthIn = (text: string): number => [...text].length;

/** Arranges entries in equally wide columns, filled down the columns or along the rows. */
function filled(entries: readonly string[], width: number, isByRow: boolean): string {
	if (entries.length === 0) return '';
	const longest = Math.max(...entries.map(widthIn));
	const size = (Math.floor(longest / TAB_WIDTH) + 1) * TAB_WIDTH;
	if (longest >= width) return entries.map((entry) => `${entry}\n`).join('');
	const count = Math.max(1, Math.floor(width / size));
	const rows = Math.ceil(entries.length / count);
	const lines: string[] = [];
	for (let row = 0; row < rows; row++) {
		const cells: string[] = [];
		for (let at = isByRow ? row * count : row; at < entries.length; at += isByRow ? 1 : rows) {
			if (isByRow && at >= (row + 1) * count) break;
			cells.push(entries[at] ?? '');
		}
		lines.push(cells.map((cell, index) => (index === cells.length - 1 ? cell : withTabs(cell, size))).join(''));
	}
	return `${lines.join('\n')}\n`;
}

function withTabs(cell: string, size: number): string {
	return cell + '\t'.repeat(Math.ceil((size - widthIn(cell)) / TAB_WIDTH));
}

function table(lines: readonly string[], options: Options): string {
	const names = options.get('N')?.split(',') ?? null;
	const rows = lines.map((line) => fieldsOf(line, options));
	const headed = names && !options.has('J') && !options.has('d') ? [names, ...rows] : rows;
	const count = Math.max(names?.length ?? 0, ...rows.map((row) => row.length));
	const right = positions(options.get('R'), names, count);
	const hidden = positions(options.get('H'), names, count);
	const shown = Array.from({ length: count }, (_, index) => index).filter((index) => !hidden.has(index));
	if (options.has('J')) return json(rows, names, shown, options.get('n') ?? 'table');
	const widths = shown.map((index) => Math.max(...headed.map((row) => widthIn(row[index] ?? ''))));
	const between = options.get('o') ?? '  ';
	return headed
		.map((row) => {
			const cells = shown.map((column, at) => {
				const cell = row[column] ?? '';
				const fill = ' '.repeat((widths[at] ?? 0) - widthIn(cell));
				if (right.has(column)) return fill + cell;
				return at === shown.length - 1 ? cell : cell + fill;
			});
			return `${cells.join(between)}\n`;
		})
		.join('');
}

/** Splits a line into fields: with the default separators, adjacent ones count as one. */
function fieldsOf(line: string, options: Options): string[] {
	const given = options.get('s');
	const limit = Number(options.get('l') ?? Infinity);
	const fields =
		given === undefined
			? line.trim() === ''
				? []
				: line.trim().split(/[ \t]+/)
			: line.split(new RegExp(`[${given.replace(/[\\\]^-]/g, '\\$&')}]`));
	if (fields.length <= limit) return fields;
	return [...fields.slice(0, limit - 1), fields.slice(limit - 1).join(given?.[0] ?? ' ')];
}

/** Parses a list of column names or numbers from 1, or `0` for all. @throws UsageError */
function positions(list: string | undefined, names: readonly string[] | null, count: number): Set<number> {
	const found = new Set<number>();
	for (const word of list === undefined || list === '' ? [] : list.split(',')) {
		const named = names?.indexOf(word) ?? -1;
		if (named >= 0) found.add(named);
		else if (word === '0') for (let index = 0; index < count; index++) found.add(index);
		else if (/^-?\d+$/.test(word)) found.add(Number(word) > 0 ? Number(word) - 1 : count + Number(word));
		else throw new UsageError(`undefined column name '${word}'`);
	}
	return found;
}

function json(
	rows: readonly string[][],
	names: readonly string[] | null,
	shown: readonly number[],
	name: string
): string {
	if (!names) throw new UsageError('option --table-columns required for --json', false);
	const objects = rows.map((row) => {
		const members = shown.map((index) => {
			const value = row[index];
			const key = JSON.stringify((names[index] ?? '').toLowerCase());
			return `         ${key}: ${value === undefined ? 'null' : JSON.stringify(value)}`;
		});
		return `{\n${members.join(',\n')}\n      }`;
	});
	return `{\n   ${JSON.stringify(name)}: [\n      ${objects.join(',')}\n   ]\n}\n`;
}
