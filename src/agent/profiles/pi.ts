import { z } from 'zod';
import { piPrompt } from '../prompt/base-pi.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';
import { editFileMany } from '../tools/edit-file.ts';
import { find } from '../tools/find.ts';
import { grepPage } from '../tools/grep-page.ts';
import { ls } from '../tools/ls.ts';
import { PI_PAGE } from '../tools/page.ts';
import { TOOL_PRESETS, type ToolPreset } from '../tools/presets.ts';
import { createReadFile } from '../tools/read-file.ts';
import { shellTail } from '../tools/shell-tail.ts';
import { writeFile } from '../tools/write-file.ts';
import { bind } from './bind.ts';
import type { ProfileOptions } from './options.ts';
import { makeProfile } from './profile.ts';

const path = z.string().min(1);

const pair = z.object({
	oldText: z.string().describe('The exact text to replace; it must occur once.'),
	newText: z.string().describe('What to put there.')
});

const editSchema = z.object({
	path: path.describe('The file to change.'),
	edits: z.array(pair).min(1).describe('Matched against the file as it is now; they must not overlap.')
});
const flatEditSchema = pair.extend({ path });

/** The seven tools of the generic profile (003 §3.1). */
export function piTools(): ToolBinding[] {
	const edit = bind(editFileMany, {
		name: 'edit',
		aliases: ['edit_file'],
		schema: editSchema,
		toNeutral: (args) => ({
			file_path: args.path,
			edits: args.edits.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }))
		})
	});
	const { adapt } = edit;
	return [
		bind(createReadFile('read_page', PI_PAGE), {
			name: 'read',
			aliases: ['read_file'],
			schema: z.object({
				path: path.describe('The file to read.'),
				offset: z.number().int().min(1).optional().describe('First line to read, counted from 1.'),
				limit: z.number().int().min(1).optional().describe('How many lines to read.')
			}),
			toNeutral: ({ path: file_path, ...rest }) => ({ file_path, ...rest })
		}),
		bind(writeFile, {
			name: 'write',
			schema: z.object({
				path: path.describe('The file to write.'),
				content: z.string().describe('The whole content.')
			}),
			toNeutral: ({ path: file_path, content }) => ({ file_path, content })
		}),
		{
			...edit,
			// Some models pass a single edit without the list.
			adapt: (args) => {
				const flat = flatEditSchema.safeParse(args);
				if (!flat.success) return adapt?.(args);
				const { path: file_path, oldText, newText } = flat.data;
				return { file_path, edits: [{ old_string: oldText, new_string: newText }] };
			}
		},
		bind(shellTail, {
			name: 'bash',
			aliases: ['shell'],
			schema: z.object({
				command: z.string().min(1).describe('The command.'),
				timeout: z.number().positive().optional().describe('Time limit in seconds.')
			}),
			toNeutral: (args) => args
		}),
		bind(grepPage, { name: 'grep' }),
		bind(find, { name: 'find', aliases: ['glob'] }),
		bind(ls, { name: 'ls', aliases: ['list_directory'] })
	];
}

export interface PiProfileOptions extends ProfileOptions {
	/** Selects from the seven tools. Default: all. */
	preset?: ToolPreset;
}

/** The generic profile, for models whose own agent's tools are not known. */
export function createPiProfile(options: PiProfileOptions): Profile {
	const active: readonly string[] = TOOL_PRESETS[options.preset ?? 'default'];
	return makeProfile(
		{
			id: 'pi',
			tools: piTools().filter(({ definition }) => active.includes(definition.name)),
			basePrompt: piPrompt,
			instructionFiles: ['CLAUDE.md'],
			providerOptions: {},
			contextWindowTokens: 128_000,
			maxOutputTokens: 16_384,
			readBeforeWrite: 'strict'
		},
		options
	);
}
