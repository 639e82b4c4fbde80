import streams from '../../modules/stream.ts';
import type { StreamEvent } from '../stream-events.ts';

interface Counted {
	line: number;
	count: number;
}
interface FileSummary {
	path: string;
	functions: (Counted & { name: string })[];
	branches: Counted[];
	lines: Counted[];
	totalFunctionCount: number;
	coveredFunctionCount: number;
	totalBranchCount: number;
	coveredBranchCount: number;
	totalLineCount: number;
	coveredLineCount: number;
}

/** `lcov`: transforms events of coverage into records of lcov, and leaves out all others. */
export class LcovReporter extends streams.Transform {
	constructor(options: object = {}) {
		super({ ...options, writableObjectMode: true });
	}

	override _transform(
		{ type, data }: StreamEvent,
		_encoding: string,
		done: (error: null, text?: string) => void
	): void {
		if (type !== 'test:coverage') return done(null);
		const { files, workingDirectory } = data['summary'] as { files: FileSummary[]; workingDirectory: string };
		done(null, `TN:\n${files.map((file) => recordOf(file, workingDirectory)).join('')}`);
	}
}

function recordOf(file: FileSummary, directory: string): string {
	const name = file.path.startsWith(`${directory}/`) ? file.path.slice(directory.length + 1) : file.path;
	const functions = file.functions.map((one, index) => ({ ...one, name: one.name || `anonymous_${index}` }));
	return [
		`SF:${name}`,
		...functions.map(({ line, name: title }) => `FN:${line},${title}`),
		...functions.map(({ count, name: title }) => `FNDA:${count},${title}`),
		`FNF:${file.totalFunctionCount}`,
		`FNH:${file.coveredFunctionCount}`,
		...file.branches.map(({ line, count }, index) => `BRDA:${line},${index},0,${count}`),
		`BRF:${file.totalBranchCount}`,
		`BRH:${file.coveredBranchCount}`,
		...[...file.lines].sort((a, b) => a.line - b.line).map(({ line, count }) => `DA:${line},${count}`),
		`LH:${file.coveredLineCount}`,
		`LF:${file.totalLineCount}`,
		'end_of_record',
		''
	].join('\n');
}
