import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Profile } from '#agent/profile.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { bind, type AnyTool } from '#agent/profiles/bind.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { applyPatch } from '#agent/tools/apply-patch/tool.ts';
import { askUser } from '#agent/tools/ask-user.ts';
import { closeAgent } from '#agent/tools/close-agent.ts';
import { editFile, editFileMany } from '#agent/tools/edit-file.ts';
import { find } from '#agent/tools/find.ts';
import { glob } from '#agent/tools/glob.ts';
import { grepPage } from '#agent/tools/grep-page.ts';
import { grep } from '#agent/tools/grep.ts';
import { listDirectory } from '#agent/tools/list-directory.ts';
import { listProcesses } from '#agent/tools/list-processes.ts';
import { ls } from '#agent/tools/ls.ts';
import { preview } from '#agent/tools/preview.ts';
import { readFile } from '#agent/tools/read-file.ts';
import { readManyFiles } from '#agent/tools/read-many-files.ts';
import { sendInput } from '#agent/tools/send-input.ts';
import { shellInput } from '#agent/tools/shell-input.ts';
import { shellTail } from '#agent/tools/shell-tail.ts';
import { shell } from '#agent/tools/shell.ts';
import { spawnAgent } from '#agent/tools/spawn-agent.ts';
import { todo } from '#agent/tools/todo.ts';
import { wait } from '#agent/tools/wait.ts';
import { writeFile } from '#agent/tools/write-file.ts';
import type { ToolDefinition } from '#llm/types.ts';

const profiles: [name: string, profile: Pick<Profile, 'tools'>][] = [
	['anthropic', createAnthropicProfile({ model: 'claude-opus-4-6' })],
	['openai', createOpenAIProfile({ model: 'gpt-5.2-codex' })],
	['gemini', createGeminiProfile({ model: 'gemini-3-pro' })],
	['pi', createPiProfile({ model: 'any' })]
];

/** The tools as hosts bind them: with their neutral parameters, which each profile accepts beside its vendor's. */
const neutral: Pick<Profile, 'tools'> = {
	tools: [
		...[applyPatch, askUser, closeAgent, editFile, editFileMany, find, glob, grep, grepPage, listDirectory],
		...[listProcesses, ls, preview, readFile, readManyFiles, sendInput, shell, shellInput, shellTail],
		...[spawnAgent, todo, wait, writeFile]
	].map((tool: AnyTool) => bind(tool, { name: tool.name }))
};

interface Described {
	path: string;
	text: unknown;
}

/** All descriptions in a schema, with the path of what they describe. */
function descriptions(value: unknown, path: string): Described[] {
	if (Array.isArray(value)) return value.flatMap((item, index) => descriptions(item, `${path}[${index}]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		key === 'description' && typeof inner !== 'object'
			? [{ path, text: inner }]
			: descriptions(inner, key === 'properties' ? path : `${path}.${key}`)
	);
}

/** A schema on one line, without its descriptions, which may change freely. */
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

describe.each([...profiles, ['neutral', neutral] as const])('the tools of %s', (name, profile) => {
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
	expect(named('none')).toEqual(['ask_user', 'close_agent', 'send_input', 'spawn_agent', 'todo', 'wait']);
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
