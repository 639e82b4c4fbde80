import { z } from 'zod';
import type { Tool } from '../tool.ts';
import { absolutePath, displayPath } from './paths.ts';
import { readFile } from './read-file.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	paths: z.array(z.string().min(1)).min(1).max(50).describe('Paths or globs of the files to read.')
});

/** Reads several files; unreadable files are reported, the others are shown. */
export const readManyFiles: Tool<typeof schema> = {
	name: 'read_many_files',
	description: 'Reads several files at once, given by paths or globs, each under a heading with its path.',
	schema,
	access: 'read',
	async execute({ paths }, context) {
		const { environment } = context;
		const files = new Set<string>();
		for (const path of paths) {
			const found = /[*?[{]/.test(path) ? await environment.glob(path, '.') : [path];
			// A glob yields absolute paths: normalized, so that no file is listed twice.
			for (const file of found) files.add(displayPath(environment, absolutePath(environment, file)));
		}
		if (files.size === 0) throw new ToolError('No files match. Look for them with a search first.');
		const parts: string[] = [];
		const images = [];
		let failures = 0;
		for (const file of files) {
			context.signal.throwIfAborted();
			try {
				const result = await readFile.execute({ file_path: file }, context);
				parts.push(`--- ${file} ---\n${result.content}`);
				images.push(...(result.images ?? []));
			} catch (error) {
				failures++;
				parts.push(`--- ${file} ---\n[Could not be read: ${error instanceof Error ? error.message : String(error)}]`);
			}
		}
		const details = { fileCount: files.size, failures };
		return {
			content: parts.join('\n\n'),
			details,
			isError: failures === files.size,
			...(images.length ? { images } : {})
		};
	}
};
