import { z } from 'zod';
import { geminiPrompt } from '../prompt/base-gemini.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding, ToolResult } from '../tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { closeAgent } from '../tools/close-agent.ts';
import { editFile } from '../tools/edit-file.ts';
import { glob } from '../tools/glob.ts';
import { grep } from '../tools/grep.ts';
import { listDirectory } from '../tools/list-directory.ts';
import { listProcesses } from '../tools/list-processes.ts';
import { createReadFile } from '../tools/read-file.ts';
import { readManyFiles } from '../tools/read-many-files.ts';
import { preview } from '../tools/preview.ts';
import { sendInput } from '../tools/send-input.ts';
import { shellInput } from '../tools/shell-input.ts';
import { shell, shellDescription } from '../tools/shell.ts';
import { AGENT_WITH_RESULT, spawnAgent } from '../tools/spawn-agent.ts';
import { todo } from '../tools/todo.ts';
import { wait } from '../tools/wait.ts';
import { writeFile } from '../tools/write-file.ts';
import { bind } from './bind.ts';
import type { ProfileOptions } from './options.ts';
import { makeProfile } from './profile.ts';

const line = z.number().int().min(1);
const count = z.number().int().min(0);

const grepSchema = z.object({
	pattern: z.string().min(1).describe('A regular expression.'),
	dir_path: z.string().optional().describe('Where to look; the working directory otherwise.'),
	include_pattern: z.string().optional().describe('Only files that match this glob.'),
	exclude_pattern: z.string().optional().describe('Leave out files that match this glob.'),
	names_only: z.boolean().optional().describe('Only the paths.'),
	case_sensitive: z.boolean().optional().describe('Off by default.'),
	fixed_strings: z.boolean().optional().describe('The pattern is plain text.'),
	context: count.optional(),
	before: count.optional(),
	after: count.optional(),
	total_max_matches: line.optional().describe('Rows to return; 100 by default.')
});

const listSchema = z.object({
	dir_path: z.string().min(1).describe('The directory.'),
	ignore: z.array(z.string()).optional().describe('Globs of names to leave out.'),
	depth: z.number().int().min(1).max(10).optional().describe('1, the default, is the directory itself.')
});

const readSchema = z.object({
	file_path: z.string().min(1).describe('The file to read.'),
	start_line: line.optional().describe('First line, counted from 1.'),
	end_line: line.optional().describe('Last line.')
});

const manySchema = z.object({ include: z.array(z.string().min(1)).min(1).describe('Paths or globs.') });

const agentSchema = z.object({
	agent_name: z.string().optional().describe('Name shown to the user.'),
	prompt: z.string().min(1).describe('The complete task: it does not see this conversation.'),
	dir_path: z.string().optional().describe('Subdirectory to work in.'),
	model: z.string().optional().describe('A model other than yours.'),
	max_turns: count.optional().describe('Maximum number of turns.'),
	on_copy: z.boolean().optional().describe('Work on a copy; its changes are merged at the end.'),
	is_background: z
		.boolean()
		.optional()
		.describe('Return its id at once. Get its result with read_agent_output before you finish, which stops it.')
});

const agentId = z.string().min(1).describe('The agent.');

const agentOutputSchema = z.object({
	agent_ids: z.array(agentId).min(1).describe('The agents; returns as soon as one of them is done.'),
	delay_ms: count.max(3_600_000).optional().describe('Maximum time to wait, in milliseconds.')
});

const globSchema = z.object({
	pattern: z.string().min(1).describe('A glob, e.g. "src/**/*.ts".'),
	dir_path: z.string().optional().describe('Where to look; the working directory otherwise.')
});

const outputSchema = z.object({
	pid: z.number().int().describe('The number of the background process.'),
	delay_ms: count.optional().describe('How long to wait for output.')
});

const todoSchema = z.object({
	todos: z.array(z.object({ description: z.string().min(1), status: z.enum(['pending', 'in_progress', 'completed']) }))
});

const replaceSchema = z.object({
	file_path: z.string().min(1).describe('The file to change.'),
	instruction: z.string().optional().describe('What the change is for, in a sentence.'),
	old_string: z.string().describe('The exact text to replace, with lines around it that make it unique.'),
	new_string: z.string().describe('What to put there.'),
	allow_multiple: z.boolean().optional().describe('Replace every occurrence.')
});

const shellSchema = z.object({
	command: z.string().min(1).describe('The command; bash runs it.'),
	description: z.string().optional().describe('What it does, in a sentence.'),
	dir_path: z.string().optional().describe('Where to run it; the working directory otherwise.'),
	is_background: z.boolean().optional().describe('Return at once and let it run.')
});

const neutralGrep = (args: z.infer<typeof grepSchema>) => ({
	pattern: args.pattern,
	path: args.dir_path,
	glob_filter: args.include_pattern,
	exclude: args.exclude_pattern,
	output_mode: args.names_only ? ('files_with_matches' as const) : ('content' as const),
	case_insensitive: !args.case_sensitive,
	literal: args.fixed_strings,
	before: args.before ?? args.context,
	after: args.after ?? args.context,
	max_results: args.total_max_matches
});

/** Gemini continues reading by line numbers instead of an offset. */
function withLineParameters(result: ToolResult): ToolResult {
	const content = result.content.replace(/Use offset=(\d+) to continue\.\]$/, 'Use start_line=$1 to continue.]');
	return { ...result, content };
}

/**
 * Tools that Gemini models were trained on, with gemini-cli's names and descriptions; the specification's names are
 * aliases.
 */
export const geminiTools = (): ToolBinding[] => [...fileTools(), ...commandTools(), ...helperTools()];

function fileTools(): ToolBinding[] {
	const pagedRead = createReadFile('read_file', { maxLines: 2_000, maxBytes: 50_000, maxLineCharacters: 2_000 });
	return [
		bind(listDirectory, {
			name: 'list_directory',
			aliases: ['list_dir'],
			schema: listSchema,
			toNeutral: ({ dir_path, ...rest }) => ({ path: dir_path, ...rest })
		}),
		bind(pagedRead, {
			name: 'read_file',
			schema: readSchema,
			toNeutral: ({ file_path, start_line, end_line }) => ({
				file_path,
				offset: start_line,
				limit: end_line === undefined ? undefined : Math.max(1, end_line - (start_line ?? 1) + 1)
			}),
			present: withLineParameters
		}),
		bind(readManyFiles, {
			name: 'read_many_files',
			schema: manySchema,
			toNeutral: ({ include }) => ({ paths: include })
		}),
		bind(grep, {
			name: 'grep_search',
			aliases: ['search_file_content'],
			schema: grepSchema,
			toNeutral: neutralGrep
		}),
		bind(glob, {
			name: 'glob',
			schema: globSchema,
			toNeutral: ({ pattern, dir_path }) => ({ pattern, path: dir_path })
		}),
		bind(editFile, {
			name: 'replace',
			schema: replaceSchema,
			toNeutral: ({ instruction: _, allow_multiple, ...rest }) => ({ ...rest, replace_all: allow_multiple })
		}),
		bind(writeFile, { name: 'write_file' })
	];
}

function commandTools(): ToolBinding[] {
	return [
		bind(shell, {
			name: 'run_shell_command',
			description: shellDescription(
				'Commands have a time limit: run long ones, servers and watchers with is_background.'
			),
			schema: shellSchema,
			parameterNames: { timeout_ms: null },
			toNeutral: ({ dir_path, is_background, ...rest }) => ({
				...rest,
				working_dir: dir_path,
				run_in_background: is_background
			})
		}),
		bind(listProcesses, { name: 'list_background_processes' }),
		bind(shellInput, {
			name: 'read_background_output',
			schema: outputSchema,
			toNeutral: ({ pid, delay_ms }) => ({ session_id: pid, yield_time_ms: delay_ms })
		}),
		bind(todo, {
			name: 'write_todos',
			schema: todoSchema,
			toNeutral: ({ todos }) => ({
				todos: todos.map(({ description, status }) => ({ content: description, status }))
			})
		}),
		bind(preview, { name: 'preview' }),
		bind(askUser, { name: 'ask_user' })
	];
}

/**
 * Helper tools: gemini-cli's own tool, which waits for the helper, and tools for helpers in the background, named after
 * gemini-cli's tools for background commands.
 */
function helperTools(): ToolBinding[] {
	return [
		bind(spawnAgent, {
			name: 'invoke_agent',
			description: AGENT_WITH_RESULT,
			schema: agentSchema,
			toNeutral: ({ prompt, dir_path, model, max_turns, on_copy, is_background }) => ({
				task: prompt,
				working_dir: dir_path,
				model,
				max_turns,
				overlay: on_copy,
				returns_result: !is_background
			})
		}),
		bind(sendInput, {
			name: 'message_agent',
			schema: z.object({ agent_id: agentId, prompt: z.string().min(1).describe('The message.') }),
			toNeutral: ({ agent_id, prompt }) => ({ agent_id, message: prompt })
		}),
		bind(wait, {
			name: 'read_agent_output',
			schema: agentOutputSchema,
			toNeutral: ({ agent_ids, delay_ms }) => ({
				agent_id: agent_ids,
				timeout_ms: delay_ms === undefined ? undefined : Math.max(1, delay_ms)
			})
		}),
		bind(closeAgent, {
			name: 'stop_agent',
			schema: z.object({ agent_id: agentId }),
			toNeutral: (args) => args
		})
	];
}

const HARM_CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'];

export interface GeminiProfileOptions extends ProfileOptions {
	/** Lets the model use Google Search, on Google's servers. Default: false. */
	grounding?: boolean;
}

/** Creates the profile for Gemini models. */
export function createGeminiProfile(options: GeminiProfileOptions): Profile {
	return makeProfile(
		{
			id: 'gemini',
			tools: geminiTools(),
			basePrompt: geminiPrompt,
			instructionFiles: ['GEMINI.md'],
			// At the default threshold, source code triggers the filters by accident.
			providerOptions: {
				safetySettings: HARM_CATEGORIES.map((name) => ({
					category: `HARM_CATEGORY_${name}`,
					threshold: 'BLOCK_ONLY_HIGH'
				})),
				...(options.grounding ? { grounding: true } : {})
			},
			contextWindowTokens: 1_048_576,
			maxOutputTokens: 65_536,
			readBeforeWrite: 'strict'
		},
		options
	);
}
