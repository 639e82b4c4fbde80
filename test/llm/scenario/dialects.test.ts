import { describe, expect, it } from 'vitest';
import { adaptCall } from '#llm/scenario/dialects.ts';
import { offeredFromDefinition, offeredTool } from '#llm/scenario/offered-tool.ts';
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
	it.each([
		['read_file', ['Read', 'read']],
		['write_file', ['Write', 'write']],
		['edit_file', ['Edit', 'replace', 'edit']],
		['shell', ['Bash', 'exec_command', 'run_shell_command', 'bash']],
		['grep', ['Grep', 'grep_search']],
		['glob', ['Glob', 'find']],
		['list_directory', ['list_dir', 'LS', 'ls']],
		['web_fetch', ['WebFetch']],
		['spawn_agent', ['Agent', 'invoke_agent']],
		['ask_user', ['request_user_input']],
		['todo', ['TodoWrite', 'update_plan']]
	])('%s is called by any of its names: %j', (name, known) => {
		for (const each of [name, ...known])
			expect(adaptCall(name, {}, [tool('other', []), tool(each, [])]).name).toBe(each);
	});
	it.each([
		['path', ['file_path', 'filePath', 'dir_path']],
		['command', ['cmd']],
		['old_string', ['oldText', 'oldString']],
		['new_string', ['newText', 'newString']],
		['offset', ['start_line']],
		['limit', []],
		['timeout_ms', ['timeout']],
		['replace_all', ['replaceAll', 'allow_multiple']]
	])('%s goes into a parameter of any of its names: %j', (name, known) => {
		for (const each of known)
			expect(adaptCall('x', { [name]: 1 }, [tool('x', [each])]).arguments).toEqual({ [each]: 1 });
		expect(adaptCall('x', { [name]: 1 }, [tool('x', [name, ...known])]).arguments).toEqual({ [name]: 1 });
		// A parameter that the tool does not have is removed; one of an unknown family is kept.
		expect(adaptCall('x', { [name]: 1, own: 2 }, [tool('x', [])]).arguments).toEqual({ own: 2 });
	});
	it.each([
		['read_file', { path: 'a b' }, "cat 'a b'"],
		['list_directory', {}, 'ls .'],
		['grep', { pattern: "it's", path: 'src' }, "grep -rn 'it'\\''s' 'src'"],
		['grep', { pattern: 'x' }, "grep -rn 'x' ."],
		['glob', { pattern: '*.ts', path: 'src' }, "find 'src' -path '*.ts'"]
	])('%s %j is a command where there is only a shell', (name, args, command) => {
		expect(adaptCall(name, args, [tool('bash', ['command'])])).toEqual({ name: 'bash', arguments: { command } });
	});
	it('puts a patch into the parameter that the tool has', () => {
		const input = '*** Begin Patch\n*** Add File: b\n+x\n*** End Patch\n';
		const args = { path: 'b', content: 'x' };
		expect(adaptCall('write_file', args, [tool('apply_patch', ['patch'])])).toEqual({
			name: 'apply_patch',
			arguments: { patch: input }
		});
		expect(adaptCall('write_file', args, [tool('apply_patch', ['input'])])).toEqual({
			name: 'apply_patch',
			arguments: { input }
		});
	});
	it('takes what a request says of its tools, and nothing from what is no schema', () => {
		for (const schema of [undefined, null, 'x', {}, { properties: 7, required: 'a' }, { required: [1] }])
			expect(offeredTool('x', schema)).toEqual({ name: 'x', properties: [], required: [], custom: false });
		const definition = { name: 'x', description: '', parameters: { properties: { a: {} }, required: ['a'] } };
		const offered = { name: 'x', properties: ['a'], required: ['a'] };
		expect(offeredFromDefinition(definition)).toEqual({ ...offered, custom: false });
		const custom = { syntax: 'lark' as const, definition: '' };
		expect(offeredFromDefinition({ ...definition, custom })).toEqual({ ...offered, custom: true });
	});
	it('fills in what a profile requires', () => {
		expect(adaptCall('edit_file', edit, gemini).arguments).toMatchObject({ instruction: 'Part of the task' });
		const shell = [tool('shell', ['command', 'description'], ['command', 'description'])];
		const given = { command: 'ls', description: 'Lists' };
		expect(adaptCall('shell', { command: 'ls' }, shell).arguments).toEqual({
			...given,
			description: 'Part of the task'
		});
		expect(adaptCall('shell', given, shell).arguments).toEqual(given);
	});
	it('says what an edit changes only once, in a list where the tool takes one', () => {
		const both = [tool('edit', ['path', 'oldText', 'newText', 'edits'])];
		const edits = [{ oldText: 'one', newText: 'two' }];
		expect(adaptCall('edit_file', edit, both).arguments).toEqual({ path: 'a.ts', edits });
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
