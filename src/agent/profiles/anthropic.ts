import { z } from 'zod';
import { anthropicPrompt } from '../prompt/base-anthropic.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { editFile } from '../tools/edit-file.ts';
import { glob } from '../tools/glob.ts';
import { grep } from '../tools/grep.ts';
import { readFile } from '../tools/read-file.ts';
import { preview } from '../tools/preview.ts';
import { runAgent } from '../tools/run-agent.ts';
import { shellInput } from '../tools/shell-input.ts';
import { shell } from '../tools/shell.ts';
import { todo } from '../tools/todo.ts';
import { writeFile } from '../tools/write-file.ts';
import { agentTools } from './agent-tools.ts';
import { bind } from './bind.ts';
import { withLineNumbers } from './line-numbers.ts';
import type { ProfileOptions } from './options.ts';
import { makeProfile } from './profile.ts';

const path = z.string().min(1).describe('Absolute path, or relative to the working directory.');
const count = z.number().int().min(0);

const readSchema = z.object({
	file_path: path,
	offset: count.optional().describe('First line to read, counted from 1.'),
	limit: z.number().int().positive().optional().describe('How many lines to read.')
});

const bashSchema = z.object({
	command: z.string().min(1).describe('The command.'),
	timeout: z.number().positive().max(600_000).optional().describe('Milliseconds; 120000 by default, at most 600000.'),
	description: z.string().optional().describe('What it does, in five to ten words.'),
	run_in_background: z.boolean().optional().describe('Return at once; read its output later with BashOutput.')
});

const killSchema = z.object({ shell_id: z.coerce.number().int().describe('The number of the background process.') });

const outputSchema = z.object({
	bash_id: z.coerce.number().int().describe('The number of the background process.'),
	chars: z.string().optional().describe('Text to write to its input first.')
});

const globSchema = z.object({
	pattern: z.string().min(1).describe('A glob, e.g. "**/*.ts".'),
	path: z.string().optional().describe('Where to look; the working directory otherwise.')
});

const grepSchema = z.object({
	pattern: z.string().min(1).describe('A regular expression, as ripgrep takes it.'),
	path: z.string().optional().describe('A file or directory; the working directory otherwise.'),
	glob: z.string().optional().describe('Only files that match, e.g. "*.ts".'),
	output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('files_with_matches by default.'),
	'-A': count.optional().describe('Lines after each match.'),
	'-B': count.optional().describe('Lines before each match.'),
	'-C': count.optional().describe('Lines around each match.'),
	context: count.optional().describe('The same as -C.'),
	'-n': z.boolean().optional().describe('Line numbers; on by default.'),
	'-i': z.boolean().optional().describe('Ignore case.'),
	'-o': z.boolean().optional().describe('Only the matching parts.'),
	type: z.string().optional().describe('Only files of this type, e.g. "js".'),
	head_limit: count.optional().describe('Rows to return; 250 by default.'),
	offset: count.optional().describe('Rows to leave out first.'),
	multiline: z.boolean().optional().describe('The pattern may span lines.')
});

const todoSchema = z.object({
	todos: z.array(
		z.object({
			content: z.string().min(1),
			status: z.enum(['pending', 'in_progress', 'completed']),
			activeForm: z.string().optional().describe('What it is called while it is in progress.')
		})
	)
});

const askSchema = z.object({
	questions: z
		.array(
			z.object({
				question: z.string().min(1),
				header: z.string().optional(),
				options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(),
				multiSelect: z.boolean().optional()
			})
		)
		.min(1)
		.max(1)
		.describe('One question.')
});

/**
 * Tools that Claude models were trained on, with Claude Code's names and descriptions; the specification's names are
 * aliases.
 */
export function anthropicTools(): ToolBinding[] {
	return [
		bind(readFile, {
			name: 'Read',
			schema: readSchema,
			toNeutral: ({ offset, ...rest }) => ({ ...rest, offset: offset === 0 ? 1 : offset }),
			present: withLineNumbers
		}),
		bind(writeFile, { name: 'Write' }),
		bind(editFile, { name: 'Edit' }),
		bind(shell, {
			name: 'Bash',
			schema: bashSchema,
			parameterNames: { timeout_ms: 'timeout' },
			toNeutral: ({ timeout, ...rest }) => ({ ...rest, timeout_ms: timeout && Math.round(timeout) })
		}),
		bind(shellInput, {
			name: 'KillShell',
			description: 'Ends a background process, with everything it started.',
			schema: killSchema,
			toNeutral: ({ shell_id }) => ({ session_id: shell_id, kill: true })
		}),
		bind(shellInput, {
			name: 'BashOutput',
			schema: outputSchema,
			toNeutral: ({ bash_id, chars }) => ({ session_id: bash_id, chars })
		}),
		bind(grep, {
			name: 'Grep',
			schema: grepSchema,
			toNeutral: (args) => ({
				pattern: args.pattern,
				path: args.path,
				glob_filter: args.glob,
				type: args.type,
				output_mode: args.output_mode ?? 'files_with_matches',
				before: args['-B'] ?? args['-C'] ?? args.context,
				after: args['-A'] ?? args['-C'] ?? args.context,
				line_numbers: args['-n'],
				case_insensitive: args['-i'],
				only_matching: args['-o'],
				multiline: args.multiline,
				max_results: args.head_limit || 250,
				skip: args.offset
			})
		}),
		bind(glob, {
			name: 'Glob',
			schema: globSchema,
			toNeutral: (args) => args
		}),
		bind(todo, {
			name: 'TodoWrite',
			schema: todoSchema,
			toNeutral: ({ todos }) => ({ todos: todos.map(({ content, status }) => ({ content, status })) })
		}),
		bind(preview, { name: 'preview' }),
		bind(askUser, {
			name: 'AskUserQuestion',
			schema: askSchema,
			toNeutral: ({ questions }) => ({
				question: questions[0]?.question,
				options: questions[0]?.options?.map(({ label }) => label),
				multiple: questions[0]?.multiSelect
			})
		}),
		bind(runAgent, {
			name: 'Agent',
			schema: z.object({
				description: z.string().describe('The task in three to five words.'),
				prompt: z.string().min(1).describe('The whole task.')
			}),
			toNeutral: ({ prompt }) => ({ task: prompt })
		}),
		...agentTools()
	];
}

/** Creates the profile for Claude models. */
export function createAnthropicProfile(options: ProfileOptions): Profile {
	return makeProfile(
		{
			id: 'anthropic',
			tools: anthropicTools(),
			basePrompt: anthropicPrompt,
			instructionFiles: ['CLAUDE.md'],
			providerOptions: { betas: ['interleaved-thinking-2025-05-14'] },
			contextWindowTokens: 200_000,
			maxOutputTokens: 32_000,
			defaultCommandTimeoutMs: 120_000,
			readBeforeWrite: 'strict'
		},
		options
	);
}
