import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Makes the paths in ripgrep's output relative to the working directory. */
export function tidyRows(environment: ExecutionEnvironment, output: string): string[] {
	const root = `${environment.workingDirectory()}/`;
	const rows = output.split('\n');
	if (rows.at(-1) === '') rows.pop();
	return rows.map((row) => (row.startsWith('./') ? row.slice(2) : row.startsWith(root) ? row.slice(root.length) : row));
}
