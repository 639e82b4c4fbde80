import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bind } from '#agent/profiles/bind.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { Tool, ToolContext, ToolResult } from '#agent/tool.ts';
import { countsAsFailure } from '#agent/tools/failure.ts';
import { checkActiveTools } from '#agent/tools/presets.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';
import { detailedResult, errorResult, textResult, ToolError } from '#agent/tools/result.ts';
import { GuardRefusal, PermissionDenied } from '#agent/guards/refusals.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

afterEach(removeTemporary);

const schema = z.object({ text: z.string(), times: z.number().int().optional() });

function echo(name: string, execute?: (args: { text: string }) => Promise<ToolResult>): Tool<typeof schema> {
	return {
		name,
		description: 'Says it back.',
		schema,
		access: 'read',
		execute: execute ?? (({ text, times = 1 }) => Promise.resolve(textResult(text.repeat(times))))
	};
}

async function run(registry: ToolRegistry, name: string, args: Record<string, unknown>): Promise<ToolResult> {
	const { context } = createHarness(await createTemporary({ confinement: null }));
	return registry.execute({ type: 'tool_call', id: 'c1', name, arguments: args }, context);
}

describe('ToolRegistry', () => {
	it('dispatches a call to its tool [9.3-1]', async () => {
		const registry = new ToolRegistry([bind(echo('one'), { name: 'One' }), bind(echo('two'), { name: 'Two' })]);
		expect(await run(registry, 'Two', { text: 'hi', times: 2 })).toMatchObject({ content: 'hihi', isError: false });
	});

	it('answers an unknown name with an error result that names the tools [9.3-2]', async () => {
		const registry = new ToolRegistry([bind(echo('one'), { name: 'One' })]);
		const result = await run(registry, 'Nope', {});
		expect(result).toMatchObject({ isError: true, content: 'Unknown tool: Nope. The tools here are One.' });
	});

	it('checks arguments against the schema and runs nothing that fails it [9.3-3]', async () => {
		let ran = false;
		const tool = echo('one', () => ((ran = true), Promise.resolve(textResult(''))));
		const registry = new ToolRegistry([bind(tool, { name: 'One' })]);
		const result = await run(registry, 'One', { text: 5, times: 'x' });
		expect(result.isError).toBe(true);
		expect(result.content).toMatch(
			/^Invalid arguments for One: text: .*; times: .* Correct them and call the tool again\.$/
		);
		expect(ran).toBe(false);
	});

	it.each([
		['an ordinary error', new Error('went wrong'), 'Tool error (One): went wrong', true],
		['a tool error', new ToolError('Do this instead.', { code: 'X' }), 'Do this instead.', true],
		[
			'an environment error',
			new EnvironmentError('ENOENT', 'Nothing there', '/a/b'),
			'ENOENT: Nothing there (/a/b). Search for the right path, then try again.',
			true
		],
		['a refusal', new GuardRefusal('test', 'Read it first.'), 'Read it first.', false],
		['something that is no error', 'text', 'Tool error (One): text', true]
	])('turns %s into an error result [9.3-4, TOOLRES-005]', async (_, thrown, content, counts) => {
		const registry = new ToolRegistry([
			bind(
				echo('one', () => Promise.reject(thrown)),
				{ name: 'One' }
			)
		]);
		const result = await run(registry, 'One', { text: '' });
		expect(result).toMatchObject({ isError: true, content });
		expect(countsAsFailure(result)).toBe(counts);
	});

	it('lets a denied permission through to the loop', async () => {
		const denied = new PermissionDenied('no');
		const registry = new ToolRegistry([
			bind(
				echo('one', () => Promise.reject(denied)),
				{ name: 'One' }
			)
		]);
		await expect(run(registry, 'One', { text: '' })).rejects.toBe(denied);
	});

	it('does not count a command that exits non-zero as a failure', () => {
		expect(countsAsFailure(errorResult('', { exitCode: 1 }))).toBe(false);
		expect(countsAsFailure(errorResult(''))).toBe(true);
		expect(countsAsFailure(textResult(''))).toBe(false);
	});

	it('registers, finds, lists and unregisters; the latest of a name wins [S-16, 9.2-6]', async () => {
		const registry = new ToolRegistry([bind(echo('one'), { name: 'One', aliases: ['uno'] })]);
		expect(registry.find('uno')?.definition.name).toBe('One');
		expect(registry.find('one')?.definition.name).toBe('One');
		registry.register(
			bind(
				echo('other', () => Promise.resolve(textResult('the later'))),
				{ name: 'One' }
			)
		);
		expect(registry.names()).toEqual(['One']);
		expect(registry.definitions()).toHaveLength(1);
		expect(await run(registry, 'One', { text: '' })).toMatchObject({ content: 'the later' });
		expect(registry.find('uno')).toBeUndefined();
		expect(registry.unregister('One')).toBe(true);
		expect(registry.unregister('One')).toBe(false);
		expect(registry.find('One')).toBeUndefined();
		expect(registry.access('One')).toBe('none');
	});

	it.each([
		['Bash', createAnthropicProfile],
		['exec_command', createOpenAIProfile],
		['run_shell_command', createGeminiProfile],
		['bash', createPiProfile]
	])('takes a custom tool on the profile with %s, also in the place of that [9.2-5, 9.2-6]', async (shell, create) => {
		expect(new ToolRegistry(create({ model: 'm' }).tools).names()).toContain(shell);
		const custom = bind(echo('run_tests'), { name: 'run_tests' });
		const own = bind(
			echo('own', () => Promise.resolve(textResult('mine'))),
			{ name: shell }
		);
		const registry = new ToolRegistry(create({ model: 'm', tools: [custom, own] }).tools);
		expect(registry.names().filter((name) => name === shell)).toHaveLength(1);
		expect(await run(registry, 'run_tests', { text: 'ok' })).toMatchObject({ content: 'ok' });
		expect(await run(registry, shell, { text: '' })).toMatchObject({ content: 'mine' });
	});

	it('refuses a definition whose parameters are no object [S-17]', () => {
		const binding = bind(echo('one'), { name: 'One' });
		const broken = { ...binding, definition: { ...binding.definition, parameters: { type: 'string' } } };
		expect(() => new ToolRegistry([broken])).toThrow(/root type is "object"/);
	});

	it('leaves keys out of what the model sees', async () => {
		const key = `sk-ant-${'a1B2'.repeat(10)}`;
		const tool = echo('one', () =>
			Promise.resolve({ content: `key ${key}`, fullOutput: `all ${key}`, isError: false })
		);
		const binding = bind(tool, { name: 'One' });
		expect(await run(new ToolRegistry([binding]), 'One', { text: '' })).toMatchObject({
			content: 'key [secret left out: Anthropic key]',
			fullOutput: 'all [secret left out: Anthropic key]'
		});
	});

	it('makes results of text alone, and with data for the page [TOOLRES-001, TOOLRES-002]', () => {
		expect(textResult('text')).toEqual({ content: 'text', isError: false });
		expect(textResult('text').details).toBeUndefined();
		expect(detailedResult('text', { rows: 3 })).toEqual({ content: 'text', details: { rows: 3 }, isError: false });
	});
});

describe('presets of the generic profile', () => {
	const names = (preset?: 'default' | 'minimal' | 'readonly'): string[] =>
		createPiProfile({ model: 'm', ...(preset ? { preset } : {}) }).tools.map(({ definition }) => definition.name);

	it('has seven tools by default [TOOLCFG-001]', () => {
		expect(names()).toEqual(['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls']);
	});

	it('has four in the minimal one [TOOLCFG-002]', () => {
		expect(names('minimal')).toEqual(['read', 'write', 'edit', 'bash']);
	});

	it('has four that only look in the read-only one [TOOLCFG-003, A-16]', () => {
		expect(names('readonly')).toEqual(['read', 'grep', 'find', 'ls']);
		const registry = new ToolRegistry(createPiProfile({ model: 'm', preset: 'readonly' }).tools);
		expect(names('readonly').map((name) => registry.access(name))).toEqual(['read', 'read', 'read', 'read']);
		expect(registry.find('bash')).toBeUndefined();
	});

	it('shows only the active tools, by whichever name', () => {
		const registry = new ToolRegistry(createPiProfile({ model: 'm' }).tools);
		expect(registry.definitions(['read', 'shell']).map(({ name }) => name)).toEqual(['read', 'bash']);
	});

	it('refuses names no one knows', () => {
		expect(() => checkActiveTools(['read', 'nonexistent'], (name) => name === 'read')).toThrow(/nonexistent/);
	});

	it('refuses an empty list', () => {
		expect(() => checkActiveTools([], () => true)).toThrow(/At least one/);
	});
});

describe('a registry without an environment', () => {
	const context = (signal = new AbortController().signal) => ({ signal }) as ToolContext;
	const execute = (registry: ToolRegistry, name: string, args: Record<string, unknown>, signal?: AbortSignal) =>
		registry.execute({ type: 'tool_call', id: 'c1', name, arguments: args }, context(signal));
	const failing = (error: unknown, name = 'One') =>
		execute(
			new ToolRegistry([
				bind(
					echo('one', () => Promise.reject(error)),
					{ name }
				)
			]),
			name,
			{ text: '' }
		);

	it('names all tools that there are, or none', async () => {
		const two = new ToolRegistry([bind(echo('one'), { name: 'One' }), bind(echo('two'), { name: 'Two' })]);
		expect((await execute(two, 'Nope', {})).content).toBe('Unknown tool: Nope. The tools here are One, Two.');
		expect((await execute(new ToolRegistry([]), 'Nope', {})).content).toBe(
			'Unknown tool: Nope. The tools here are none.'
		);
		expect(new ToolRegistry().names()).toEqual([]);
	});

	it('gives a name to the tool that has it as its own, before those that have it beside', () => {
		const registry = new ToolRegistry([
			bind(echo('one'), { name: 'One', aliases: ['first'] }),
			bind(echo('two'), { name: 'Two', aliases: ['One', 'second'] })
		]);
		expect(registry.find('One')?.tool.name).toBe('one');
		expect(registry.unregister('One')).toBe(true);
		expect(registry.find('first')).toBeUndefined();
		expect(registry.find('one')).toBeUndefined();
		expect(registry.find('second')?.tool.name).toBe('two');
		expect(registry.find('two')?.tool.name).toBe('two');
		expect(registry.find('')).toBeUndefined();
	});

	it('says what a failure of the environment is about, and what to do where that is known', async () => {
		const error = (code: 'ENOENT' | 'EACCES' | 'EISDIR', message: string, path?: string) =>
			failing(new EnvironmentError(code, message, path));
		expect(await error('ENOENT', 'No such file.', 'a.b.ts')).toEqual({
			content: 'ENOENT: No such file. (a.b.ts). Search for the right path, then try again.',
			details: { code: 'ENOENT' },
			isError: true
		});
		expect((await error('ENOENT', 'There is no a.ts.', 'a.ts')).content).toBe(
			'ENOENT: There is no a.ts. Search for the right path, then try again.'
		);
		expect((await error('EACCES', 'Outside of v1.2')).content).toBe(
			'EACCES: Outside of v1.2. Choose another path, inside the workspace.'
		);
		expect((await error('EISDIR', 'It is a directory.')).content).toBe('EISDIR: It is a directory.');
	});

	it('answers a call that was stopped with that, whatever failed', async () => {
		const controller = new AbortController();
		const tool = echo('one', () => {
			controller.abort();
			return Promise.reject(new Error('broken pipe'));
		});
		const registry = new ToolRegistry([bind(tool, { name: 'One' })]);
		const stopped = { content: 'Operation aborted', details: { refused: true }, isError: true };
		expect(await execute(registry, 'One', { text: '' }, controller.signal)).toEqual(stopped);
		expect(await execute(registry, 'One', { text: '' }, controller.signal)).toEqual(stopped);
	});

	it('keeps keys out of what the page is shown, and adds nothing to a result that shows nothing', async () => {
		const key = `sk-ant-${'a1B2'.repeat(10)}`;
		const tool = echo('one', ({ text }) =>
			Promise.resolve({
				content: 'x',
				isError: false,
				...(text === 'all' ? { details: { key }, fullOutput: key } : {})
			})
		);
		const registry = new ToolRegistry([bind(tool, { name: 'One' })]);
		const left = '[secret left out: Anthropic key]';
		expect(await execute(registry, 'One', { text: 'all' })).toEqual({
			content: 'x',
			isError: false,
			details: { key: left },
			fullOutput: left
		});
		expect(Object.keys(await execute(registry, 'One', { text: '' }))).toEqual(['content', 'isError']);
	});

	it('takes the parameters of the name that was called first, and then the others', async () => {
		const adapt = (args: Record<string, unknown>) => {
			if (args['words'] === 7) throw new Error('Words are text.');
			return { text: `adapted ${String(args['words'] ?? args['text'])}` };
		};
		const registry = new ToolRegistry([{ ...bind(echo('one'), { name: 'One' }), adapt }]);
		expect((await execute(registry, 'One', { words: 'a' })).content).toBe('adapted a');
		expect((await execute(registry, 'One', { text: 'a' })).content).toBe('adapted a');
		expect((await execute(registry, 'one', { text: 'a' })).content).toBe('a');
		expect((await execute(registry, 'one', { words: 'a' })).content).toBe('adapted a');
		expect((await execute(registry, 'One', { words: 7 })).content).toBe('Words are text.');
		expect((await execute(registry, 'one', { words: 7 })).content).toMatch(/^Invalid arguments for one: text: /);
	});
});
