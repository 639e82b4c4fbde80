import { z } from 'zod';
import { isEnvironmentError } from '#environment/errors.ts';
import type { Tool } from '../tool.ts';
import { byteLength, formatSize, PI_PAGE } from './page.ts';
import { existingPath } from './paths.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	path: z.string().optional().describe('The directory; the working directory otherwise.'),
	limit: z.number().int().min(1).optional().describe('Entries to list. Default 500.')
});

/** Lists a directory, sorted case-insensitively, directories with a slash. */
export const ls: Tool<typeof schema> = {
	name: 'ls',
	description: 'Lists a directory, hidden entries included. Directories end in "/".',
	schema,
	access: 'read',
	async execute({ path, limit }, context) {
		const given = path ?? '.';
		const { environment } = context;
		const max = limit ?? 500;
		const entries = await environment
			.listDirectory(await existingPath(environment, given), 1)
			.catch((error: unknown) => {
				if (isEnvironmentError(error) && error.code === 'ENOENT') throw new ToolError(`Path not found: ${given}`);
				if (isEnvironmentError(error) && error.code === 'ENOTDIR') throw new ToolError(`Not a directory: ${given}`);
				throw error;
			});
		const names = entries
			.map((entry) => (entry.kind === 'directory' ? `${entry.path}/` : entry.path))
			.sort((a, b) => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b));
		const totalSize = entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.size : 0), 0);
		const asked = names.slice(0, max);
		let bytes = -1;
		const shown = asked.filter((name) => (bytes += byteLength(name) + 1) <= PI_PAGE.maxBytes);
		const details = { path: given, entryCount: names.length, totalSize, truncated: shown.length < names.length };
		if (names.length === 0) return { content: '(empty directory)', details, isError: false };
		const left = names.length - asked.length;
		const cut = asked.length - shown.length;
		const notices = [
			...(left > 0 ? [`${max} entries limit reached, ${left} more. Use limit=${max * 2} for more`] : []),
			...(cut > 0 ? [`${formatSize(PI_PAGE.maxBytes)} limit reached, ${cut} names left out. Use find to narrow`] : [])
		];
		const tail = notices.length ? `\n\n[${notices.join('. ')}]` : '';
		return { content: shown.join('\n') + tail, details, isError: false };
	}
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
