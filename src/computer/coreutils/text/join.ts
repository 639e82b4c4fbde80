import type { Call } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { UsageError, utility } from '../options.ts';

interface Row {
	key: string;
	fields: string[];
}

/** A field of `-o`: 0 for the join field, or a file and one of its fields. */
type Field = 0 | [file: 1 | 2, field: number];

/** `join`: joins lines of two sorted files on a common field. */
export const join = utility(
	'a= v= e= i|ignore-case j= 1= 2= o= t= header check-order nocheck-order z',
	async (call, options) => {
		const [first, second] = options.operands;
		if (first === undefined || second === undefined || options.operands.length > 2)
			throw new UsageError(options.operands.length > 2 ? `extra operand '${options.operands[2]}'` : 'missing operand');
		const separator = options.get('t')?.replace(/^\\t$/, '\t').replace(/^\\0$/, '\0');
		const empty = options.get('e') ?? '';
		const on = (file: '1' | '2') => Number(options.get(file) ?? options.get('j') ?? 1);
		const fold = (text: string) => (options.has('i') ? text.toLowerCase() : text);
		const read = async (name: string, field: number) => rowsOf(call, name, field, separator, fold);
		const left = await read(first, on('1'));
		const right = await read(second, on('2'));
		if (!left || !right) return 1;
		const alone = (file: '1' | '2') => options.all('a').includes(file) || options.all('v').includes(file);
		const widths: [number, number] = [left[0]?.fields.length ?? 1, right[0]?.fields.length ?? 1];
		const order = fieldsOf(options.all('o'), widths, [on('1'), on('2')]);
		const print = (a: Row | null, b: Row | null): string => {
			const keyOf = (row: Row | null, field: number) => row?.fields[field - 1];
			const key = keyOf(a, on('1')) ?? keyOf(b, on('2')) ?? '';
			const cells = order
				? order.map((field) => (field === 0 ? key : (field[0] === 1 ? a : b)?.fields[field[1] - 1]))
				: [key, ...others(a, on('1')), ...others(b, on('2'))];
			return `${cells.map((cell) => (cell === undefined || cell === '' ? empty : cell)).join(separator ?? ' ')}\n`;
		};
		let text = '';
		if (options.has('header')) text += print(left.shift() ?? null, right.shift() ?? null);
		for (let [i, k] = [0, 0]; i < left.length || k < right.length;) {
			const [a, b] = [left[i], right[k]];
			if (a && b && a.key === b.key) {
				const end = (rows: Row[], from: number) => rows.findIndex((row, at) => at >= from && row.key !== a.key);
				const ends = [end(left, i), end(right, k)].map((at, file) =>
					at < 0 ? (file === 0 ? left : right).length : at
				);
				if (!options.has('v'))
					for (const one of left.slice(i, ends[0])) for (const two of right.slice(k, ends[1])) text += print(one, two);
				[i, k] = [ends[0] ?? left.length, ends[1] ?? right.length];
			} else if (a && (!b || a.key < b.key)) {
				if (alone('1')) text += print(a, null);
				i++;
			} else {
				if (alone('2')) text += print(null, b ?? null);
				k++;
			}
		}
		await call.out(text);
		return 0;
	}
);

const others = (row: Row | null, field: number) => row?.fields.filter((_, index) => index !== field - 1) ?? [];

function fieldsOf(lists: readonly string[], widths: [number, number], on: [number, number]): Field[] | null {
	if (lists.length === 0) return null;
	const all = (file: 1 | 2): Field[] =>
		Array.from({ length: widths[file - 1] ?? 0 }, (_, index): Field => [file, index + 1]).filter(
			(field) => field !== 0 && field[1] !== on[file - 1]
		);
	if (lists[0] === 'auto') return [0, ...all(1), ...all(2)];
	return lists
		.flatMap((list) => list.split(/[\s,]+/))
		.map((text): Field => {
			const [, file, field] = /^([12])\.(\d+)$/.exec(text) ?? [];
			if (text !== '0' && !file) throw new UsageError(`invalid field specifier: '${text}'`);
			return text === '0' ? 0 : [file === '1' ? 1 : 2, Number(field)];
		});
}

async function rowsOf(
	call: Call,
	name: string,
	field: number,
	separator: string | undefined,
	fold: (text: string) => string
): Promise<Row[] | null> {
	const lines = new LineSource(call, [name]);
	const rows: Row[] = [];
	for (let line = await lines.next(); line; line = await lines.next()) {
		const fields = separator === undefined ? line.text.trim().split(/[ \t]+/) : line.text.split(separator);
		rows.push({ key: fold(fields[field - 1] ?? ''), fields });
	}
	return lines.status === 0 ? rows : null;
}
