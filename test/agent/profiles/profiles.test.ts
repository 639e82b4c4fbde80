import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { familyOf, profileForModel } from '#agent/profiles/for-model.ts';
import { createCodeModeProfile } from '#agent/profiles/code-mode.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { Profile } from '#agent/profile.ts';
import type { SubagentHost, ToolContext, ToolResult } from '#agent/tool.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

let environment: LocalExecutionEnvironment;
beforeEach(async () => {
	environment = await createTemporary({ confinement: null });
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

function caller(
	profile: Profile,
	overrides: Partial<ToolContext> = {}
): (name: string, args: Record<string, unknown>) => Promise<ToolResult> {
	const registry = new ToolRegistry(profile.tools);
	const { context } = createHarness(environment, overrides);
	return (name, args) => registry.execute({ type: 'tool_call', id: 'c', name, arguments: args }, context);
}

const definitionOf = (profile: Profile, name: string) =>
	profile.tools.find(({ definition }) => definition.name === name)?.definition;

describe('the Anthropic profile', () => {
	const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });

	it('has the tools of its models, with edits by old and new text [9.2-2, S-19]', async () => {
		const names = profile.tools.map(({ definition }) => definition.name);
		expect(names).toEqual(
			expect.arrayContaining([
				'Read',
				'Write',
				'Edit',
				'Bash',
				'Grep',
				'Glob',
				'Agent',
				'SendMessage',
				'TaskOutput',
				'TaskStop'
			])
		);
		expect(names).not.toContain('apply_patch');
		expect(definitionOf(profile, 'Edit')?.parameters).toMatchObject({
			type: 'object',
			required: ['file_path', 'old_string', 'new_string']
		});
		expect(profile.defaultCommandTimeoutMs).toBe(120_000);
		const call = caller(profile);
		await environment.writeFile('a.txt', 'one\r\ntwo\n\nfour\n');
		expect((await call('Read', { file_path: 'a.txt' })).content).toBe('1\tone\n2\ttwo\n3\t\n4\tfour');
		expect((await call('Read', { file_path: 'a.txt', offset: 2, limit: 1 })).content).toBe('2\ttwo');
		await call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' });
		expect(await environment.readFile('a.txt')).toBe('one\r\n2\n\nfour\n');
		expect((await call('Bash', { command: 'echo hi', description: 'Say hi', timeout: 5_000 })).content).toBe('hi\n');
		expect((await call('Grep', { pattern: 'four', '-n': true })).content).toBe('a.txt');
		expect((await call('Grep', { pattern: 'FOUR', '-i': true, output_mode: 'content' })).content).toBe('a.txt:4:four');
		expect((await call('Glob', { pattern: '*.txt' })).content).toBe('a.txt');
	});

	it("answers to the specification's names and parameters too [S-19]", async () => {
		const call = caller(profile);
		await call('write_file', { file_path: 'a.txt', content: 'one\n' });
		await call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: '1' });
		expect((await call('read_file', { file_path: 'a.txt' })).content).toBe('1\t1');
		expect((await call('shell', { command: 'sleep 5', timeout_ms: 200 })).content).toContain('timed out after 200ms');
	});

	it("says what was wrong in the words of the model's own parameters", async () => {
		expect((await caller(profile)('Read', { path: 'a.txt' })).content).toMatch(
			/^Invalid arguments for Read: file_path: /
		);
	});

	it('runs a command in the background, reads and ends it', async () => {
		const call = caller(profile);
		const started = await call('Bash', { command: 'echo up; sleep 60', run_in_background: true });
		expect(started.content).toContain('Process 1 is running');
		expect((await call('BashOutput', { bash_id: '1' })).content).toContain('running');
		expect((await call('KillShell', { shell_id: '1' })).content).toContain('Process 1 exited');
	});

	it('passes beta headers on, and what the host adds', () => {
		expect(profile.providerOptions()).toEqual({ betas: ['interleaved-thinking-2025-05-14'] });
		const own = createAnthropicProfile({ model: 'm', providerOptions: { betas: ['x'], top_k: 1 } });
		expect(own.providerOptions()).toEqual({ betas: ['x'], top_k: 1 });
	});
});

describe('the OpenAI profile', () => {
	const profile = createOpenAIProfile({ model: 'gpt-5.2-codex' });

	it('has the tools of its models, with patches [9.2-1, S-19]', async () => {
		const names = profile.tools.map(({ definition }) => definition.name);
		expect(names).toEqual(
			expect.arrayContaining([
				'exec_command',
				'write_stdin',
				'apply_patch',
				'read_file',
				'write_file',
				'grep',
				'glob',
				'spawn_agent',
				'send_input',
				'wait_agent',
				'close_agent'
			])
		);
		expect(names).not.toContain('Edit');
		expect(definitionOf(profile, 'apply_patch')?.custom).toMatchObject({ syntax: 'lark' });
		const call = caller(profile);
		const input = '*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch';
		expect((await call('apply_patch', { input })).content).toBe('Success. Updated the following files:\nA a.txt\n');
		expect((await call('apply_patch', { patch: input.replace('+one', '+two') })).isError).toBe(false);
		expect(await environment.readFile('a.txt')).toBe('two\n');
		expect((await call('exec_command', { cmd: 'cat a.txt' })).content).toBe('two\n[Process 1 exited with code 0]');
		const slow = await call('exec_command', { cmd: 'cat', yield_time_ms: 50 });
		expect(slow.content).toContain('Process 2 is running');
		let seen = (await call('write_stdin', { session_id: 2, chars: 'echoed\n', yield_time_ms: 300 })).content;
		await vi.waitFor(async () => {
			if (!seen.includes('echoed')) seen += (await call('write_stdin', { session_id: 2, yield_time_ms: 50 })).content;
			expect(seen).toContain('echoed');
		}, 30_000);
		expect((await call('write_stdin', { session_id: 2, chars: '\u0004', yield_time_ms: 5_000 })).content).toContain(
			'exited with code 0'
		);
		expect((await call('shell', { command: 'echo spec' })).content).toBe('spec\n');
	});

	it('shows the patch as a JSON parameter where grammars are not taken', () => {
		const compatible = createOpenAIProfile({ model: 'gpt-5.2', provider: 'compatible-local' });
		const definition = definitionOf(compatible, 'apply_patch');
		expect(definition?.custom).toBeUndefined();
		expect(definition?.parameters).toMatchObject({ required: ['patch'] });
	});
});

describe('the Gemini profile', () => {
	const profile = createGeminiProfile({ model: 'gemini-2.5-pro' });

	it('has the tools of its models [9.2-3, S-19]', async () => {
		const names = profile.tools.map(({ definition }) => definition.name);
		expect(names).toEqual(
			expect.arrayContaining([
				'read_file',
				'read_many_files',
				'write_file',
				'replace',
				'run_shell_command',
				'grep_search',
				'glob',
				'list_directory',
				'invoke_agent',
				'read_agent_output'
			])
		);
		const call = caller(profile);
		await environment.writeFile('src/a.txt', 'one\ntwo\nthree\n');
		expect((await call('read_file', { file_path: 'src/a.txt', start_line: 2, end_line: 2 })).content).toBe(
			'two\n\n[1 more lines in file. Use start_line=3 to continue.]'
		);
		await call('replace', { file_path: 'src/a.txt', instruction: 'x', old_string: 'two', new_string: '2' });
		expect(await environment.readFile('src/a.txt')).toBe('one\n2\nthree\n');
		expect((await call('list_dir', { dir_path: '.', depth: 2 })).content).toBe('[DIR] src\nsrc/a.txt (12 bytes)');
		expect((await call('grep_search', { pattern: 'THREE' })).content).toBe('src/a.txt:3:three');
		expect((await call('read_many_files', { include: ['**/*.txt'] })).content).toContain('three');
		expect((await call('run_shell_command', { command: 'pwd', dir_path: 'src' })).content).toMatch(/\/src\n$/);
	});

	it('sets the safety filters for code', () => {
		expect(profile.providerOptions()).toHaveProperty('safetySettings.length', 4);
	});
});

describe('every profile', () => {
	const profiles = [
		createAnthropicProfile({ model: 'a' }),
		createOpenAIProfile({ model: 'b' }),
		createGeminiProfile({ model: 'c' }),
		createPiProfile({ model: 'd' })
	];
	const parts = { environmentBlock: '', gitSnapshot: '', projectInstructions: '', userInstructions: '', toolNames: [] };

	it.each(profiles)('$id: has a prompt of its own on identity, tools and coding [9.2-4, 9.8-1, A-14]', (profile) => {
		const prompt = profile.buildSystemPrompt(parts);
		expect(prompt).toContain('You are the coding agent');
		expect(prompt).toContain('# Using the tools');
		expect(prompt).toMatch(/Look before you act: read the files/);
		expect(prompt).toMatch(/One edit changes one place/);
		expect(prompt).toMatch(/look at the diff of what you changed/);
		expect(prompt).toMatch(/Do not commit/);
		expect(prompt).toMatch(/Be brief/);
		expect(prompt).toMatch(/belong in one response/);
		expect(prompt).toMatch(/run in the order you give them, commands and edits one by one/);
		expect(prompt).toMatch(/Diagnostics/);
		for (const other of profiles) if (other !== profile) expect(other.basePrompt).not.toBe(profile.basePrompt);
		const named =
			prompt.match(
				/\b(?:Read|Edit|Write|Glob|Grep|Bash|apply_patch|exec_command|replace|grep_search|run_shell_command)\b/g
			) ?? [];
		const known = new ToolRegistry(profile.tools);
		const own = { anthropic: 'Edit', openai: 'apply_patch', gemini: 'replace', pi: 'edit' }[profile.id] ?? '';
		expect(prompt).toContain(own);
		expect(known.find(own)).toBeDefined();
		expect(named.length + Number(profile.id === 'pi')).toBeGreaterThan(0);
	});

	it.each(profiles)('$id: shows parameters that are JSON Schemas of objects [S-17]', (profile) => {
		for (const { definition } of profile.tools) {
			expect([definition.name, definition.parameters['type']]).toEqual([definition.name, 'object']);
			expect(definition.parameters).not.toHaveProperty('$schema');
			expect(definition.description.length).toBeGreaterThan(10);
		}
	});

	it.each(profiles)('$id: takes another prompt and other limits of the host', (profile) => {
		const make = {
			anthropic: createAnthropicProfile,
			openai: createOpenAIProfile,
			gemini: createGeminiProfile,
			pi: createPiProfile
		}[profile.id];
		const own = make?.({
			model: 'm',
			provider: 'p',
			basePrompt: 'Mine.',
			contextWindowTokens: 5,
			readBeforeWrite: 'off'
		});
		expect(own).toMatchObject({ provider: 'p', basePrompt: 'Mine.', contextWindowTokens: 5, readBeforeWrite: 'off' });
		expect(own?.buildSystemPrompt(parts)).toBe('Mine.');
	});

	it.each([...profiles, createCodeModeProfile({ model: 'gpt-6' }), profileForModel('qwen3-coder', 'compatible-local')])(
		'$id ($model): has one set of tools for subagents, in its vendor’s words',
		({ id, model, tools }) => {
			const names = new Map<string, string[]>();
			for (const { tool, definition } of tools)
				if (['spawn_agent', 'send_input', 'wait', 'close_agent'].includes(tool.name))
					names.set(tool.name, [...(names.get(tool.name) ?? []), definition.name]);
			const codex = ['spawn_agent', 'send_input', 'wait_agent', 'close_agent'];
			const own = {
				anthropic: ['Agent', 'SendMessage', 'TaskOutput', 'TaskStop'],
				openai: codex,
				gemini: ['invoke_agent', 'message_agent', 'read_agent_output', 'stop_agent'],
				pi: model === 'd' ? [] : ['spawn_agent', 'send_input', 'wait', 'close_agent']
			}[id];
			expect([...names.values()]).toEqual(own?.map((name) => [name]));
			const registry = new ToolRegistry(tools);
			// The tool names in the specification are accepted from every model that was offered any tools.
			for (const name of names.keys()) expect(registry.find(name)?.tool.name).toBe(name);
		}
	);

	it('starts, messages, waits for and closes subagents', async () => {
		const log: string[] = [];
		const agents: SubagentHost = {
			spawn: ({ task, maxTurns }) => (
				log.push(`spawn ${task} ${maxTurns}`),
				Promise.resolve({ agentId: 'a1', status: 'running' })
			),
			send: (id, message) => (log.push(`send ${id} ${message}`), Promise.resolve('sent')),
			wait: (id) => (log.push(`wait ${id}`), Promise.resolve({ output: 'done', success: true, turns: 3 })),
			anyDone: (ids, timeoutMs) => (log.push(`any of ${ids.join()} ${timeoutMs}`), Promise.resolve([...ids])),
			close: (id) => (log.push(`close ${id}`), Promise.resolve('closed'))
		};
		const claude = caller(profiles[0] ?? createAnthropicProfile({ model: 'a' }), { agents });
		expect((await claude('spawn_agent', { task: 'look', max_turns: 5 })).content).toBe('Agent a1: running');
		await claude('send_input', { agent_id: 'a1', message: 'more' });
		expect(await claude('wait', { agent_id: 'a1' })).toMatchObject({
			isError: false,
			content: 'done\n\n[Agent a1: completed, 3 turns used]'
		});
		await claude('close_agent', { agent_id: 'a1' });
		await claude('Agent', { description: 'x', prompt: 'all of it' });
		const background = { description: 'x', prompt: 'a part', run_in_background: true };
		expect((await claude('Agent', background)).content).toBe('Agent a1: running');
		const gpt = caller(createOpenAIProfile({ model: 'b' }), { agents });
		await gpt('spawn_agent', { message: 'find' });
		await gpt('spawn_agent', { task: 'as specified' });
		await gpt('wait_agent', { targets: ['a1', 'a2'], timeout_ms: 500 });
		await gpt('close_agent', { target: 'a1' });
		expect(log).toEqual([
			'spawn look 5',
			'send a1 more',
			'any of a1 undefined',
			'wait a1',
			'close a1',
			'spawn all of it undefined',
			'any of a1 undefined',
			'wait a1',
			'spawn a part undefined',
			'spawn find undefined',
			'spawn as specified undefined',
			'any of a1,a2 500',
			'wait a1',
			'wait a2',
			'close a1'
		]);
		const alone = await caller(createAnthropicProfile({ model: 'a' }))('spawn_agent', { task: 'x' });
		expect(alone).toMatchObject({ isError: true, content: expect.stringContaining('No further agents') });
	});

	it('keeps the task list and asks the user', async () => {
		const { context, todo } = createHarness(environment);
		const registry = new ToolRegistry(createAnthropicProfile({ model: 'a' }).tools);
		const asked: unknown[] = [];
		const withPerson = {
			...context,
			askUser: (...question: unknown[]) => (asked.push(question), Promise.resolve('blue'))
		};
		const execute = (name: string, args: Record<string, unknown>) =>
			registry.execute({ type: 'tool_call', id: 'c', name, arguments: args }, withPerson);
		await execute('TodoWrite', { todos: [{ content: 'one', status: 'in_progress', activeForm: 'Doing one' }] });
		expect(todo).toEqual([{ content: 'one', status: 'in_progress' }]);
		const answer = await execute('AskUserQuestion', {
			questions: [{ question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: true }]
		});
		expect(answer.content).toBe('blue');
		expect(asked).toEqual([['Which?', ['red', 'blue'], true]]);
	});
});

describe('profileForModel', () => {
	it.each([
		['claude-opus-4-6', 'anthropic', 'anthropic'],
		['gpt-5.2', 'openai', 'openai'],
		['o3', 'openai', 'openai'],
		['gemini-3-flash', 'gemini', 'gemini'],
		['anthropic/claude-sonnet-4-5', 'compatible-router', 'anthropic'],
		['qwen3-coder', 'compatible-local', 'pi'],
		['gpt-oss-120b', 'compatible-local', 'pi'],
		['demo', 'demo', 'anthropic']
	])('gives %s at %s the %s profile', (model, provider, family) => {
		expect(familyOf(model, provider)).toBe(family);
		expect(profileForModel(model, provider)).toMatchObject({ id: family, model, provider });
	});

	it('gives the generic profile the list, the question and agents besides', () => {
		const names = profileForModel('qwen3-coder', 'compatible-local').tools.map(({ definition }) => definition.name);
		expect(names).toEqual(expect.arrayContaining(['read', 'bash', 'todo', 'ask_user', 'spawn_agent']));
	});
});
