import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { existingPath } from './paths.ts';
import { tidyRows } from './search-rows.ts';

const schema = z.object({
	pattern: z.string().min(1).describe('A regular expression, as ripgrep takes it.'),
	path: z.string().optional().describe('A directory or file; the working directory otherwise.'),
	glob_filter: z.string().optional().describe('Only files that match, e.g. "*.ts".'),
	exclude: z.string().optional().describe('Leave out files that match.'),
	type: z.string().optional().describe('Only files of this ripgrep type, e.g. "py".'),
	case_insensitive: z.boolean().optional(),
	literal: z.boolean().optional().describe('The pattern is plain text.'),
	output_mode: z.enum(['content', 'files_with_matches', 'count']).optional(),
	before: z.number().int().min(0).optional().describe('Lines to show before each match.'),
	after: z.number().int().min(0).optional().describe('Lines to show after each match.'),
	line_numbers: z.boolean().optional(),
	only_matching: z.boolean().optional(),
	multiline: z.boolean().optional().describe('The pattern may span lines.'),
	max_results: z.number().int().min(1).optional().describe('Rows to return. Default 100.'),
	skip: z.number().int().min(0).optional().describe('Rows to leave out first.')
});

/** Searches file contents with ripgrep's semantics. */
export const grep: Tool<typeof schema> = {
	name: 'grep',
	description:
		'Searches the contents of files by regular expression, leaving out what .gitignore names. Returns matching lines with path and line number, or only the paths, or counts.',
	schema,
	access: 'read',
	async execute(args, context) {
		const { environment } = context;
		const max = args.max_results ?? 100;
		const skip = args.skip ?? 0;
		const path = args.path === undefined ? '.' : await existingPath(environment, args.path);
		const globs = [...(args.glob_filter ? [args.glob_filter] : []), ...(args.exclude ? [`!${args.exclude}`] : [])];
		const modes = { content: 'content', files_with_matches: 'files', count: 'count' } as const;
		const output = await environment.grep(args.pattern, path, {
			caseInsensitive: args.case_insensitive ?? false,
			literal: args.literal ?? false,
			output: modes[args.output_mode ?? 'content'],
			before: args.before ?? 0,
			after: args.after ?? 0,
			lineNumbers: args.line_numbers ?? true,
			onlyMatching: args.only_matching ?? false,
			multiline: args.multiline ?? false,
			maxLines: skip + max + 1,
			signal: context.signal,
			...(globs.length ? { globs } : {}),
			...(args.type === undefined ? {} : { type: args.type })
		});
		context.signal.throwIfAborted();
		const rows = tidyRows(environment, output);
		const shown = rows.slice(skip, skip + max);
		const truncated = rows.length > skip + max;
		const files = new Set(shown.map((row) => row.split(/[:-]\d+[:-]/)[0] ?? row)).size;
		const details = { pattern: args.pattern, matchCount: shown.length, fileCount: files, truncated };
		if (shown.length === 0) return { content: 'No matches found', details, isError: false };
		const notice = truncated ? `\n\n[${max} results limit reached. Ask for more of them or refine the pattern.]` : '';
		return { content: shown.join('\n') + notice, details, isError: false };
	}
};
