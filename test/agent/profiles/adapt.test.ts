import { describe, expect, it } from 'vitest';
import type { Profile } from '#agent/profile.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';

type Args = Record<string, unknown>;
/** A call as the model writes it, and the resulting call of the underlying tool. */
type Call = [name: string, written: Args, tool: string, asked: Args];

function check(profile: Profile, [name, written, tool, asked]: Call): void {
	const binding = new ToolRegistry(profile.tools).find(name);
	expect(binding?.tool.name).toBe(tool);
	expect(binding?.adapt?.(written) ?? written).toEqual(asked);
}

const todos = ['pending', 'in_progress', 'completed'];

describe('a call of Claude', () => {
	const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });
	it.each<Call>([
		['Read', { file_path: 'a' }, 'read_file', { file_path: 'a' }],
		['Read', { file_path: 'a', offset: 0, limit: 5 }, 'read_file', { file_path: 'a', offset: 1, limit: 5 }],
		['Read', { file_path: 'a', offset: 7 }, 'read_file', { file_path: 'a', offset: 7 }],
		['Bash', { command: 'ls', timeout: 1_000.4 }, 'shell', { command: 'ls', timeout_ms: 1_000 }],
		[
			'Bash',
			{ command: 'ls', description: 'List', run_in_background: true },
			'shell',
			{ command: 'ls', description: 'List', run_in_background: true }
		],
		['KillShell', { shell_id: '3' }, 'shell_input', { session_id: 3, kill: true }],
		['BashOutput', { bash_id: '3' }, 'shell_input', { session_id: 3 }],
		['BashOutput', { bash_id: 3, chars: 'y\n' }, 'shell_input', { session_id: 3, chars: 'y\n' }],
		['Grep', { pattern: 'a' }, 'grep', { pattern: 'a', output_mode: 'files_with_matches', max_results: 250 }],
		[
			'Grep',
			{
				pattern: 'a',
				path: 'src',
				glob: '*.ts',
				type: 'ts',
				output_mode: 'content',
				'-A': 1,
				'-B': 2,
				'-n': false,
				'-i': true,
				'-o': true,
				multiline: true,
				head_limit: 9,
				offset: 4
			},
			'grep',
			{
				pattern: 'a',
				path: 'src',
				glob_filter: '*.ts',
				type: 'ts',
				output_mode: 'content',
				after: 1,
				before: 2,
				line_numbers: false,
				case_insensitive: true,
				only_matching: true,
				multiline: true,
				max_results: 9,
				skip: 4
			}
		],
		...(['-C', 'context'] as const).map((around): Call => [
			'Grep',
			{ pattern: 'a', output_mode: 'count', [around]: 3, head_limit: 0 },
			'grep',
			{ pattern: 'a', output_mode: 'count', before: 3, after: 3, max_results: 250 }
		]),
		[
			'Grep',
			{ pattern: 'a', '-A': 0, '-B': 1, '-C': 2, context: 3 },
			'grep',
			{ pattern: 'a', output_mode: 'files_with_matches', before: 1, after: 0, max_results: 250 }
		],
		['Glob', { pattern: '*', path: 'src' }, 'glob', { pattern: '*', path: 'src' }],
		[
			'TodoWrite',
			{ todos: todos.map((status) => ({ content: status, status, activeForm: 'Doing' })) },
			'todo',
			{ todos: todos.map((status) => ({ content: status, status })) }
		],
		[
			'AskUserQuestion',
			{
				questions: [
					{
						question: 'Which?',
						header: 'H',
						options: [{ label: 'A', description: 'a' }, { label: 'B' }],
						multiSelect: true
					}
				]
			},
			'ask_user',
			{ question: 'Which?', options: ['A', 'B'], multiple: true }
		],
		['AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'ask_user', { question: 'Which?' }],
		[
			'Agent',
			{ description: 'Look', prompt: 'Look around.', subagent_type: 'general-purpose' },
			'spawn_agent',
			{ task: 'Look around.', returns_result: true }
		],
		[
			'Agent',
			{
				description: 'Look',
				prompt: 'Look around.',
				model: 'm',
				cwd: 'src',
				max_turns: 5,
				isolation: 'worktree',
				run_in_background: true
			},
			'spawn_agent',
			{
				task: 'Look around.',
				model: 'm',
				working_dir: 'src',
				max_turns: 5,
				overlay: true,
				returns_result: false
			}
		],
		['SendMessage', { to: 'a1', message: 'On.' }, 'send_input', { agent_id: 'a1', message: 'On.' }],
		['TaskOutput', { task_id: 'a1' }, 'wait', { agent_id: 'a1' }],
		[
			'TaskOutput',
			{ task_id: ['a1', 'a2'], block: true, timeout: 5 },
			'wait',
			{ agent_id: ['a1', 'a2'], timeout_ms: 5 }
		],
		['TaskOutput', { task_id: 'a1', block: false, timeout: 5 }, 'wait', { agent_id: 'a1', timeout_ms: 1 }],
		['TaskStop', { task_id: 'a1' }, 'close_agent', { agent_id: 'a1' }]
	])('%s %j asks %s for %j', (...call) => check(profile, call));
});

describe('a call of GPT', () => {
	const profile = createOpenAIProfile({ model: 'gpt-5.2-codex' });
	it.each<Call>([
		['exec_command', { cmd: 'ls' }, 'shell', { command: 'ls', yield_time_ms: 10_000 }],
		[
			'exec_command',
			{ cmd: 'ls', workdir: 'src', yield_time_ms: 1.6 },
			'shell',
			{ command: 'ls', working_dir: 'src', yield_time_ms: 2 }
		],
		['write_stdin', { session_id: 1 }, 'shell_input', { session_id: 1 }],
		[
			'write_stdin',
			{ session_id: 1, chars: 'y', yield_time_ms: 10.4 },
			'shell_input',
			{ session_id: 1, chars: 'y', yield_time_ms: 10 }
		],
		['apply_patch', { input: '*** Begin' }, 'apply_patch', { patch: '*** Begin' }],
		['apply_patch', { patch: '*** Begin' }, 'apply_patch', { patch: '*** Begin' }],
		['grep_files', { pattern: 'a' }, 'grep', { pattern: 'a' }],
		[
			'update_plan',
			{ explanation: 'Why', plan: todos.map((status) => ({ step: status, status })) },
			'todo',
			{ todos: todos.map((status) => ({ content: status, status })) }
		],
		[
			'request_user_input',
			{ questions: [{ id: 'q', header: 'H', question: 'Which?', options: [{ label: 'A', description: 'a' }] }] },
			'ask_user',
			{ question: 'Which?', options: ['A'] }
		],
		['request_user_input', { questions: [{ question: 'Which?' }] }, 'ask_user', { question: 'Which?' }],
		['spawn_agent', { message: 'Look.', model: 'm' }, 'spawn_agent', { task: 'Look.', model: 'm' }],
		['send_input', { target: 'a1', message: 'On.' }, 'send_input', { agent_id: 'a1', message: 'On.' }],
		['wait_agent', { targets: ['a1', 'a2'], timeout_ms: 5 }, 'wait', { agent_id: ['a1', 'a2'], timeout_ms: 5 }],
		['close_agent', { target: 'a1' }, 'close_agent', { agent_id: 'a1' }]
	])('%s %j asks %s for %j', (...call) => check(profile, call));

	it('writes patches in a grammar at OpenAI itself, and as one parameter elsewhere', () => {
		const patchOf = (options: { provider?: string; customTools?: boolean }) =>
			createOpenAIProfile({ model: 'gpt-5.2-codex', ...options }).tools.find(
				({ definition }) => definition.name === 'apply_patch'
			)?.definition;
		expect(patchOf({})?.custom).toMatchObject({
			syntax: 'lark',
			definition: expect.stringContaining('*** Begin Patch')
		});
		expect(patchOf({ provider: 'openai' })?.custom).toBeDefined();
		expect(patchOf({ provider: 'compatible' })?.custom).toBeUndefined();
		expect(patchOf({ provider: 'compatible', customTools: true })?.custom).toBeDefined();
		expect(patchOf({ customTools: false })?.custom).toBeUndefined();
		expect(patchOf({ customTools: false })?.parameters).toEqual({
			type: 'object',
			properties: { patch: { type: 'string', description: expect.stringContaining('*** End Patch') } },
			required: ['patch'],
			additionalProperties: false
		});
	});
});

describe('a call of Gemini', () => {
	const profile = createGeminiProfile({ model: 'gemini-3-pro' });
	const found = { pattern: 'a', output_mode: 'content', case_insensitive: true };
	it.each<Call>([
		[
			'list_directory',
			{ dir_path: 'src', ignore: ['*.js'], depth: 2 },
			'list_directory',
			{ path: 'src', ignore: ['*.js'], depth: 2 }
		],
		['list_dir', { dir_path: 'src' }, 'list_directory', { path: 'src' }],
		['read_file', { file_path: 'a' }, 'read_file', { file_path: 'a' }],
		['read_file', { file_path: 'a', start_line: 5, end_line: 9 }, 'read_file', { file_path: 'a', offset: 5, limit: 5 }],
		['read_file', { file_path: 'a', end_line: 9 }, 'read_file', { file_path: 'a', limit: 9 }],
		['read_file', { file_path: 'a', start_line: 9, end_line: 5 }, 'read_file', { file_path: 'a', offset: 9, limit: 1 }],
		['read_many_files', { include: ['a', 'b*'] }, 'read_many_files', { paths: ['a', 'b*'] }],
		['search_file_content', { pattern: 'a' }, 'grep', found],
		[
			'grep_search',
			{
				pattern: 'a',
				dir_path: 'src',
				include_pattern: '*.ts',
				exclude_pattern: '*.d.ts',
				names_only: true,
				case_sensitive: true,
				fixed_strings: true,
				context: 3,
				total_max_matches: 7
			},
			'grep',
			{
				pattern: 'a',
				path: 'src',
				glob_filter: '*.ts',
				exclude: '*.d.ts',
				output_mode: 'files_with_matches',
				case_insensitive: false,
				literal: true,
				before: 3,
				after: 3,
				max_results: 7
			}
		],
		['grep_search', { pattern: 'a', context: 3, before: 0, after: 1 }, 'grep', { ...found, before: 0, after: 1 }],
		['glob', { pattern: '*', dir_path: 'src' }, 'glob', { pattern: '*', path: 'src' }],
		[
			'replace',
			{ file_path: 'a', instruction: 'Mend', old_string: 'x', new_string: 'y', allow_multiple: true },
			'edit_file',
			{ file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }
		],
		[
			'run_shell_command',
			{ command: 'ls', description: 'List', dir_path: 'src', is_background: true },
			'shell',
			{ command: 'ls', description: 'List', working_dir: 'src', run_in_background: true }
		],
		['read_background_output', { pid: 3, delay_ms: 5 }, 'shell_input', { session_id: 3, yield_time_ms: 5 }],
		[
			'write_todos',
			{ todos: todos.map((status) => ({ description: status, status })) },
			'todo',
			{ todos: todos.map((status) => ({ content: status, status })) }
		],
		['invoke_agent', { agent_name: 'Scout', prompt: 'Look.' }, 'spawn_agent', { task: 'Look.', returns_result: true }],
		[
			'invoke_agent',
			{ prompt: 'Look.', dir_path: 'src', model: 'm', max_turns: 5, on_copy: true, is_background: true },
			'spawn_agent',
			{ task: 'Look.', working_dir: 'src', model: 'm', max_turns: 5, overlay: true, returns_result: false }
		],
		['message_agent', { agent_id: 'a1', prompt: 'On.' }, 'send_input', { agent_id: 'a1', message: 'On.' }],
		['read_agent_output', { agent_ids: ['a1'] }, 'wait', { agent_id: ['a1'] }],
		['read_agent_output', { agent_ids: ['a1'], delay_ms: 0 }, 'wait', { agent_id: ['a1'], timeout_ms: 1 }],
		['stop_agent', { agent_id: 'a1' }, 'close_agent', { agent_id: 'a1' }]
	])('%s %j asks %s for %j', (...call) => check(profile, call));
});

describe('a call of any other model', () => {
	const profile = createPiProfile({ model: 'any' });
	const edits = [{ old_string: 'x', new_string: 'y' }];
	it.each<Call>([
		['read', { path: 'a', offset: 2, limit: 3 }, 'read_page', { file_path: 'a', offset: 2, limit: 3 }],
		['read_file', { path: 'a' }, 'read_page', { file_path: 'a' }],
		['write', { path: 'a', content: 'x' }, 'write_file', { file_path: 'a', content: 'x' }],
		['edit', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }, 'multi_edit', { file_path: 'a', edits }],
		['edit', { path: 'a', oldText: 'x', newText: 'y' }, 'multi_edit', { file_path: 'a', edits }],
		['edit_file', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] }, 'multi_edit', { file_path: 'a', edits }],
		['bash', { command: 'ls', timeout: 5 }, 'shell_tail', { command: 'ls', timeout: 5 }],
		['shell', { command: 'ls' }, 'shell_tail', { command: 'ls' }],
		['glob', { pattern: '*' }, 'find', { pattern: '*' }],
		['list_directory', { path: 'a' }, 'ls', { path: 'a' }]
	])('%s %j asks %s for %j', (...call) => check(profile, call));

	it('of a preset has its tools and no others', () => {
		const names = (preset?: 'default' | 'minimal' | 'readonly') =>
			createPiProfile({ model: 'any', ...(preset ? { preset } : {}) }).tools.map(({ definition }) => definition.name);
		expect(names()).toEqual(['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls']);
		expect(names('default')).toEqual(names());
		expect(names('minimal')).toEqual(['read', 'write', 'edit', 'bash']);
		expect(names('readonly')).toEqual(['read', 'grep', 'find', 'ls']);
	});
});

it('starts each family from its own limits, files and rules, where nothing else is known', () => {
	const facts = ({
		id,
		provider,
		instructionFiles,
		contextWindowTokens,
		maxOutputTokens,
		readBeforeWrite,
		...rest
	}: Profile) => ({
		id,
		provider,
		instructionFiles,
		contextWindowTokens,
		maxOutputTokens,
		readBeforeWrite,
		timeout: rest.defaultCommandTimeoutMs,
		sees: [rest.supportsImages, rest.supportsReasoning, rest.supportsStreaming, rest.supportsParallelToolCalls],
		options: rest.providerOptions()
	});
	const sees = [true, true, true, true];
	expect(facts(createAnthropicProfile({ model: 'unknown' }))).toEqual({
		id: 'anthropic',
		provider: 'anthropic',
		instructionFiles: ['CLAUDE.md'],
		contextWindowTokens: 200_000,
		maxOutputTokens: 32_000,
		readBeforeWrite: 'strict',
		timeout: 120_000,
		sees,
		options: { betas: ['interleaved-thinking-2025-05-14'] }
	});
	expect(facts(createOpenAIProfile({ model: 'unknown', provider: 'compatible' }))).toEqual({
		id: 'openai',
		provider: 'compatible',
		instructionFiles: ['.codex/instructions.md'],
		contextWindowTokens: 272_000,
		maxOutputTokens: 64_000,
		readBeforeWrite: 'note',
		timeout: undefined,
		sees,
		options: {}
	});
	const categories = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'];
	const safetySettings = categories.map((name) => ({
		category: `HARM_CATEGORY_${name}`,
		threshold: 'BLOCK_ONLY_HIGH'
	}));
	expect(facts(createGeminiProfile({ model: 'unknown' }))).toEqual({
		id: 'gemini',
		provider: 'gemini',
		instructionFiles: ['GEMINI.md'],
		contextWindowTokens: 1_048_576,
		maxOutputTokens: 65_536,
		readBeforeWrite: 'strict',
		timeout: undefined,
		sees,
		options: { safetySettings }
	});
	expect(createGeminiProfile({ model: 'unknown', grounding: true }).providerOptions()).toEqual({
		safetySettings,
		grounding: true
	});
	expect(facts(createPiProfile({ model: 'unknown' }))).toEqual({
		id: 'pi',
		provider: 'pi',
		instructionFiles: ['CLAUDE.md'],
		contextWindowTokens: 128_000,
		maxOutputTokens: 16_384,
		readBeforeWrite: 'strict',
		timeout: undefined,
		sees,
		options: {}
	});
});
