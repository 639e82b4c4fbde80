import { z } from 'zod';
import { anthropicPrompt } from '../prompt/base-anthropic.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { closeAgent } from '../tools/close-agent.ts';
import { editFile } from '../tools/edit-file.ts';
import { glob } from '../tools/glob.ts';
import { grep } from '../tools/grep.ts';
import { readFile } from '../tools/read-file.ts';
import { preview } from '../tools/preview.ts';
import { sendInput } from '../tools/send-input.ts';
import { shellInput } from '../tools/shell-input.ts';
import { shell } from '../tools/shell.ts';
import { AGENT_WITH_RESULT, spawnAgent } from '../tools/spawn-agent.ts';
import { todo } from '../tools/todo.ts';
import { wait } from '../tools/wait.ts';
import { writeFile } from '../tools/write-file.ts';
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

const agentId = z.string().min(1).describe('The id of the agent.');

const agentSchema = z.object({
	description: z.string().describe('The task in three to five words.'),
	prompt: z.string().min(1).describe('The complete task: it does not see this conversation.'),
	// These models always name a type; only one exists.
	subagent_type: z.literal('general-purpose').optional().describe('The only type there is.'),
	model: z.string().optional().describe('A model other than yours.'),
	cwd: z.string().optional().describe('Subdirectory to work in.'),
	max_turns: count.optional().describe('Maximum number of turns.'),
	isolation: z.literal('worktree').optional().describe('Work on a copy; its changes are merged at the end.'),
	run_in_background: z
		.boolean()
		.optional()
		.describe('Return its id at once. Get its result with TaskOutput before you finish, which stops it.')
});

const messageSchema = z.object({
	to: agentId,
	message: z.string().min(1).describe('The message; an agent that is done continues with it in the background.')
});

const taskOutputSchema = z.object({
	task_id: z.union([agentId, z.array(agentId).min(1)]).describe('The agent, or several.'),
	block: z.boolean().optional().describe('false checks without waiting.'),
	timeout: z.number().int().min(1).max(3_600_000).optional().describe('Maximum time to wait, in milliseconds.')
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
		...helperTools()
	];
}

/** Helper tools as in Claude Code: one starts a helper, with or without waiting, and three control running helpers. */
function helperTools(): ToolBinding[] {
	return [
		bind(spawnAgent, {
			name: 'Agent',
			description: AGENT_WITH_RESULT,
			schema: agentSchema,
			toNeutral: ({ prompt, model, cwd, max_turns, isolation, run_in_background }) => ({
				task: prompt,
				model,
				working_dir: cwd,
				max_turns,
				overlay: isolation && true,
				returns_result: !run_in_background
			})
		}),
		bind(sendInput, {
			name: 'SendMessage',
			schema: messageSchema,
			toNeutral: ({ to, message }) => ({ agent_id: to, message })
		}),
		bind(wait, {
			name: 'TaskOutput',
			schema: taskOutputSchema,
			toNeutral: ({ task_id, block, timeout }) => ({
				agent_id: task_id,
				timeout_ms: block === false ? 1 : timeout
			})
		}),
		bind(closeAgent, {
			name: 'TaskStop',
			schema: z.object({ task_id: agentId }),
			toNeutral: ({ task_id }) => ({ agent_id: task_id })
		})
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
