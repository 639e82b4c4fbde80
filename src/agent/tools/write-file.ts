import { z } from 'zod';
import { isEnvironmentError } from '#environment/errors.ts';
import type { Tool } from '../tool.ts';
import { describeChange, equalBytes, readOrNull, writeProposed } from './file-change.ts';
import { withPathLock } from './path-lock.ts';
import { absolutePath, displayPath } from './paths.ts';
import { withContentKept } from './refused-content.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	file_path: z.string().min(1).describe('The file to write; missing directories are made.'),
	content: z.string().describe('The whole content.')
});

/** Writes a whole file. Writes nothing if the content is unchanged. */
export const writeFile: Tool<typeof schema> = {
	name: 'write_file',
	description:
		'Writes a whole file, making it and its directories where they are missing. To change a part of an existing file, edit it instead.',
	schema,
	access: 'write',
	async execute({ file_path, content }, context) {
		const { environment } = context;
		const path = absolutePath(environment, file_path);
		return withPathLock(environment, path, async () => {
			const before = await readOrNull(context, path).catch((error: unknown) => {
				if (isEnvironmentError(error) && error.code === 'EISDIR')
					throw new ToolError(`Is a directory: ${file_path}. Give the path of a file.`, { code: 'EISDIR' });
				throw error;
			});
			const after = new TextEncoder().encode(content);
			const shown = displayPath(environment, path);
			const details = { ...describeChange(shown, before, after), bytes: after.length, created: before === null };
			if (before && equalBytes(before, after))
				return { content: `${file_path} has this content already; nothing was written.`, details, isError: false };
			const verb = before === null ? 'Create' : 'Overwrite';
			try {
				await writeProposed(context, path, before, after, `${verb} ${shown} (+${details.added} −${details.removed})`);
			} catch (error) {
				throw await withContentKept(context, content, error);
			}
			return { content: `Successfully wrote ${after.length} bytes to ${file_path}`, details, isError: false };
		});
	}
};
