import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { Profile } from '#agent/profile.ts';
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

const profiles = [
	createAnthropicProfile({ model: 'a' }),
	createOpenAIProfile({ model: 'b' }),
	createGeminiProfile({ model: 'c' }),
	createPiProfile({ model: 'd' })
];
const PARTS = { environmentBlock: '', gitSnapshot: '', projectInstructions: '', userInstructions: '', toolNames: [] };

/**
 * Tool and parameter names as a model sees them. Single lowercase words are skipped, because they also occur in texts.
 */
function namesOf({ tools }: Profile): Set<string> {
	const names = tools.flatMap(({ definition }) => [definition.name, ...keysBelow(definition.parameters)]);
	return new Set(names.filter((name) => /_|[a-z][A-Z]/.test(name)));
}

function keysBelow(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) return [];
	return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
		const own = key === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : [];
		return [...own, ...keysBelow(value)];
	});
}

/** Descriptions in a schema; the schema's own names need no check. */
function descriptionsBelow(schema: unknown): string[] {
	if (typeof schema !== 'object' || schema === null) return [];
	return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
		key === 'description' && typeof value === 'string' ? [value] : descriptionsBelow(value)
	);
}

it.each(profiles)('describes a tool of $id by the parameters it has', ({ tools }) => {
	const shellInputs = tools.filter(({ tool }) => tool.name === 'shell_input');
	for (const { definition } of shellInputs) {
		const parameters = keysBelow(definition.parameters);
		const mentioned = definition.description.match(/\b(chars|kill|yield_time_ms)\b/g) ?? [];
		expect(parameters, definition.name).toEqual(expect.arrayContaining(mentioned));
	}
});

/** Calls whose results include notices, by profile id. */
const CALLS: Record<string, [name: string, args: Record<string, unknown>][]> = {
	anthropic: [
		['Read', { file_path: 'long.txt' }],
		['Read', { file_path: 'missing.txt' }],
		['Edit', { file_path: 'long.txt', old_string: 'nowhere', new_string: 'x' }],
		['Edit', { file_path: 'long.txt', old_string: 'line', new_string: 'x' }],
		['Grep', { pattern: 'line', output_mode: 'content' }],
		['Glob', { pattern: '**/*' }],
		['Bash', { command: 'sleep 5', timeout: 200 }],
		['Bash', { command: 'seq 1 100000' }],
		['Bash', { command: 'echo up; sleep 60', run_in_background: true }],
		['BashOutput', { bash_id: '1' }],
		['KillShell', { shell_id: '1' }],
		['BashOutput', { bash_id: '9' }]
	],
	openai: [
		['read_file', { file_path: 'long.txt' }],
		['read_file', { file_path: 'missing.txt' }],
		['apply_patch', { input: '*** Begin Patch\n*** Update File: long.txt\n@@\n-nowhere\n+x\n*** End Patch' }],
		['grep', { pattern: 'line' }],
		['glob', { pattern: '**/*' }],
		['exec_command', { cmd: 'seq 1 100000' }],
		['exec_command', { cmd: 'sleep 60', yield_time_ms: 50 }],
		['write_stdin', { session_id: 99, chars: 'x' }]
	],
	gemini: [
		['read_file', { file_path: 'long.txt' }],
		['read_file', { file_path: 'missing.txt' }],
		['replace', { file_path: 'long.txt', instruction: 'x', old_string: 'nowhere', new_string: 'x' }],
		['grep_search', { pattern: 'line' }],
		['glob', { pattern: '**/*' }],
		['list_directory', { dir_path: 'missing' }],
		['run_shell_command', { command: 'seq 1 100000' }]
	],
	pi: [
		['read', { path: 'long.txt' }],
		['read', { path: 'missing.txt' }],
		['edit', { path: 'long.txt', oldText: 'nowhere', newText: 'x' }],
		['bash', { command: 'seq 1 100000' }],
		['bash', { command: 'sleep 5', timeout: 0.2 }]
	]
};

async function noticesOf(profile: Profile): Promise<string[]> {
	await environment.writeFile(
		'long.txt',
		Array.from({ length: 4_000 }, (_, at) => `line ${at} ${'x'.repeat(60)}`).join('\n')
	);
	const registry = new ToolRegistry(profile.tools);
	const { context } = createHarness(environment);
	const notices: string[] = [];
	for (const [name, args] of CALLS[profile.id] ?? []) {
		const result = await registry.execute({ type: 'tool_call', id: 'c', name, arguments: args }, context);
		notices.push(`${name}: ${typeof result.content === 'string' ? result.content : JSON.stringify(result.content)}`);
	}
	return notices;
}

it.each(profiles)('$id: names no tool and no parameter that it has not, in any text', async (profile) => {
	const own = namesOf(profile);
	const foreign = [...new Set(profiles.flatMap((other) => [...namesOf(other)]))].filter((name) => !own.has(name));
	expect(foreign.length).toBeGreaterThan(10);
	const texts = [
		profile.buildSystemPrompt(PARTS),
		...profile.tools.flatMap(({ definition }) => [definition.description, ...descriptionsBelow(definition.parameters)]),
		...(await noticesOf(profile))
	];
	const found = texts.flatMap((text) =>
		foreign
			.filter((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text))
			.map((name) => `${name} in: ${text.slice(0, 60)} … ${text.slice(-200)}`)
	);
	expect(found).toEqual([]);
});

it.each([
	['Bash', profiles[0], 400_000, 'You can retry with a longer timeout by setting the timeout parameter.'],
	['Bash', profiles[0], 100, 'There is no longer timeout. Run a part of it, or run it in the background.'],
	['run_shell_command', profiles[2], 400_000, 'There is no longer timeout.']
])('advises %s after a timeout by what the model can set', async (name, profile, maxCommandTimeoutMs, advice) => {
	const { context } = createHarness(environment);
	const limits = { ...context.limits, defaultCommandTimeoutMs: 100, maxCommandTimeoutMs };
	const call = { type: 'tool_call' as const, id: 'c', name, arguments: { command: 'sleep 60' } };
	const { content } = await new ToolRegistry(profile?.tools ?? []).execute(call, { ...context, limits });
	expect(content).toContain(`Command timed out after 100ms. Partial output is shown above.\n${advice}`);
});
