import * as z from 'zod/mini';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { shellWord } from '#environment/shell-word.ts';

export interface FindQuery {
	pattern: string;
	matchCase: boolean;
	wholeWord: boolean;
	regex: boolean;
	/** Globs separated by commas or spaces; empty: all files. */
	include: string;
}

/** A line with matches. */
export interface FoundLine {
	/** 1-based. */
	line: number;
	/** Without its line ending. */
	text: string;
	/** Matches in `text`, in UTF-16 units. */
	ranges: readonly (readonly [from: number, to: number])[];
}

export interface FoundFile {
	/** Relative to the working directory. */
	path: string;
	lines: readonly FoundLine[];
}

/** Outcome of a search. */
export interface FindEnd {
	/** True if results were omitted because there are too many. */
	isLimited: boolean;
	/** ripgrep's reason for rejecting the pattern. */
	failure: string | null;
}

/** Lines after which a search stops. */
export const MOST_LINES = 2_000;

const Text = z.object({ text: z.string() });
const Match = z.object({
	type: z.literal('match'),
	data: z.object({
		path: Text,
		lines: Text,
		line_number: z.int(),
		submatches: z.array(z.object({ start: z.int(), end: z.int() }))
	})
});

/** Command of a search: ripgrep with one JSON message per line. */
export function searchCommand({ pattern, matchCase, wholeWord, regex, include }: FindQuery): string {
	const globs = include.split(/[\s,]+/).filter(Boolean);
	const args = [
		'rg',
		'--json',
		'--sort=path',
		matchCase ? '--case-sensitive' : '--ignore-case',
		...(wholeWord ? ['--word-regexp'] : []),
		...(regex ? [] : ['--fixed-strings']),
		...(globs.length === 0 ? ['--glob=!**/node_modules/**'] : globs.map((glob) => `--glob=${glob}`)),
		`--regexp=${pattern}`,
		'--',
		'.'
	];
	return args.map(shellWord).join(' ');
}

/**
 * Searches the project's files with ripgrep.
 *
 * @param onFound called as results arrive, with all matching lines of a file so far
 */
export async function search(
	environment: ExecutionEnvironment,
	query: FindQuery,
	onFound: (file: FoundFile) => void,
	signal: AbortSignal
): Promise<FindEnd> {
	const enough = new AbortController();
	let found = 0;
	let rest = '';
	let file: { path: string; lines: FoundLine[] } | null = null;
	const take = (line: string): void => {
		const match = parseMatch(line);
		if (!match || found >= MOST_LINES) return;
		if (file?.path !== match.path) file = { path: match.path, lines: [] };
		file.lines.push(match.found);
		found++;
		onFound({ path: file.path, lines: [...file.lines] });
		if (found >= MOST_LINES) enough.abort();
	};
	const result = await environment.exec(searchCommand(query), {
		signal: AbortSignal.any([signal, enough.signal]),
		onOutput: ({ stream, data }) => {
			if (stream !== 'stdout' || signal.aborted) return;
			const lines = (rest + data).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) take(line);
		}
	});
	// ripgrep exits with 2 for a pattern it cannot parse, and with 1 if nothing matched.
	const hasFailed = result.exitCode === 2 && found === 0;
	return { isLimited: enough.signal.aborted, failure: hasFailed ? result.stderr.trim() : null };
}

/** Parses one of ripgrep's messages; `null` if it is not a match in a text. */
function parseMatch(line: string): { path: string; found: FoundLine } | null {
	if (!line.startsWith('{"type":"match"')) return null;
	const parsed = z.safeParse(Match, JSON.parse(line));
	if (!parsed.success) return null;
	const { path, lines, line_number, submatches } = parsed.data.data;
	const text = lines.text.replace(/\r?\n$/, '');
	const unitAt = unitsByByte(text);
	const ranges = submatches.map(({ start, end }) => [unitAt(start), unitAt(end)] as const);
	return { path: path.text.replace(/^\.\//, ''), found: { line: line_number, text, ranges } };
}

/** Converts offsets in UTF-8 bytes to UTF-16 units. */
function unitsByByte(text: string): (bytes: number) => number {
	const bytes = new TextEncoder().encode(text);
	if (bytes.length === text.length) return (at) => Math.min(at, text.length);
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	return (at) => decoder.decode(bytes.subarray(0, at)).length;
}
