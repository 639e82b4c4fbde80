import type { Row } from './row.ts';

/** Formats the rows in columns, one line each; notes follow below their row. */
export function table(rows: readonly Row[]): string {
	const lines = rows.map(({ name, ours, unit, against, ratio, bound }) => [
		name,
		ours === null ? '–' : `${ours} ${unit}`,
		against ? `${against.value} ${unit} (${against.name})` : '',
		ratio === null ? '' : `${ratio} ×`,
		bound === undefined || ratio === null ? '' : `${ratio <= bound ? 'within' : 'OVER'} ${bound} ×`
	]);
	lines.unshift(['', 'ours', 'against', 'ratio', '']);
	const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
	const text: string[] = [];
	lines.forEach((line, index) => {
		text.push(
			line
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd()
		);
		const note = rows[index - 1]?.note;
		if (note) text.push(`    ${note}`);
	});
	return text.join('\n');
}
