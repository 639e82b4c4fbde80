import type { FileReport, FileResult, TestOutcome } from '../result.ts';

/** Prints events in the style of one tool. */
export interface Report {
	/** Called before anything runs. @param notes complete sentences */
	begin(notes: string[]): void;
	/** Called if no file is a test. */
	nothing(include: string[], filters: string[]): void;
	/** Called after a file was run. */
	file(report: FileReport): void;
	end(reports: FileReport[], durationMs: number): void;
}

export interface ReportOptions {
	print(text: string): void;
	colours: boolean;
	root: string;
	verbose: boolean;
	/** Reason why the tool itself does not run. */
	why: string;
}

type Paint = (text: string) => string;

export function palette(colours: boolean): Record<'red' | 'green' | 'yellow' | 'grey' | 'bold', Paint> {
	const paint =
		(open: number, close: number): Paint =>
		(text) =>
			colours ? `\x1b[${open}m${text}\x1b[${close}m` : text;
	return { red: paint(31, 39), green: paint(32, 39), yellow: paint(33, 39), grey: paint(90, 39), bold: paint(1, 22) };
}

export function count(tests: TestOutcome[], state: TestOutcome['state']): number {
	return tests.filter((test) => test.state === state).length;
}

export function hasFailed({ tests, failures }: FileResult): boolean {
	return failures.length > 0 || count(tests, 'fail') > 0;
}

/** `file:line:column` of the first stack frame in the project. */
export function placeOf(stack: string, root: string): string | null {
	for (const line of stack.split('\n')) {
		const found = /(?:file:\/\/)?(\/[^\s():]+):(\d+):(\d+)/.exec(line);
		const file = found?.[1];
		if (file?.startsWith(`${root}/`) && !file.includes('/node_modules/'))
			return `${file.slice(root.length + 1)}:${found?.[2]}:${found?.[3]}`;
	}
	return null;
}

export function time(ms: number): string {
	return ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(2)}s`;
}
