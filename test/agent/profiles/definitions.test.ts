import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Profile } from '#agent/profile.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { ToolDefinition } from '#llm/types.ts';

const profiles: [name: string, profile: Profile][] = [
	['anthropic', createAnthropicProfile({ model: 'claude-opus-4-6' })],
	['openai', createOpenAIProfile({ model: 'gpt-5.2-codex' })],
	['gemini', createGeminiProfile({ model: 'gemini-3-pro' })],
	['pi', createPiProfile({ model: 'any' })]
];

interface Described {
	path: string;
	text: unknown;
}

/** Each description of a schema, with the path of what it describes. */
function descriptions(value: unknown, path: string): Described[] {
	if (Array.isArray(value)) return value.flatMap((item, index) => descriptions(item, `${path}[${index}]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		key === 'description' && typeof inner !== 'object'
			? [{ path, text: inner }]
			: descriptions(inner, key === 'properties' ? path : `${path}.${key}`)
	);
}

/** A schema on one line, without its prose, which may change freely. */
function shape(schema: unknown): string {
	return JSON.stringify(schema, (key, value: unknown) =>
		key === 'description' && typeof value === 'string' ? undefined : value
	);
}

/** Lines for a tool: its name, then its parameters. */
function lines({ name, parameters }: ToolDefinition): string[] {
	const { properties = {}, required = [] } = z
		.object({ properties: z.record(z.string(), z.unknown()).optional(), required: z.array(z.string()).optional() })
		.parse(parameters);
	const listed = Object.entries(properties).map(
		([key, schema]) => `\t${key}${required.includes(key) ? '' : '?'}: ${shape(schema)}`
	);
	return [name, ...listed];
}

describe.each(profiles)('the tools of %s', (name, profile) => {
	const definitions = profile.tools.map(({ definition }) => definition);

	it('say in words what they do and what their parameters are', () => {
		for (const { name: tool, description, parameters } of definitions) {
			expect(description, tool).toMatch(/^[A-Z].{15}/s);
			for (const { path, text } of descriptions(parameters, tool)) expect(text, path).toMatch(/\w.{3}/s);
		}
	});

	it('have the recorded parameters, types, choices and limits, to which models and stored sessions keep', async () => {
		await expect(`${definitions.flatMap(lines).join('\n')}\n`).toMatchFileSnapshot(`./recorded/${name}.txt`);
	});
});

it('only reads, or changes nothing outside the conversation, what plan mode offers', () => {
	const accesses = new Map(
		profiles.flatMap(([, profile]) => profile.tools.map(({ tool }) => [tool.name, tool.access] as const))
	);
	const named = (access: string) => [...accesses].flatMap(([name, each]) => (each === access ? [name] : [])).toSorted();
	expect(named('none')).toEqual(['ask_user', 'close_agent', 'run_agent', 'send_input', 'spawn_agent', 'todo', 'wait']);
	expect(named('read')).toEqual([
		'find',
		'glob',
		'grep',
		'grep_page',
		'list_directory',
		'list_processes',
		'ls',
		'preview',
		'read_file',
		'read_many_files',
		'read_page'
	]);
	expect(named('write')).toEqual([
		'apply_patch',
		'edit_file',
		'multi_edit',
		'shell',
		'shell_input',
		'shell_tail',
		'write_file'
	]);
});
