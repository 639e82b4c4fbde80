import type { Row } from './row.ts';

/** A row with the machine and the time (ISO 8601) of its measurement. */
export type DatedRow = Row & { machine: string; date: string };

const START = '<!-- measured: written by npm run bench -->';
const END = '<!-- /measured -->';

/**
 * Writes the rows as a table between the two marks of a Markdown document.
 *
 * @throws Error if the document has no marks
 */
export function withMeasured(document: string, rows: readonly DatedRow[]): string {
	const [start, end] = [document.indexOf(START), document.indexOf(END)];
	if (start < 0 || end < start) throw new Error('The document has no place for what was measured.');
	return `${document.slice(0, start + START.length)}\n\n${measured(rows)}\n\n${document.slice(end)}`;
}

function measured(rows: readonly DatedRow[]): string {
	const notes: string[] = [];
	const lines = rows.map(({ name, ours, unit, against, ratio, bound, note }) => {
		if (note !== '' && !notes.includes(note)) notes.push(note);
		const mark = note === '' ? '' : ` (${notes.indexOf(note) + 1})`;
		return [
			`${name}${mark}`,
			ours === null ? 'not measured' : `${ours} ${unit}`,
			against ? `${against.value} ${unit}, ${against.name}` : '',
			ratio === null ? '' : `${ratio} ×`,
			bound === undefined ? '' : ratio !== null && ratio > bound ? `**${bound} ×, missed**` : `${bound} ×`
		];
	});
	const cells = [['', 'ours', 'peer or limit', 'ratio', 'goal'], ['---', '---', '---', '---', '---'], ...lines];
	const table = cells.map((line) => `| ${line.map(escaped).join(' | ')} |`).join('\n');
	const list = notes.map((note, index) => `${index + 1}. ${escaped(note)}`).join('\n');
	return [...places(rows), table, ...(list === '' ? [] : [list])].join('\n\n');
}

/** Machines and days of the rows; several if a part was measured again. */
function places(rows: readonly DatedRow[]): string[] {
	return [...new Set(rows.map(({ machine, date }) => `${date.slice(0, 10)}, ${machine}.`))];
}

/** Escapes text for a cell or an item, with emphasis in this project's style. */
const escaped = (text: string): string =>
	text
		.replaceAll('|', '\\|')
		.replaceAll('\n', ' ')
		.replaceAll(/(?<!\*)\*([^*]+)\*(?!\*)/g, '_$1_');
