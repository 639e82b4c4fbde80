import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bind } from '#agent/profiles/bind.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { Tool, ToolResult } from '#agent/tool.ts';
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

function echo(name: string, execute?: () => Promise<ToolResult>): Tool<typeof schema> {
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
