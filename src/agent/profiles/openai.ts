import { z } from 'zod';
import { openaiPrompt } from '../prompt/base-openai.ts';
import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';
import { createApplyPatch } from '../tools/apply-patch/tool.ts';
import { askUser } from '../tools/ask-user.ts';
import { closeAgent } from '../tools/close-agent.ts';
import { glob } from '../tools/glob.ts';
import { grep } from '../tools/grep.ts';
import { preview } from '../tools/preview.ts';
import { readFile } from '../tools/read-file.ts';
import { sendInput } from '../tools/send-input.ts';
import { shellInput } from '../tools/shell-input.ts';
import { shell, shellDescription } from '../tools/shell.ts';
import { spawnAgent } from '../tools/spawn-agent.ts';
import { todo } from '../tools/todo.ts';
import { wait } from '../tools/wait.ts';
import { writeFile } from '../tools/write-file.ts';
import { bind } from './bind.ts';
import { withLineNumbers } from './line-numbers.ts';
import type { ProfileOptions } from './options.ts';
import { PATCH_GRAMMAR } from './patch-grammar.ts';
import { makeProfile } from './profile.ts';

const execSchema = z.object({
	cmd: z.string().min(1).describe('The command; bash runs it.'),
	workdir: z.string().optional().describe('Where to run it; the working directory otherwise.'),
	yield_time_ms: z
		.number()
		.min(0)
		.optional()
		.describe('A command still running then continues in the background. Default 10000.')
});

const stdinSchema = z.object({
	session_id: z.number().int().describe('The number of the background process.'),
	chars: z.string().optional().describe('What to write; empty only reads. \\u0003 interrupts it.'),
	yield_time_ms: z.number().min(0).optional().describe('How long to wait for output.')
});

const planSchema = z.object({
	explanation: z.string().optional(),
	plan: z.array(z.object({ step: z.string().min(1), status: z.enum(['pending', 'in_progress', 'completed']) }))
});

const askSchema = z.object({
	questions: z
		.array(
			z.object({
				id: z.string().optional(),
				header: z.string().optional(),
				question: z.string().min(1),
				options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional()
			})
		)
		.min(1)
		.max(1)
		.describe('One question.')
});

const target = z.string().min(1).describe('The agent.');

export interface OpenAIProfileOptions extends ProfileOptions {
	/**
	 * Enables free-form tools with a grammar; a compatible server usually lacks them. Default: true only for OpenAI
	 * itself.
	 */
	customTools?: boolean;
}

/** Tools that GPT models were trained on, with codex's names and descriptions, plus the specification's list. */
export function openaiTools(customTools: boolean): ToolBinding[] {
	return [
		bind(shell, {
			name: 'exec_command',
			description: shellDescription(
				'A command still running after yield_time_ms continues in the background: read its output with write_stdin.'
			),
			schema: execSchema,
			parameterNames: { timeout_ms: null },
			toNeutral: ({ cmd, workdir, yield_time_ms }) => ({
				command: cmd,
				working_dir: workdir,
				yield_time_ms: Math.round(yield_time_ms ?? 10_000)
			})
		}),
		bind(shellInput, {
			name: 'write_stdin',
			schema: stdinSchema,
			toNeutral: ({ yield_time_ms, ...rest }) => ({
				...rest,
				yield_time_ms: yield_time_ms === undefined ? undefined : Math.round(yield_time_ms)
			})
		}),
		bind(createApplyPatch({ addExisting: 'overwrite' }), {
			name: 'apply_patch',
			schema: z.union([z.object({ input: z.string() }), z.object({ patch: z.string() })]),
			toNeutral: (args) => ({ patch: 'input' in args ? args.input : args.patch }),
			...(customTools ? { custom: { syntax: 'lark' as const, definition: PATCH_GRAMMAR } } : {})
		}),
		bind(readFile, { name: 'read_file', present: withLineNumbers }),
		bind(writeFile, { name: 'write_file' }),
		bind(grep, { name: 'grep', aliases: ['grep_files'] }),
		bind(glob, { name: 'glob' }),
		bind(todo, {
			name: 'update_plan',
			schema: planSchema,
			toNeutral: ({ plan }) => ({ todos: plan.map(({ step, status }) => ({ content: step, status })) })
		}),
		bind(preview, { name: 'preview' }),
		bind(askUser, {
			name: 'request_user_input',
			schema: askSchema,
			toNeutral: ({ questions }) => ({
				question: questions[0]?.question,
				options: questions[0]?.options?.map(({ label }) => label)
			})
		}),
		...codexAgentTools()
	].map((binding) => (binding.definition.name === 'apply_patch' ? withPatchParameters(binding) : binding));
}

/** Helpers in codex's words. */
export function codexAgentTools(): ToolBinding[] {
	return [
		bind(spawnAgent, {
			name: 'spawn_agent',
			schema: z.object({ message: z.string().min(1).describe('The whole task.'), model: z.string().optional() }),
			toNeutral: ({ message, model }) => ({ task: message, model })
		}),
		bind(sendInput, {
			name: 'send_input',
			schema: z.object({ target, message: z.string().min(1) }),
			toNeutral: (args) => ({ agent_id: args.target, message: args.message })
		}),
		bind(wait, {
			name: 'wait_agent',
			schema: z.object({
				targets: z.array(target).min(1).describe('The agents; returns as soon as one of them is done.'),
				timeout_ms: z.number().int().min(1).optional().describe('How long to wait at most.')
			}),
			toNeutral: ({ targets, timeout_ms }) => ({ agent_id: targets, timeout_ms })
		}),
		bind(closeAgent, {
			name: 'close_agent',
			schema: z.object({ target }),
			toNeutral: (args) => ({ agent_id: args.target })
		})
	];
}

/** Gives the patch tool a single JSON parameter, for models without grammar support. */
function withPatchParameters(binding: ToolBinding): ToolBinding {
	const patch = { type: 'string', description: 'The patch, from "*** Begin Patch" to "*** End Patch".' };
	const parameters = { type: 'object', properties: { patch }, required: ['patch'], additionalProperties: false };
	return { ...binding, definition: { ...binding.definition, parameters } };
}

/** Creates the profile for GPT models. */
export function createOpenAIProfile(options: OpenAIProfileOptions): Profile {
	const customTools = options.customTools ?? (options.provider ?? 'openai') === 'openai';
	return makeProfile(
		{
			id: 'openai',
			tools: openaiTools(customTools),
			basePrompt: openaiPrompt,
			instructionFiles: ['.codex/instructions.md'],
			providerOptions: {},
			contextWindowTokens: 272_000,
			maxOutputTokens: 64_000,
			// These models read through the shell, so it is unknown which files they have seen.
			readBeforeWrite: 'note'
		},
		options
	);
}
