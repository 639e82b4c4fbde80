import { describe, expect, it } from 'vitest';
import { adaptCall } from '#llm/scenario/dialects.ts';
import { offeredTool } from '#llm/scenario/offered-tool.ts';
import { pieces } from '#llm/scenario/player.ts';

const tool = (name: string, properties: string[], required: string[] = [], custom = false) =>
	offeredTool(name, { properties: Object.fromEntries(properties.map((each) => [each, {}])), required }, custom);

const claude = [
	tool('Read', ['file_path', 'offset', 'limit']),
	tool('Edit', ['file_path', 'old_string', 'new_string', 'replace_all']),
	tool('Bash', ['command', 'timeout'])
];
const codex = [tool('exec_command', ['cmd', 'workdir']), tool('apply_patch', [], [], true)];
const gemini = [
	tool('replace', ['file_path', 'instruction', 'old_string', 'new_string'], ['file_path', 'instruction']),
	tool('list_directory', ['dir_path'])
];
const pi = [tool('edit', ['path', 'edits']), tool('bash', ['command'])];

describe('scripted calls in a profile’s words', () => {
	const edit = { path: 'a.ts', old_string: 'one', new_string: 'two' };
	it.each([
		['read_file', { path: 'a.ts', limit: 5 }, claude, 'Read', { file_path: 'a.ts', limit: 5 }],
		['shell', { command: 'npm test' }, claude, 'Bash', { command: 'npm test' }],
		['shell', { command: 'npm test' }, codex, 'exec_command', { cmd: 'npm test' }],
		['read_file', { path: "it's.ts" }, codex, 'exec_command', { cmd: "cat 'it'\\''s.ts'" }],
		['list_directory', { path: '.' }, claude, 'Bash', { command: "ls '.'" }],
		['list_directory', { path: '.' }, gemini, 'list_directory', { dir_path: '.' }],
		['edit_file', edit, claude, 'Edit', { file_path: 'a.ts', old_string: 'one', new_string: 'two' }],
		['edit_file', edit, pi, 'edit', { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] }],
		['Read', { file_path: 'x' }, claude, 'Read', { file_path: 'x' }],
		['nonsense', { a: 1 }, claude, 'nonsense', { a: 1 }]
	])('%s %j', (name, args, tools, expected, fitted) => {
		expect(adaptCall(name, args, tools)).toEqual({ name: expected, arguments: fitted });
	});
	it('fills in what a profile requires', () => {
		expect(adaptCall('edit_file', edit, gemini).arguments).toMatchObject({ instruction: expect.any(String) });
	});
	it('changes files by a patch where there is no edit tool', () => {
		const input = '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch\n';
		expect(adaptCall('edit_file', edit, codex)).toMatchObject({ name: 'apply_patch', input });
		const added = adaptCall('write_file', { path: 'b.ts', content: 'x\ny\n' }, codex).input;
		expect(added).toBe('*** Begin Patch\n*** Add File: b.ts\n+x\n+y\n*** End Patch\n');
	});
	it('cuts no character in two', () => {
		expect(pieces('a👋b', 2)).toEqual(['a👋', 'b']);
		expect(pieces('', 4)).toEqual([]);
	});
});
