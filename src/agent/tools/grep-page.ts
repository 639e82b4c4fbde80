import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { byteLength, cutLine, formatSize, PI_PAGE } from './page.ts';
import { existingPath } from './paths.ts';
import { tidyRows } from './search-rows.ts';

const schema = z.object({
	pattern: z.string().min(1).describe('A regular expression, or plain text with literal.'),
	path: z.string().optional().describe('A directory or file; the working directory otherwise.'),
	glob: z.string().optional().describe('Only files that match, e.g. "*.ts".'),
	ignoreCase: z.boolean().optional(),
	literal: z.boolean().optional(),
	context: z.number().int().min(0).optional().describe('Lines to show around each match.'),
	limit: z.number().int().min(1).optional().describe('Matches to return. Default 100.')
});

const MAX_LINE_CHARACTERS = 500;
const ROW = /^(.*?)([:-])(\d+)\2(.*)$/s;

/**
 * Searches files for the generic profile: `path:line: text`, limited in three ways, each with its own notice (003
 * §3.5).
 */
export const grepPage: Tool<typeof schema> = {
	name: 'grep_page',
	description:
		'Searches the contents of files, leaving out what .gitignore names. Returns at most 100 matches (limit) or 50 KB as "path:line: text".',
	schema,
	access: 'read',
	async execute(args, context) {
		const { environment } = context;
		const limit = args.limit ?? 100;
		const around = args.context ?? 0;
		const path = args.path === undefined ? '.' : await existingPath(environment, args.path);
		const output = await environment.grep(args.pattern, path, {
			caseInsensitive: args.ignoreCase ?? false,
			literal: args.literal ?? false,
			before: around,
			after: around,
			maxLines: (limit + 1) * (2 * around + 2),
			signal: context.signal,
			...(args.glob === undefined ? {} : { globs: [args.glob] })
		});
		context.signal.throwIfAborted();
		const all = tidyRows(environment, output).map((row) => ROW.exec(row));
		const matches = all.filter((row) => row?.[2] === ':').length;
		const rows = matches > limit ? firstMatches(all, limit, around) : all;
		let cutLines = false;
		const lines = rows.map((row) => {
			if (!row) return '--';
			const text = cutLine(row[4] ?? '', MAX_LINE_CHARACTERS);
			cutLines ||= text !== row[4];
			return `${row[1]}${row[2]}${row[3]}${row[2]} ${text}`;
		});
		const { kept, cut } = withinBytes(lines, PI_PAGE.maxBytes);
		const notices = [
			...(matches > limit
				? [`${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern`]
				: []),
			...(cut ? [`${formatSize(PI_PAGE.maxBytes)} limit reached`] : []),
			...(cutLines ? [`Some lines truncated to ${MAX_LINE_CHARACTERS} chars. Use read tool to see full lines`] : [])
		];
		const files = new Set(rows.flatMap((row) => (row ? [row[1]] : []))).size;
		const details = {
			pattern: args.pattern,
			matchCount: Math.min(matches, limit),
			fileCount: files,
			truncated: notices.length > 0
		};
		if (matches === 0) return { content: 'No matches found', details, isError: false };
		const tail = notices.length ? `\n\n[${notices.join('. ')}]` : '';
		return { content: kept.join('\n') + tail, details, isError: false };
	}
};

type Row = RegExpExecArray | null;

function firstMatches(rows: Row[], limit: number, around: number): Row[] {
	let seen = 0;
	const end = rows.findIndex((row) => row?.[2] === ':' && ++seen > limit);
	let last = end - 1;
	while (last > 0 && rows[last]?.[2] !== ':') last--;
	return rows
		.slice(0, Math.min(end, last + around + 1))
		.filter((row, index, kept) => row !== null || index < kept.length - 1);
}

function withinBytes(lines: string[], maxBytes: number): { kept: string[]; cut: boolean } {
	let bytes = 0;
	const end = lines.findIndex((line) => (bytes += byteLength(line) + 1) > maxBytes);
	return end === -1 ? { kept: lines, cut: false } : { kept: lines.slice(0, end), cut: true };
}
