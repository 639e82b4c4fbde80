/** View of a text file besides its source. */
export type ViewKind = 'markdown' | 'svg' | 'table' | 'notebook';

const KINDS: Partial<Record<string, ViewKind>> = {
	md: 'markdown',
	markdown: 'markdown',
	svg: 'svg',
	csv: 'table',
	tsv: 'table',
	ipynb: 'notebook'
};

/** View for a file by its name; `null` if there is only the source. */
export function viewKindOf(path: string): ViewKind | null {
	return KINDS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}
