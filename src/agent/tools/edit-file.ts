import { z } from 'zod';
import { isEnvironmentError } from '#environment/errors.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { ReadLedger } from '../guards/read-ledger.ts';
import { editText, type TextEdit } from './edit-text.ts';
import { describeChange, readOrNull, writeProposed } from './file-change.ts';
import { decodeText, isBinary } from './file-kind.ts';
import { withPathLock } from './path-lock.ts';
import { absolutePath, displayPath, existingPath } from './paths.ts';
import { ToolError } from './result.ts';

const schema = z.object({
	file_path: z.string().min(1).describe('The file to change.'),
	old_string: z.string().describe('The text to replace; it must occur once. Empty: make a new file.'),
	new_string: z.string().describe('What to put there.'),
	replace_all: z.boolean().optional().describe('Replace every occurrence instead of the only one.')
});

/** Replaces one text in a file. An empty old text creates a file that must not exist yet, or fills an empty one. */
export const editFile: Tool<typeof schema> = {
	name: 'edit_file',
	description:
		'Replaces a piece of text in a file. The old text must match the file and occur exactly once, unless every occurrence is to be replaced; take enough lines around it to make it unique. Read the file first.',
	schema,
	access: 'write',
	async execute({ file_path, old_string, new_string, replace_all }, context) {
		return editAt(context, file_path, [{ oldText: old_string, newText: new_string, all: replace_all ?? false }]);
	}
};

const manySchema = z.object({
	file_path: z.string().min(1).describe('The file to change.'),
	edits: z
		.array(z.object({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() }))
		.min(1)
		.describe('Each is matched against the file as it is now; they must not overlap.')
});

/** Applies several edits to one file, all or none. */
export const editFileMany: Tool<typeof manySchema> = {
	name: 'multi_edit',
	description:
		'Replaces several pieces of text in one file, all or none. Each old text must match the file as it is now and occur exactly once; the pieces must not overlap.',
	schema: manySchema,
	access: 'write',
	async execute({ file_path, edits }, context) {
		const changes = edits.map((edit) => ({
			oldText: edit.old_string,
			newText: edit.new_string,
			all: edit.replace_all ?? false
		}));
		return editAt(context, file_path, changes);
	}
};

async function editAt(context: ToolContext, givenPath: string, edits: readonly TextEdit[]): Promise<ToolResult> {
	const { environment } = context;
	const path = await existingPath(environment, givenPath);
	return withPathLock(environment, path, async () => {
		const before = await currentBytes(context, path, givenPath);
		const creates = edits.length === 1 && edits[0]?.oldText === '' && (before === null || before.length === 0);
		if (before === null && !creates)
			throw new ToolError(`File not found: ${givenPath}. Search for the right path, then try again.`);
		if (before && isBinary(before))
			throw new ToolError(`${givenPath} is a binary file and cannot be edited as text. Use a command instead.`);
		const edited = creates
			? { text: edits[0]?.newText ?? '', replacements: 1, fuzzy: false }
			: editText(decodeText(before ?? new Uint8Array()), edits, givenPath);
		const after = new TextEncoder().encode(edited.text);
		const ledger = ReadLedger.of(context.state);
		const shown = displayPath(environment, absolutePath(environment, path));
		const details = { ...describeChange(shown, before, after), replacements: edited.replacements, fuzzy: edited.fuzzy };
		const stale = await writeProposed(
			context,
			path,
			before,
			after,
			`Edit ${shown} (+${details.added} −${details.removed})`,
			!creates && !edited.fuzzy && edits.every(({ oldText, all }) => !all && ledger.wasInShell(oldText))
		);
		const what = before === null ? 'Created' : 'Successfully replaced';
		const count = edited.replacements === 1 ? 'text' : `${edited.replacements} texts`;
		const note = edited.fuzzy ? ' (matched after evening out whitespace, quotes or dashes)' : '';
		return {
			content: before === null ? `${what} ${givenPath}.` : `${what} ${count} in ${givenPath}${note}.${stale}`,
			details,
			isError: false
		};
	});
}

/** Reads the file. The two errors that a model should distinguish have different messages. */
async function currentBytes(context: ToolContext, path: string, givenPath: string): Promise<Uint8Array | null> {
	try {
		return await readOrNull(context, path);
	} catch (error) {
		if (isEnvironmentError(error) && error.code === 'EISDIR')
			throw new ToolError(`Is a directory: ${givenPath}. Give the path of a file.`, { code: 'EISDIR' });
		throw error;
	}
}
