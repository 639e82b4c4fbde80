import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { byteLength, formatSize, PI_PAGE } from './page.ts';
import { existingPath } from './paths.ts';

const schema = z.object({
	pattern: z.string().min(1).describe('A glob, e.g. "*.ts" anywhere below, or "src/**/*.test.ts".'),
	path: z.string().optional().describe('Where to look; the working directory otherwise.'),
	limit: z.number().int().min(1).optional().describe('Files to list. Default 1000.')
});

/**
 * Finds files by name, relative to the searched directory, for the generic profile. A pattern without a slash matches
 * at any depth.
 */
export const find: Tool<typeof schema> = {
	name: 'find',
	description:
		'Lists files whose name or path matches a glob, leaving out what .gitignore names. Hidden files are included; links are listed and not followed.',
	schema,
	access: 'read',
	async execute({ pattern, path, limit }, context) {
		const { environment } = context;
		const max = limit ?? 1_000;
		const base = path === undefined ? environment.workingDirectory() : await existingPath(environment, path);
		const found = await environment.glob(pattern.includes('/') ? pattern : `**/${pattern}`, base);
		context.signal.throwIfAborted();
		const prefix = base.startsWith('~') ? '' : `${base}/`;
		let bytes = 0;
		const shown = found
			.slice(0, max)
			.map((file) => (prefix && file.startsWith(prefix) ? file.slice(prefix.length) : file))
			.filter((file) => (bytes += byteLength(file) + 1) <= PI_PAGE.maxBytes);
		const notices = [
			...(found.length > max ? [`${max} results limit reached. Use limit=${max * 2} for more, or refine pattern`] : []),
			...(bytes > PI_PAGE.maxBytes ? [`${formatSize(PI_PAGE.maxBytes)} limit reached`] : [])
		];
		const details = { pattern, resultCount: shown.length, truncated: notices.length > 0 };
		if (shown.length === 0) return { content: 'No files found matching pattern', details, isError: false };
		const tail = notices.length ? `\n\n[${notices.join('. ')}]` : '';
		return { content: shown.join('\n') + tail, details, isError: false };
	}
};
