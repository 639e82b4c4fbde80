import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GuardOptions } from '#agent/api.ts';
import { createGuards } from '#agent/guards/guards.ts';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { PermissionDecision, PermissionMode, PermissionRequest } from '#agent/guards/permission-types.ts';
import { redactSecrets } from '#agent/guards/redaction.ts';
import { PermissionDenied } from '#agent/guards/refusals.ts';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { createHarness, memoryState, type ToolHarness } from '#test/contract/tools/harness.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

let environment: LocalExecutionEnvironment;
beforeEach(async () => {
	// Trial runs are not available here: `command-permission.test.ts` tests them.
	environment = await createTemporary({ confinement: null });
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

interface Guarded extends ToolHarness {
	requests: PermissionRequest[];
	remembered: (PermissionRule & { lasting: 'session' | 'always' })[];
}

/** The tools with real guards. */
function guarded(mode: PermissionMode, answer?: PermissionDecision, options: Partial<GuardOptions> = {}): Guarded {
	const requests: PermissionRequest[] = [];
	const remembered: Guarded['remembered'] = [];
	const state = memoryState();
	const guards = createGuards({
		environment,
		state,
		mode: () => mode,
		readBeforeWrite: () => 'off',
		allowRules: [],
		onAllowRule: (rule, lasting) => remembered.push({ ...rule, lasting }),
		...(answer
			? {
					ask: (request: PermissionRequest) => {
						requests.push(request);
						return Promise.resolve(answer);
					}
				}
			: {}),
		...options
	});
	const info = { callId: 'call', agentId: 'main', toolName: 'tool', signal: new AbortController().signal };
	const harness = createHarness(options.environment ?? environment, {
		state,
		propose: (change) => guards.propose(change, info),
		permitCommand: (change, exec) =>
			guards.permitCommand?.(change, exec, info) ?? Promise.reject(new Error('These guards permit no commands.'))
	});
	return { ...harness, requests, remembered };
}

const overwritten = { path: 'a.txt', description: 'Overwrite a.txt (+1 −1)', added: 1, removed: 1 };
const edited = { path: 'a.txt', description: 'Edit a.txt (+1 −1)', added: 1, removed: 1 };
const made = { path: 'b.txt', description: 'Create b.txt (+1 −0)', added: 1, removed: 0 };
const deleted = { path: 'a.txt', description: 'Delete a.txt (+0 −1)', added: 0, removed: 1 };
const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

describe('permission', () => {
	it('is asked before every write and delete, with who, what, why and the diff [A-7]', async () => {
		await environment.writeFile('src/a.txt', 'old\n');
		const { call, requests } = guarded('ask', { kind: 'allow_once' });
		await call('write', { path: 'src/a.txt', content: 'new\n' });
		expect(requests).toEqual([
			{
				requestId: expect.any(String),
				callId: 'call',
				agentId: 'main',
				toolName: 'tool',
				action: 'write',
				path: 'src/a.txt',
				description: 'Overwrite src/a.txt (+1 −1)',
				reason: 'The present mode asks before files are changed.',
				diff: '--- src/a.txt\n+++ src/a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n',
				rules: [{ kind: 'path', pattern: 'src/**' }]
			}
		]);
		await call('apply_patch', { patch: patch('*** Delete File: src/a.txt') });
		expect(requests[1]).toMatchObject({ action: 'write', path: 'src/a.txt', description: 'Delete src/a.txt (+0 −1)' });
		expect(await environment.fileExists('src/a.txt')).toBe(false);
	});

	it.each<[string, Record<string, unknown>, { path: string; description: string; added: number; removed: number }[]]>([
		['write', { path: 'a.txt', content: 'new\n' }, [overwritten]],
		['write', { path: 'b.txt', content: 'b\n' }, [made]],
		['write_file', { file_path: 'a.txt', content: 'new\n' }, [overwritten]],
		['edit', { path: 'a.txt', edits: [{ oldText: 'old', newText: 'new' }] }, [edited]],
		['edit_file', { file_path: 'a.txt', old_string: 'old', new_string: 'new' }, [edited]],
		[
			'edit_file',
			{ file_path: 'b.txt', old_string: '', new_string: 'b\n' },
			[{ ...made, description: 'Edit b.txt (+1 −0)' }]
		],
		[
			'apply_patch',
			{ patch: patch('*** Update File: a.txt', '@@', '-old', '+new') },
			[{ ...edited, description: 'Change a.txt (+1 −1)' }]
		],
		['apply_patch', { patch: patch('*** Add File: b.txt', '+b') }, [made]],
		['apply_patch', { patch: patch('*** Delete File: a.txt') }, [deleted]],
		[
			'apply_patch',
			{ patch: patch('*** Update File: a.txt', '*** Move to: b.txt', '@@', '-old', '+b') },
			[made, deleted]
		]
	])(
		'is asked while nothing is written yet, and the diff is shown again with the result: %s %j [A-7, A-9]',
		async (name, args, changes) => {
			await environment.writeFile('a.txt', 'old\n');
			const requests: PermissionRequest[] = [];
			const { call } = guarded('ask', undefined, {
				ask: async (request) => {
					requests.push(request);
					expect(await environment.readFile('a.txt')).toBe('old\n');
					expect(await environment.fileExists('b.txt')).toBe(false);
					return { kind: 'allow_once' };
				}
			});
			const result = await call(name, args);
			expect(result.isError).toBe(false);
			const byPath = <Item extends { path?: unknown }>(items: Item[]): Item[] =>
				items.toSorted((a, b) => String(a.path).localeCompare(String(b.path)));
			const expected = byPath(changes.map((change) => ({ ...change, diff: expect.stringContaining('\n@@ ') })));
			expect(byPath(requests)).toMatchObject(
				expected.map(({ path, description, diff }) => ({ action: 'write', path, description, diff }))
			);
			const details = Object(result.details) as { path: string; files?: { path: string }[] };
			expect(byPath(details.files ?? [details])).toMatchObject(
				expected.map(({ path, added, removed, diff }) => ({ path, added, removed, diff }))
			);
		}
	);

	it('is asked before a command, which does not run when it is denied', async () => {
		const { call, requests } = guarded('ask', { kind: 'deny' });
		await expect(call('bash', { command: 'touch made && ls' })).rejects.toBeInstanceOf(PermissionDenied);
		expect(requests[0]).toMatchObject({ action: 'execute', command: 'touch made && ls', rules: [] });
		expect(await environment.fileExists('made')).toBe(false);
	});

	it('leaves the file alone when a write is denied', async () => {
		await environment.writeFile('a.txt', 'old');
		const { call } = guarded('ask', { kind: 'deny' });
		await expect(call('write', { path: 'a.txt', content: 'new' })).rejects.toBeInstanceOf(PermissionDenied);
		expect(await environment.readFile('a.txt')).toBe('old');
	});

	it('gives an explanation to the model and goes on', async () => {
		const { call } = guarded('ask', { kind: 'deny_explain', explanation: 'Use the other file.' });
		expect(await call('write', { path: 'a.txt', content: 'x' })).toMatchObject({
			isError: true,
			content: 'The user did not allow it: Use the other file.',
			details: { refused: true }
		});
	});

	it('remembers for the session, or for ever', async () => {
		const session = guarded('ask', { kind: 'allow_session' });
		await session.call('write', { path: 'src/a.txt', content: '1' });
		await session.call('write', { path: 'src/deep/b.txt', content: '2' });
		await session.call('write', { path: 'other/c.txt', content: '3' });
		expect(session.requests.map(({ path }) => path)).toEqual(['src/a.txt', 'other/c.txt']);
		expect(session.remembered).toEqual([
			{ kind: 'path', pattern: 'src/**', lasting: 'session' },
			{ kind: 'path', pattern: 'other/**', lasting: 'session' }
		]);
		const always = guarded('ask', { kind: 'allow_always' });
		await always.call('write', { path: 'lib/a.txt', content: '1' });
		await always.call('write', { path: 'lib/b.txt', content: '2' });
		expect(always.requests).toHaveLength(1);
		expect(always.remembered).toEqual([{ kind: 'path', pattern: 'lib/**', lasting: 'always' }]);
		const later = guarded('ask', { kind: 'deny' }, { allowRules: always.remembered });
		expect((await later.call('write', { path: 'lib/c.txt', content: '3' })).isError).toBe(false);
	});

	it('asks once where one answer covers several changes at the same time', async () => {
		const { call, requests } = guarded('ask', { kind: 'allow_session' });
		await Promise.all(['a', 'b', 'c'].map((name) => call('write', { path: `src/${name}`, content: name })));
		expect(requests).toHaveLength(1);
	});

	it('follows the mode', async () => {
		const edits = guarded('auto-edit', { kind: 'allow_once' });
		await edits.call('write', { path: 'a.txt', content: 'x' });
		expect(edits.requests).toEqual([]);
		await edits.call('bash', { command: 'touch b' });
		expect(edits.requests).toHaveLength(1);
		await edits.call('write', { path: '.git/hooks/pre-commit', content: 'evil' });
		expect(edits.requests[1]).toMatchObject({
			path: '.git/hooks/pre-commit',
			rules: []
		});
		const full = guarded('full', { kind: 'deny' });
		expect((await full.call('bash', { command: 'touch c' })).isError).toBe(false);
		const plan = guarded('plan', { kind: 'allow_once' });
		expect(await plan.call('write', { path: 'd.txt', content: 'x' })).toMatchObject({
			isError: true,
			content: expect.stringContaining('Plan mode')
		});
		expect((await plan.call('bash', { command: 'ls' })).isError).toBe(false);
		expect(await environment.fileExists('d.txt')).toBe(false);
	});

	it('goes by where a link leads, not by its name', async () => {
		await environment.makeDirectory('.git/hooks');
		await environment.makeDirectory('src');
		await environment.symlink('../.git/hooks', 'src/harmless');
		const edits = guarded(
			'auto-edit',
			{ kind: 'allow_session' },
			{ allowRules: [{ kind: 'path', pattern: 'src/**' }] }
		);
		await edits.call('write', { path: 'src/harmless/pre-commit', content: 'evil' });
		await edits.call('write', { path: 'src/a/../../.GIT/config', content: 'evil' });
		await edits.call('write', { path: '.husky/pre-commit', content: 'evil' });
		expect(edits.requests.map(({ path }) => path)).toEqual([
			'.git/hooks/pre-commit',
			'.GIT/config',
			'.husky/pre-commit'
		]);
	});

	it('is asked for what is typed into a command, and shown all of it', async () => {
		const { call, requests } = guarded('ask', { kind: 'allow_session' });
		await call('shell', { command: 'bash', run_in_background: true });
		requests.length = 0;
		const chars = `${' '.repeat(200)}touch typed\n`;
		await call('shell_input', { session_id: 1, chars });
		await call('shell_input', { session_id: 1, chars });
		expect(requests).toHaveLength(1);
		expect(requests[0]?.command).toBe(`bash\n${chars}`);
		await call('shell_input', { session_id: 1, chars: '\u0004' });
		expect(requests).toHaveLength(1);
	});

	it('is for the text it was asked about: what changed meanwhile is not overwritten', async () => {
		await environment.writeFile('a.txt', 'one\n');
		await environment.writeFile('b.txt', 'two\n');
		const meanwhile = guarded('ask', undefined, {
			ask: async () => {
				await environment.writeFile('b.txt', 'by the user\n');
				return { kind: 'allow_once' };
			}
		});
		const changed = {
			isError: true,
			content: expect.stringMatching(/b\.txt was changed by something else.*Read it again/)
		};
		expect(await meanwhile.call('write', { path: 'b.txt', content: 'by the model\n' })).toMatchObject(changed);
		await environment.writeFile('b.txt', 'two\n');
		const both = ['*** Update File: a.txt', '@@', '-one', '+1', '*** Update File: b.txt', '@@', '-two', '+2'];
		expect(await meanwhile.call('apply_patch', { patch: patch(...both) })).toMatchObject(changed);
		expect(await environment.readFile('a.txt')).toBe('one\n');
		expect(await environment.readFile('b.txt')).toBe('by the user\n');
	});

	it('is refused with an explanation without a user to ask', async () => {
		const { call } = guarded('ask');
		const result = await call('write', { path: 'a.txt', content: 'x' });
		expect(result).toMatchObject({
			isError: true,
			content: expect.stringContaining('there is no user to give it here')
		});
	});
});

describe('read before write', () => {
	const strict = { readBeforeWrite: (): 'strict' => 'strict' };

	it('refuses what was not read, or changed since, and says what to do [A-4]', async () => {
		await environment.writeFile('a.txt', 'one\n');
		const { call } = guarded('full', undefined, strict);
		const edit = (): ReturnType<typeof call> =>
			call('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: '1' }] });
		expect(await edit()).toMatchObject({
			isError: true,
			content: expect.stringMatching(/has not been read.*Read it/),
			details: { guard: 'read-before-write' }
		});
		await call('read', { path: 'a.txt' });
		await environment.writeFile('a.txt', 'one\nby the user\n');
		expect(await edit()).toMatchObject({ isError: true, content: expect.stringMatching(/has changed since.*Read it/) });
		expect(await environment.readFile('a.txt')).toBe('one\nby the user\n');
		await call('read', { path: 'a.txt' });
		expect((await edit()).isError).toBe(false);
	});

	it('keeps a long text that it refuses, for a command to write once the file was read', async () => {
		await environment.writeFile('a.txt', 'one\n');
		const { call } = guarded('full', undefined, strict);
		const text = `line with “quotes” and $HOME\n`.repeat(300);
		const { content } = await call('write', { path: 'a.txt', content: text });
		expect(content).toMatch(
			/has not been read in this session\. Read it[^.]*\. What you sent is kept in \/tmp\/\S+\.txt:/
		);
		const kept = /kept in (\S+\.txt)/.exec(content)?.[1] ?? '';
		await call('read', { path: 'a.txt' });
		expect(await call('bash', { command: `cp ${kept} a.txt` })).toMatchObject({ isError: false });
		expect(await environment.readFile('a.txt')).toBe(text);
		await environment.exec(`rm ${kept}`);
		await environment.writeFile('b.txt', 'one\n');
		expect((await call('write', { path: 'b.txt', content: 'short' })).content).not.toContain('kept');
		// No other refusal says this: the user does not want the same change to be made by a command.
		const denied = guarded('ask', { kind: 'deny_explain', explanation: 'No.' });
		expect((await denied.call('write', { path: 'c.txt', content: text })).content).toBe(
			'The user did not allow it: No.'
		);
	});

	it('goes by content, not by time, and takes what the model wrote as known', async () => {
		const { call } = guarded('full', undefined, strict);
		await call('write', { path: 'a.txt', content: 'one\n' });
		await environment.writeFile('a.txt', 'one\n');
		expect((await call('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: '1' }] })).isError).toBe(false);
	});

	it('takes a text that a command printed or contained as read, for one exact match', async () => {
		const lines = 'first line of all\nsecond line of all\n}\nthird line of all\n';
		await environment.writeFile('a.txt', lines);
		const { call } = guarded('full', undefined, strict);
		const edit = async (oldText: string, newText: string): Promise<unknown> =>
			(await call('edit_file', { file_path: 'a.txt', old_string: oldText, new_string: newText })).content;
		await call('shell', { command: 'sed -n 2,3p a.txt' });
		expect(await edit('third line of all', '3')).toMatch(/has not been read/);
		expect(await edit('}', ')')).toMatch(/has not been read/);
		expect(await edit('second  line of all', '2')).not.toMatch(/replaced/);
		expect(await edit('second line of all\n}', 'second')).toMatch(/replaced/);
		expect(await edit('first line of all', 'first')).toMatch(/has not been read/);
		await call('shell', { command: "printf 'written by a command\\n' > a.txt" });
		expect(await edit('written by a command', 'edited')).toMatch(/replaced/);
		expect(await environment.readFile('a.txt')).toBe('edited\n');
		expect((await call('write_file', { file_path: 'a.txt', content: 'over' })).content).toMatch(/has not been read/);
	});

	it('holds for every file of a patch [A-5]', async () => {
		await environment.writeFile('a.txt', 'one\n');
		await environment.writeFile('b.txt', 'two\n');
		const { call } = guarded('full', undefined, strict);
		await call('read', { path: 'a.txt' });
		const both = patch(
			'*** Update File: a.txt',
			'@@',
			'-one',
			'+1',
			'*** Delete File: b.txt',
			'*** Add File: c.txt',
			'+new'
		);
		expect(await call('apply_patch', { patch: both })).toMatchObject({
			isError: true,
			content: expect.stringMatching(/b\.txt has not been read/)
		});
		expect(await environment.readFile('a.txt')).toBe('one\n');
		await call('read', { path: 'b.txt' });
		expect((await call('apply_patch', { patch: both })).isError).toBe(false);
		expect(await environment.readFile('c.txt')).toBe('new\n');
		const again = await call('apply_patch', { patch: patch('*** Add File: c.txt', '+over') });
		expect(again).toMatchObject({ isError: true, content: expect.stringContaining('c.txt exists already') });
	});

	it('lets a stale file be edited with a note where the profile says so', async () => {
		await environment.writeFile('a.txt', 'one\n');
		const { call } = guarded('full', undefined, { readBeforeWrite: () => 'note' });
		await call('read', { path: 'a.txt' });
		await environment.writeFile('a.txt', 'one\ntwo\n');
		const result = await call('edit_file', { file_path: 'a.txt', old_string: 'one', new_string: '1' });
		expect(result).toMatchObject({
			isError: false,
			content: expect.stringContaining('had changed since you last read it')
		});
	});
});

describe('left-out secrets', () => {
	it('are never written back', async () => {
		const key = `ghp_${'aB3d'.repeat(9)}`;
		await environment.writeFile('.env', `TOKEN=${key}\nDEBUG=0\n`);
		const { call } = guarded('full');
		const { content } = await call('read', { path: '.env' });
		expect(content).toBe('TOKEN=[secret left out: GitHub token]\nDEBUG=0\n');
		const back = await call('write', { path: '.env', content: content.replace('DEBUG=0', 'DEBUG=1') });
		expect(back).toMatchObject({ isError: true, content: expect.stringContaining('destroy the secret') });
		await call('edit', { path: '.env', edits: [{ oldText: 'DEBUG=0', newText: 'DEBUG=1' }] });
		expect(await environment.readFile('.env')).toBe(`TOKEN=${key}\nDEBUG=1\n`);
		const { details } = await call('write', { path: '.env', content: '' });
		expect(JSON.stringify(details)).toContain('secret left out');
		expect(JSON.stringify(details)).not.toContain(key);
	});

	it('are found also where only the first lines of a key were read, in time that grows with the text only', () => {
		const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
		const begin = '-----BEGIN RSA PRIVATE KEY-----';
		const part = `1\t${begin}\n2\t${body}\n3\t${body}=\n\nconst after = 1;\n`;
		expect(redactSecrets(part)).toBe('1\t[secret left out: private key]\n\nconst after = 1;\n');
		const whole = `${begin}\n${body}\nQQ==\n-----END RSA PRIVATE KEY-----\nafter`;
		expect(redactSecrets(whole)).toBe('[secret left out: private key]\nafter');
		expect(redactSecrets(`"${whole.replaceAll('\n', '\\n')}"`)).not.toContain(body);
		expect(redactSecrets(`${begin}\n!\n`.repeat(100_000))).not.toContain('BEGIN');
	});
});
