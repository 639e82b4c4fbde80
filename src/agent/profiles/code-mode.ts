import { z } from 'zod';
import type { Profile } from '../profile.ts';
import { createExec } from '../code-mode/exec.ts';
import { basePrompt } from '../prompt/sections.ts';
import { askUser } from '../tools/ask-user.ts';
import { preview } from '../tools/preview.ts';
import { shell } from '../tools/shell.ts';
import { todo } from '../tools/todo.ts';
import { bind } from './bind.ts';
import { codexAgentTools, openaiTools, type OpenAIProfileOptions } from './openai.ts';
import { makeProfile } from './profile.ts';

/** Accepts any text; the JavaScript engine checks the syntax. */
const SOURCE_GRAMMAR = 'start: SOURCE\nSOURCE: /[\\s\\S]+/\n';

const codeModePrompt = basePrompt(`
- Your one tool for work is exec: JavaScript that calls tools. Do in one script what belongs together: read, search, change, run, and look at what came of it.
- tools.exec_command({cmd}) gives {output, exit_code}; tools.read_file({file_path}) and the other tools give text, tools.apply_patch(patch) takes the patch itself. A tool that fails throws.
- Only what you hand to text(value) comes back. Hand over what you need to see, not whole files.
- Calls that do not depend on each other go into one Promise.all.
`);

const execSchema = z.object({
	cmd: z.string().min(1).describe('The command; bash runs it.'),
	workdir: z.string().optional().describe('Where to run it; the working directory otherwise.'),
	timeout_ms: z.number().positive().max(600_000).optional().describe('Time limit in milliseconds.')
});

/** A script always waits for a command to end: it cannot use one that continues in the background. */
const execCommand = bind(shell, {
	name: 'exec_command',
	schema: execSchema,
	toNeutral: ({ cmd, workdir, timeout_ms }) => ({
		command: cmd,
		working_dir: workdir,
		timeout_ms: timeout_ms && Math.round(timeout_ms)
	})
});

/** Tools omitted from scripts: a script cannot use background commands or return a preview's pictures. */
const LEFT_OUT = new Set(['exec_command', 'write_stdin', 'preview']);

/** Creates the profile for GPT models trained to write scripts over tools instead of single calls. */
export function createCodeModeProfile(options: OpenAIProfileOptions): Profile {
	const customTools = options.customTools ?? (options.provider ?? 'openai') === 'openai';
	const others = openaiTools(false).filter(
		({ tool, definition }) => tool.access !== 'none' && !LEFT_OUT.has(definition.name)
	);
	return makeProfile(
		{
			id: 'openai',
			tools: [
				bind(createExec([execCommand, ...others]), {
					name: 'exec',
					...(customTools ? { custom: { syntax: 'lark' as const, definition: SOURCE_GRAMMAR } } : {})
				}),
				bind(todo, { name: 'todo' }),
				bind(preview, { name: 'preview' }),
				bind(askUser, { name: 'ask_user' }),
				...codexAgentTools()
			],
			basePrompt: codeModePrompt,
			instructionFiles: ['.codex/instructions.md'],
			providerOptions: {},
			contextWindowTokens: 272_000,
			maxOutputTokens: 64_000,
			defaultCommandTimeoutMs: 120_000,
			readBeforeWrite: 'note'
		},
		options
	);
}
