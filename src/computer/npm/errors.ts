/** Error that ends npm; `code` and the lines are printed as npm prints them, the last line suggests a next step. */
export class NpmError extends Error {
	override readonly name = 'NpmError';
	readonly lines: string[];

	/** @param code npm's own code if it has one (`E404`, `ETARGET`, `ERESOLVE`, `EUSAGE` …) */
	constructor(
		readonly code: string,
		...lines: string[]
	) {
		super(lines[0]);
		this.lines = lines;
	}
}
