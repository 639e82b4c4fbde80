import Papa from 'papaparse';

/** Maximum rows and columns shown. */
export const MOST_ROWS = 1_000;
const MOST_COLUMNS = 60;

/** Content of a CSV or TSV file. */
interface Table {
	header: readonly string[];
	rows: readonly (readonly string[])[];
	/** True if rows were omitted. */
	isCut: boolean;
}

/** Parses comma- or tab-separated values; Papa Parse detects the delimiter. */
export function parseTable(text: string): Table {
	const { data } = Papa.parse<string[]>(text, { preview: MOST_ROWS + 2, skipEmptyLines: 'greedy' });
	const [header = [], ...rows] = data.map((row) => row.slice(0, MOST_COLUMNS));
	return { header, rows: rows.slice(0, MOST_ROWS), isCut: rows.length > MOST_ROWS };
}
