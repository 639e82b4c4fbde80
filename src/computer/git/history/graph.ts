import type { Revision } from './walk.ts';

/**
 * Draws the lines between commits beside a log, as `git log --graph` does: a column for each line of
 * history. Where git lets lines cross over several columns in rows of their own, this takes one row.
 */
export class Graph {
	/** The commit each column waits for. */
	#columns: string[] = [];
	#width = 0;

	/**
	 * Rows of one commit: one for each line of its text, and those that draw forks and joins.
	 * @param revision with the parents that are drawn
	 * @param separated adds an empty row before it
	 */
	rows({ id, commit }: Revision, lines: readonly string[], separated: boolean): string[] {
		const columns = this.#columns;
		this.#width = 2 * columns.length;
		const rows: string[] = separated ? [this.#row('| '.repeat(columns.length))] : [];
		let at = columns.indexOf(id);
		if (at < 0) at = columns.push(id) - 1;
		const { parents } = commit;
		const before = columns.length;
		const [head = '', ...rest] = lines;
		const added = parents.filter((parent, i) => i > 0 && !columns.includes(parent));
		const headRow = columns.map((_, i) => (i === at ? '* ' : '| ')).join('');
		columns.splice(at, 1, ...parents.slice(0, 1), ...added);
		this.#width = 2 * Math.max(before, columns.length);
		rows.push(this.#row(headRow) + head);
		const drawn: string[] = [];
		if (added.length > 0) {
			drawn.push(`${'| '.repeat(at)}|${'\\ '.repeat(added.length)}${'\\ '.repeat(before - at - 1)}`);
		}
		drawn.push(...this.#joins());
		for (const row of drawn) rows.push(this.#row(row) + (rest.shift() ?? ''));
		for (const line of rest) rows.push(this.#row('| '.repeat(columns.length)) + line);
		return rows;
	}

	#row(text: string): string {
		return text.padEnd(this.#width);
	}

	/** Rows that bring columns together which wait for the same commit: `|/`. */
	#joins(): string[] {
		const rows: string[] = [];
		const columns = this.#columns;
		for (;;) {
			const at = columns.findIndex((id, i) => columns.indexOf(id) < i);
			if (at < 0) return rows;
			const first = columns.indexOf(columns[at]!);
			const right = ' /'.repeat(columns.length - at - 1);
			const between = at - first - 2;
			if (between < 0) rows.push(`${'| '.repeat(first)}|/${right}`);
			else {
				rows.push(`${'| '.repeat(first + 1)}${'|_'.repeat(between)}|/${right}`);
				rows.push(
					`${'| '.repeat(first)}|/${'| '.repeat(between + 1).trimEnd()} ${'| '.repeat(columns.length - at - 1)}`
				);
			}
			columns.splice(at, 1);
		}
	}
}
