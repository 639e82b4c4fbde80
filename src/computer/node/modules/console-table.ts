import { inspect } from 'node-inspect-extracted';

const show = (value: unknown) =>
	inspect(value, {
		maxArrayLength: 3,
		breakLength: Infinity,
		depth: typeof value === 'object' && value !== null ? 0 : 1
	});

/** Formats the output of `console.table`. */
export function table(data: object, only?: string[]): string {
	const entries: [string, unknown][] =
		data instanceof Map
			? [...data].map(([key, value], index) => [String(index), { Key: key as unknown, Values: value as unknown }])
			: data instanceof Set
				? [...data].map((value, index) => [String(index), value])
				: Object.entries(data);
	const head = data instanceof Map || data instanceof Set ? '(iteration index)' : '(index)';
	const columns: string[] = [];
	let values = false;
	for (const [, row] of entries) {
		if (typeof row === 'object' && row !== null) {
			for (const key of only ?? Object.keys(row)) if (!columns.includes(key)) columns.push(key);
		} else values = true;
	}
	const rows = entries.map(([index, row]) => {
		const isRow = typeof row === 'object' && row !== null;
		const cells = columns.map((key) => (isRow && Object.hasOwn(row, key) ? show(Reflect.get(row, key)) : ''));
		return [index, ...cells, ...(values ? [isRow ? '' : show(row)] : [])];
	});
	return draw([[head, ...columns, ...(values ? ['Values'] : [])], ...rows]);
}

function draw(rows: string[][]): string {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)) + 2);
	const line = (left: string, middle: string, right: string) =>
		left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
	const cells = (row: string[]) => `│${row.map((cell, column) => ` ${cell}`.padEnd(widths[column] ?? 0)).join('│')}│`;
	const [head = [], ...body] = rows;
	return [line('┌', '┬', '┐'), cells(head), line('├', '┼', '┤'), ...body.map(cells), line('└', '┴', '┘')].join('\n');
}
