import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { absolutePath, displayPath, existingPath } from './paths.ts';

const schema = z.object({
	pattern: z.string().min(1).describe('A glob, e.g. "**/*.ts"; it matches the path from the directory.'),
	path: z.string().optional().describe('Where to look; the working directory otherwise.'),
	max_results: z.number().int().min(1).optional().describe('Files to list. Default 100.')
});

/** Finds files by name, newest first. */
export const glob: Tool<typeof schema> = {
	name: 'glob',
	description:
		'Lists files whose path matches a glob, newest first, leaving out what .gitignore names. Hidden files are included.',
	schema,
	access: 'read',
	async execute({ pattern, path, max_results }, context) {
		const { environment } = context;
		const max = max_results ?? 100;
		// A pattern may be absolute: its fixed beginning is the directory.
		const fixed = /^(\/(?:[^/*?[{]+\/)*)(.*)$/.exec(pattern);
		const base = fixed?.[1] ?? (path === undefined ? '.' : await existingPath(environment, path));
		const found = await environment.glob(fixed?.[2] ?? pattern, base === '.' ? base : absolutePath(environment, base));
		context.signal.throwIfAborted();
		const shown = found.slice(0, max).map((file) => displayPath(environment, file));
		const left = found.length - shown.length;
		const details = { pattern, resultCount: found.length, truncated: left > 0 };
		if (shown.length === 0) return { content: 'No files found', details, isError: false };
		const notice =
			left > 0 ? `\n[${shown.length} of ${found.length} files shown. Narrow the pattern or the path.]` : '';
		return { content: shown.join('\n') + notice, details, isError: false };
	}
};
