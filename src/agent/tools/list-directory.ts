import picomatch from 'picomatch';
import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { existingPath } from './paths.ts';

const schema = z.object({
	path: z.string().min(1).describe('The directory.'),
	depth: z.number().int().min(1).max(10).optional().describe('1, the default, is the directory itself.'),
	ignore: z.array(z.string()).optional().describe('Globs of names to leave out.')
});

/** Lists a directory down to a given depth, with the type of each entry. */
export const listDirectory: Tool<typeof schema> = {
	name: 'list_directory',
	description: 'Lists a directory to a depth: directories first marked [DIR], files with their size.',
	schema,
	access: 'read',
	async execute({ path, depth, ignore }, context) {
		const directory = await existingPath(context.environment, path);
		const entries = await context.environment.listDirectory(directory, depth ?? 1);
		const left = ignore?.length ? picomatch(ignore, { dot: true, basename: true }) : () => false;
		const kept = entries.filter((entry) => !entry.path.split('/').some((part) => left(part)));
		const rows = kept
			.sort((a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory'))
			.map((entry) => (entry.kind === 'directory' ? `[DIR] ${entry.path}` : `${entry.path} (${entry.size} bytes)`));
		const details = { path, entryCount: rows.length };
		return { content: rows.length ? rows.join('\n') : '(empty directory)', details, isError: false };
	}
};
