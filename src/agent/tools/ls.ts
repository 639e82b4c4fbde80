import { z } from 'zod';
import { isEnvironmentError } from '../../environment/errors.ts';
import type { Tool } from '../tool.ts';
import { existingPath } from './paths.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	path: z.string().optional().describe('The directory; the working directory otherwise.'),
	limit: z.number().int().min(1).optional().describe('Entries to list. Default 500.')
});

/** One directory's entries, sorted without regard to case, directories with a slash. */
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
		const details = { path: given, entryCount: names.length, totalSize, truncated: names.length > max };
		if (names.length === 0) return { content: '(empty directory)', details, isError: false };
		const left = names.length - max;
		const notice = left > 0 ? `\n\n[${max} entries limit reached, ${left} more. Use limit=${max * 2} for more]` : '';
		return { content: names.slice(0, max).join('\n') + notice, details, isError: false };
	}
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
