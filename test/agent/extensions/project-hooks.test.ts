import { describe, expect, it } from 'vitest';
import type { SessionOptions } from '#agent/index.ts';
import { parseProjectHooks, PROJECT_SETTINGS_PATH, ProjectSettingsError } from '#agent/index.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { FakeClient, type FakeTurn } from '../fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment } from '../fake-session.ts';
import { echo, fakeProfile, fakeTool } from '../fake-tools.ts';

const write = fakeTool(
	'write_file',
	async ({ path, text }, { environment }) => {
		await environment.writeFile(String(path), String(text));
		return `wrote ${String(path)}`;
	},
	'write'
);
const writing = (text = 'x'): FakeTurn => ({ calls: [{ name: 'write_file', arguments: { path: 'a.txt', text } }] });

/** A session in a project with these hooks, all of them allowed. */
async function project(
	hooks: readonly Record<string, unknown>[],
	turns: FakeTurn[],
	options: Partial<SessionOptions> = {}
) {
	const environment = await temporaryEnvironment();
	const settings = JSON.stringify({ hooks });
	await environment.writeFile(PROJECT_SETTINGS_PATH, settings);
	const session = await fakeSession(turns, {
		environment,
		profile: fakeProfile([echo, write]),
		projectHooks: { isTrusted: (text) => text === settings },
		...options
	});
	return { ...session, environment };
}

/** Text of the tool result in the model's next request. */
function resultOf(client: FakeClient, request = 1): string {
	const part = client.requests[request]?.messages.at(-1)?.content[0];
	if (part?.type !== 'tool_result') throw new Error('There is no result.');
	return part.content;
}

/** Everything sent to the model, as text. */
const sent = (client: FakeClient, request: number): string => JSON.stringify(client.requests[request]?.messages);

describe('hooks of a project', () => {
	it('refuse a call, with what they print as the reason', async () => {
		const { session, client, seen, environment } = await project(
			[{ event: 'before_tool', tools: ['write_file'], command: 'cat; echo; echo "Not on main." >&2; exit 2' }],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(await environment.fileExists('a.txt')).toBe(false);
		expect(resultOf(client)).toMatch(/^Not run: a hook of this project refused it \(.*exit code 2\)\.\n/);
		expect(resultOf(client)).toContain(
			'{"event":"before_tool","tool":"write_file","arguments":{"path":"a.txt","text":"x"}}'
		);
		expect(resultOf(client)).toContain('Not on main.');
		expect(ofType(seen, 'hook_run')).toMatchObject([{ event: 'before_tool', exitCode: 2, callId: expect.any(String) }]);
	});

	it('let a call through, and leave other tools alone', async () => {
		const { session, client, seen } = await project(
			[{ event: 'before_tool', tools: ['write_file'], command: 'exit 0' }],
			[writing(), { calls: [{ name: 'echo', arguments: { text: 'out' } }] }, { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(resultOf(client)).toBe('wrote a.txt');
		expect(ofType(seen, 'hook_run')).toHaveLength(1);
	});

	it('go by the name that the model uses, too', async () => {
		const { session, seen, client } = await project(
			[{ event: 'before_tool', tools: ['Bash'], command: 'exit 1' }],
			[{ calls: [{ name: 'Bash', arguments: { command: 'touch made' } }] }, { text: 'Done.' }],
			{ profile: createAnthropicProfile({ model: 'claude-opus-4-6' }) }
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'hook_run')).toMatchObject([{ exitCode: 1 }]);
		expect(sent(client, 1)).toContain('Not run: a hook');
	});

	it('add to the result of a call, and change the files that it changed', async () => {
		const format = `node -e '
			const { paths } = JSON.parse(require("fs").readFileSync(0));
			for (const path of paths) require("fs").writeFileSync(path, "formatted");
			console.log("formatted", ...paths);
		'`;
		const { session, client, environment } = await project(
			[{ event: 'after_tool', tools: ['write_file'], command: format }],
			[writing('raw'), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(await environment.readFile('a.txt')).toBe('formatted');
		expect(resultOf(client)).toMatch(/^wrote a\.txt\n\n\[Hook of this project: [^]*\]\nformatted a\.txt$/);
		// The hook's change belongs to the call: undo reverts both.
		await session.undo();
		expect(await environment.fileExists('a.txt')).toBe(false);
	});

	it('report what they change after a tool that only reads, and not as the user’s', async () => {
		const { session, seen } = await project(
			[{ event: 'after_tool', tools: ['echo'], command: 'echo one > made.txt' }],
			[{ calls: [{ name: 'echo' }] }, { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change')).toMatchObject([{ path: 'made.txt', by: 'shell' }]);
	});

	it('report a failure beside the result', async () => {
		const { session, client } = await project(
			[{ event: 'after_tool', command: 'echo "2 problems"; exit 1' }],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(resultOf(client)).toContain('failed, exit code 1]\n2 problems');
	});

	it('add nothing when they pass and print nothing', async () => {
		const { session, client } = await project(
			[
				{ event: 'after_tool', command: 'true' },
				{ event: 'message', command: 'true' }
			],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(client.requests[0]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
		expect(resultOf(client)).toBe('wrote a.txt');
	});

	it('add one below the other, each with its command', async () => {
		const { session, client } = await project(
			[
				{ event: 'after_tool', command: 'echo one' },
				{ event: 'after_tool', command: 'exit 3' }
			],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(resultOf(client)).toBe(
			'wrote a.txt\n\n[Hook of this project: `echo one`]\none\n[Hook of this project: `exit 3` failed, exit code 3]'
		);
	});

	it('follow the note that a result has already', async () => {
		const noted = fakeTool('noted', () => ({ content: 'text', note: 'a note', isError: false }));
		const { session, client } = await project(
			[{ event: 'after_tool', command: 'echo one' }],
			[{ calls: [{ name: 'noted' }] }, { text: 'Done.' }],
			{ profile: fakeProfile([noted]) }
		);
		await session.submit('Go').result;
		expect(resultOf(client)).toBe('text\n\na note\n[Hook of this project: `echo one`]\none');
	});

	it('are given the files that a call changed, moved and removed ones too', async () => {
		const change = fakeTool(
			'change',
			async (_, { environment }) => {
				await environment.exec('mkdir -p z node_modules/b; touch z/new node_modules/b/c; mv old moved');
				return 'changed';
			},
			'write'
		);
		const { session, client, environment } = await project(
			[{ event: 'after_tool', command: 'node -p "JSON.parse(fs.readFileSync(0)).paths.join()"' }],
			[{ calls: [{ name: 'change' }] }, { text: 'Done.' }],
			{ profile: fakeProfile([change]) }
		);
		await environment.writeFile('old', 'x');
		await session.submit('Go').result;
		expect(resultOf(client)).toMatch(/\]\nmoved,old,z\/new$/);
	});

	it('pass on the first and the last part of a long output', async () => {
		const { session, client, seen } = await project(
			[{ event: 'after_tool', command: 'echo first; seq 5000; echo last' }],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		const [ran] = ofType(seen, 'hook_run');
		expect(ran?.output).toMatch(/^first\n[^]*removed from the middle[^]*\nlast$/);
		expect(ran?.output.length).toBeLessThan(8_500);
		expect(ran?.durationMs).toBeGreaterThan(0);
		expect(ran?.durationMs).toBeLessThan(60_000);
		expect(resultOf(client)).toContain('\nlast');
	});

	it('say that a message’s command failed', async () => {
		const { session, client, seen } = await project(
			[{ event: 'message', command: 'echo "no network"; exit 7' }],
			[{ text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'notice').map(({ message }) => message)).toEqual([
			'[Hook of this project: `echo "no network"; exit 7` failed, exit code 7]\nno network'
		]);
		expect(sent(client, 0)).toContain('no network');
		expect(ofType(seen, 'hook_run')).toEqual([expect.not.objectContaining({ callId: expect.anything() })]);
	});

	it('add to a message', async () => {
		const { session, client } = await project(
			[{ event: 'message', command: 'cat; echo; echo "branch main"' }],
			[{ text: 'Done.' }]
		);
		await session.submit('Fix it').result;
		expect(sent(client, 0)).toMatch(/branch main.*Fix it/);
		expect(sent(client, 0)).toContain(JSON.stringify('{"event":"message","message":"Fix it"}').slice(1, -1));
	});

	it('send the agent back to work when their check fails at the end', async () => {
		const { session, client, seen, environment } = await project(
			[{ event: 'end', command: 'test -e a.txt || { echo "a.txt is missing"; exit 1; }' }],
			[{ text: 'Done.' }, writing(), { text: 'Done now.' }]
		);
		const result = await session.submit('Go').result;
		expect(result).toMatchObject({ text: 'Done now.', stopReason: 'end_turn' });
		expect(await environment.fileExists('a.txt')).toBe(true);
		expect(sent(client, 1)).toContain('a.txt is missing');
		expect(sent(client, 1)).toContain('failed, exit code 1]\\na.txt is missing');
		expect(ofType(seen, 'notice')).toMatchObject([{ message: expect.stringContaining('a.txt is missing') }]);
		expect(ofType(seen, 'hook_run').map(({ exitCode }) => exitCode)).toEqual([1, 0]);
	});

	it('read the last words of the agent', async () => {
		const { session, client } = await project(
			[{ event: 'end', command: 'grep -q "Ready" || exit 1' }],
			[{ text: 'Not yet.' }, { text: 'Ready.' }]
		);
		await session.submit('Go').result;
		expect(client.requests).toHaveLength(2);
	});

	it('send it back three times for one message', async () => {
		const turns = Array.from({ length: 8 }, (_, index) => ({ text: `Done ${index}.` }));
		const { session, client } = await project([{ event: 'end', command: 'exit 1' }], turns);
		expect(await session.submit('Go').result).toMatchObject({ text: 'Done 3.' });
		await session.submit('Again').result;
		expect(client.requests).toHaveLength(8);
	});

	it('are ended at their own limit', async () => {
		const { session, client, seen } = await project(
			[{ event: 'before_tool', command: 'sleep 60', timeout_seconds: 0.2 }],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(resultOf(client)).toContain('did not finish).\nIt was ended after its limit of 0.2 s.');
		expect(ofType(seen, 'hook_run')).toMatchObject([{ exitCode: null }]);
	});

	it.each([
		['before_tool', false],
		['after_tool', true],
		['message', false],
		['end', true]
	])('end with the run that is stopped: %s', async (event, isWritten) => {
		const { session, client, seen, environment } = await project(
			[
				{ event, command: 'touch started; sleep 60' },
				{ event, command: 'touch second' }
			],
			[writing(), { text: 'Done.' }, { text: 'Again.' }]
		);
		const run = session.submit('Go');
		await expect.poll(() => environment.fileExists('started')).toBe(true);
		const requests = client.requests.length;
		await session.stop();
		await run.result;
		expect(ofType(seen, 'hook_run')).toEqual([]);
		expect(await environment.fileExists('second')).toBe(false);
		expect(await environment.fileExists('a.txt')).toBe(isWritten);
		expect(client.requests).toHaveLength(requests);
	});

	it('are refused in plan mode if they change anything, with the reason', async () => {
		const { session, client } = await project(
			[{ event: 'before_tool', tools: ['echo'], command: 'touch made' }],
			[{ calls: [{ name: 'echo' }] }, { text: 'Done.' }],
			{ mode: 'plan' }
		);
		await session.submit('Go').result;
		expect(resultOf(client)).toMatch(/did not finish\)\.\nPlan mode: /);
	});

	it('are asked about as hooks', async () => {
		const asked: string[] = [];
		const { session, environment } = await project(
			[{ event: 'before_tool', tools: ['echo'], command: 'touch made' }],
			[{ calls: [{ name: 'echo' }] }, { text: 'Done.' }],
			{
				mode: 'ask',
				askPermission: ({ description }) => {
					asked.push(description);
					return Promise.resolve({ kind: 'allow_once' });
				}
			}
		);
		await session.submit('Go').result;
		expect(asked).toEqual(['Run the hook `touch made`']);
		expect(await environment.fileExists('made')).toBe(true);
	});

	it('may do what the agent may, and no more', async () => {
		const { session, client, environment } = await project(
			[{ event: 'before_tool', tools: ['echo'], command: 'touch made' }],
			[{ calls: [{ name: 'echo' }] }, { text: 'Done.' }],
			{ mode: 'ask', askPermission: () => Promise.resolve({ kind: 'deny' }) }
		);
		await session.submit('Go').result;
		expect(await environment.fileExists('made')).toBe(false);
		expect(resultOf(client)).toContain('The user did not allow it');
	});

	it('never pass a secret on', async () => {
		const secret = `sk-ant-api03-${'a1B2c3D4'.repeat(11)}`;
		const { session, client, seen } = await project(
			[{ event: 'after_tool', command: `echo ${secret.slice(0, 20)}"${secret.slice(20)}"` }],
			[writing(), { text: 'Done.' }]
		);
		await session.submit('Go').result;
		expect(resultOf(client)).not.toContain(secret);
		expect(ofType(seen, 'hook_run')[0]?.output).not.toContain(secret);
	});
});

describe('trust in the hooks of a project', () => {
	const marks = [{ event: 'message', command: 'echo "the hook ran"' }];

	it.each([
		['the host does not use them', undefined],
		['the user has not allowed them', { isTrusted: () => false }]
	])('is needed: none runs if %s', async (_, projectHooks) => {
		const { session, client, seen } = await project(marks, [{ text: 'Done.' }], { projectHooks });
		await session.submit('Go').result;
		expect(sent(client, 0)).not.toContain('the hook ran');
		expect(ofType(seen, 'hook_run')).toEqual([]);
	});

	it('ends with a change of the file, and says so once', async () => {
		const { session, client, seen, environment } = await project(marks, [{ text: 'A' }, { text: 'B' }, { text: 'C' }]);
		await session.submit('One').result;
		expect(sent(client, 0)).toContain('the hook ran');
		await environment.writeFile(PROJECT_SETTINGS_PATH, '{"hooks":[{"event":"message","command":"echo changed"}]}');
		await session.submit('Two').result;
		await session.submit('Three').result;
		expect(ofType(seen, 'hook_run')).toHaveLength(1);
		expect(ofType(seen, 'warning')).toMatchObject([
			{ code: 'project_hooks', message: expect.stringContaining('has changed since you allowed it') }
		]);
	});

	it.each([
		['a file that is gone', 'rm .sandglass/settings.json'],
		['a folder in its place', 'rm .sandglass/settings.json; mkdir .sandglass/settings.json'],
		['a file that is too large', 'head -c 70000 /dev/zero >> .sandglass/settings.json']
	])('says that nothing runs any more: %s', async (_, command) => {
		const { session, seen, environment } = await project(marks, [{ text: 'A' }, { text: 'B' }], {
			projectHooks: { isTrusted: () => true }
		});
		await session.submit('One').result;
		await environment.exec(command);
		await session.submit('Two').result;
		expect(ofType(seen, 'hook_run')).toHaveLength(1);
		expect(ofType(seen, 'warning').map(({ message }) => message)).toEqual([
			'The hooks of this project no longer run: .sandglass/settings.json is gone or cannot be read.'
		]);
	});

	it('does not reach a file that the agent changes during its run', async () => {
		const settings = JSON.stringify({ hooks: [{ event: 'message', command: 'echo swapped' }] });
		const { session, seen } = await project(
			[{ event: 'end', command: 'true' }],
			[
				{ calls: [{ name: 'write_file', arguments: { path: PROJECT_SETTINGS_PATH, text: settings } }] },
				{ text: 'Done.' }
			]
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'hook_run').map(({ command }) => command)).toEqual(['true']);
	});

	it('says why a file that was allowed cannot be used', async () => {
		const { session, seen } = await project([{ event: 'start', command: 'true' }], [{ text: 'A' }, { text: 'B' }]);
		await session.submit('One').result;
		await session.submit('Two').result;
		expect(ofType(seen, 'warning').map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The hooks of this project do not run\. \.sandglass\/settings\.json, hooks\.0\.event: /)
		]);
	});
});

describe('a settings file', () => {
	it('has defaults', () => {
		expect(parseProjectHooks('{"hooks":[{"event":"end","command":"npm test"}]}')).toEqual([
			{ event: 'end', command: 'npm test', timeout_seconds: 60 }
		]);
		expect(parseProjectHooks('{}')).toEqual([]);
	});

	it.each([
		['{', /is not valid JSON/],
		['[]', /settings\.json: /],
		['{"hook":[]}', /hook/],
		['{"hooks":[{"event":"end"}]}', /hooks\.0\.command/],
		['{"hooks":[{"event":"end","command":" "}]}', /hooks\.0\.command/],
		['{"hooks":[{"event":"end","command":"x","tools":["shell"]}]}', /tools/],
		['{"hooks":[{"event":"before_tool","command":"x","tools":[]}]}', /hooks\.0\.tools/],
		['{"hooks":[{"event":"end","command":"x","timeout_seconds":0}]}', /hooks\.0\.timeout_seconds/],
		['{"hooks":[{"event":"end","command":"x","timeout_seconds":601}]}', /hooks\.0\.timeout_seconds/],
		[JSON.stringify({ hooks: Array(21).fill({ event: 'end', command: 'x' }) }), /hooks/]
	])('%s is refused, naming the place', (text, message) => {
		expect(() => parseProjectHooks(text)).toThrow(ProjectSettingsError);
		expect(() => parseProjectHooks(text)).toThrow(message);
	});
});
