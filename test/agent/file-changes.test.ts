import { describe, expect, it } from 'vitest';
import { fakeSession, ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const write = fakeTool(
	'write',
	async ({ text }, { environment, propose }) => {
		const after = new TextEncoder().encode(String(text));
		await propose({ kind: 'write', path: 'a.txt', before: null, after, description: 'Write a.txt' });
		await environment.writeFile('a.txt', after);
		return 'written';
	},
	'write'
);
const shell = fakeTool(
	'shell',
	async ({ command }, { environment }) => (await environment.exec(String(command))).stdout,
	'write'
);
const profile = fakeProfile([write, shell]);
const writes = (text: string) => ({ calls: [{ name: 'write', arguments: { text } }] });

describe('files a session changes', () => {
	it.each([
		['named by .gitignore', { '.gitignore': 'dist/\n' }, 'dist'],
		['named by .ignore', { '.ignore': 'out/\n' }, 'out'],
		['of installed packages', {}, 'node_modules/left-pad'],
		['of a nested project’s packages', {}, 'packages/a/node_modules/left-pad'],
		['of a cache', {}, 'src/__pycache__'],
		['of git', {}, '.git/objects']
	])('are not reported where they are ignored: %s', async (_, files: Record<string, string>, folder) => {
		const environment = await temporaryEnvironment();
		for (const [path, text] of Object.entries(files)) await environment.writeFile(path, text);
		const command = `mkdir -p ${folder} && cd ${folder} && for i in $(seq 250); do echo $i > f$i; done; cd - && echo 1 > real.txt`;
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'shell', arguments: { command } }] }, { text: 'Ok.' }],
			{ profile, environment }
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change').map(({ path }) => path)).toEqual(['real.txt']);
		expect(ofType(seen, 'warning')).toEqual([]);
		expect(session.files.history.paths()).toEqual(['real.txt']);
		expect(await session.undo()).toContain('real.txt');
		expect(await environment.fileExists(`${folder}/f7`)).toBe(false);
	});

	it('are reported where an ignore file takes a folder back in', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('.gitignore', '!node_modules/\n');
		const command = 'mkdir -p node_modules/own && echo 1 > node_modules/own/index.js';
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'shell', arguments: { command } }] }, { text: 'Ok.' }],
			{ profile, environment }
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change').map(({ path }) => path)).toEqual(['node_modules/own/index.js']);
	});

	it('are reported where a tool wrote an ignored one by its name', async () => {
		const environment = await temporaryEnvironment();
		await environment.writeFile('.gitignore', 'a.txt\n');
		const { session, seen } = await fakeSession([writes('one\n'), { text: 'Ok.' }], { profile, environment });
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change').map(({ path }) => path)).toEqual(['a.txt']);
	});

	it('of the user’s own are not reported either where they are ignored', async () => {
		const environment = await temporaryEnvironment();
		const { session, seen } = await fakeSession([{ text: 'Ok.' }], { profile, environment });
		for (let index = 0; index < 250; index++) await environment.writeFile(`node_modules/p/f${index}.js`, 'x');
		await environment.writeFile('real.txt', 'x');
		await untilEvent(session, 'file_change');
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change').map(({ path }) => path)).toEqual(['real.txt']);
		expect(ofType(seen, 'warning')).toEqual([]);
	});

	it.each([
		['another change is being told', true],
		['a call is beginning', false]
	])('of the user’s own are reported where they come while %s', async (_, waits) => {
		const environment = await temporaryEnvironment();
		const { session, seen } = await fakeSession([writes('one'), { text: 'Ok.' }], { profile, environment });
		const snapshot = environment.snapshot.bind(environment);
		let isLate = false;
		environment.snapshot = async () => {
			// After the tree was requested, and before it was read.
			if (!isLate) {
				isLate = true;
				await environment.writeFile('late.txt', 'late');
			}
			return snapshot();
		};
		if (waits) {
			await environment.writeFile('first.txt', 'x');
			await untilEvent(session, 'file_change');
		}
		await session.submit('Go').result;
		const expected = [...(waits ? ['first.txt'] : []), 'late.txt', 'a.txt'];
		expect(ofType(seen, 'file_change').map(({ path }) => path)).toEqual(expected);
		expect(ofType(seen, 'file_change').map(({ by }) => by)).toEqual(
			expected.map((path) => (path === 'a.txt' ? 'tool' : 'user'))
		);
		expect(await session.undo()).toEqual(['a.txt']);
		expect(await environment.readFile('late.txt')).toBe('late');
	});

	it('are reported once a call with their counted lines, a shell’s writes too', async () => {
		const environment = await temporaryEnvironment();
		const { session, seen } = await fakeSession(
			[
				writes('one\ntwo\n'),
				writes('one\nthree\nfour\n'),
				{ calls: [{ name: 'shell', arguments: { command: 'rm a.txt' } }] },
				{ text: 'Ok.' }
			],
			{ profile, environment }
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'file_change')).toMatchObject([
			{ path: 'a.txt', kind: 'added', added: 2, removed: 0, by: 'tool' },
			{ path: 'a.txt', kind: 'modified', added: 2, removed: 1, by: 'tool' },
			{ path: 'a.txt', kind: 'removed', added: 0, removed: 3, by: 'shell' }
		]);
	});

	it('are put back one call after another', async () => {
		const environment = await temporaryEnvironment();
		const { session } = await fakeSession([writes('one'), writes('two'), { text: 'Ok.' }], { profile, environment });
		await session.submit('Go').result;
		expect(await session.undo()).toEqual(['a.txt']);
		expect(await environment.readFile('a.txt')).toBe('one');
		expect(await session.undo()).toEqual(['a.txt']);
		expect(await environment.fileExists('a.txt')).toBe(false);
		expect(await session.undo()).toBeNull();
	});

	it('are said to be the user’s when no tool is at work', async () => {
		const environment = await temporaryEnvironment();
		const { session } = await fakeSession([], { environment });
		await environment.writeFile('mine.txt', 'hello\n');
		expect(await untilEvent(session, 'file_change')).toMatchObject({ path: 'mine.txt', by: 'user' });
	});

	it('have a checkpoint before each turn and each command', async () => {
		const labels: string[] = [];
		const checkpoint = (label: string) => Promise.resolve({ id: `c${labels.push(label)}`, tree: 't' });
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'shell', arguments: { command: 'true' } }] }, { text: 'Ok.' }],
			{
				profile,
				checkpoint
			}
		);
		await session.submit('Go').result;
		expect(labels).toEqual(['turn', 'command', 'turn']);
		expect(ofType(seen, 'checkpoint').map(({ checkpointId }) => checkpointId)).toEqual(['c1', 'c2', 'c3']);
		expect(session.log.entries().filter(({ type }) => type === 'checkpoint')).toHaveLength(3);
	});
});

describe('permission', () => {
	it('is asked for with who, what and why, and the decision is reported [A-7]', async () => {
		const { session, seen } = await fakeSession([writes('one'), { text: 'Ok.' }], {
			profile,
			mode: 'ask',
			askPermission: () => Promise.resolve({ kind: 'allow_once' })
		});
		expect((await session.submit('Go').result).stopReason).toBe('end_turn');
		expect(ofType(seen, 'permission_request')).toMatchObject([
			{
				sessionId: session.id,
				agentId: 'main',
				toolName: 'write',
				action: 'write',
				path: 'a.txt',
				description: 'Write a.txt',
				diff: expect.stringContaining('+one')
			}
		]);
		expect(ofType(seen, 'permission_resolved')).toMatchObject([{ decision: { kind: 'allow_once' } }]);
	});

	it('denied ends the run and writes nothing [A-8]', async () => {
		const environment = await temporaryEnvironment();
		const left = { name: 'shell', arguments: { command: 'touch b.txt' } };
		const { session, client } = await fakeSession([{ calls: [...writes('one').calls, left] }, { text: 'never' }], {
			profile,
			environment,
			mode: 'ask',
			askPermission: () => Promise.resolve({ kind: 'deny' })
		});
		expect((await session.submit('Go').result).stopReason).toBe('permission_denied');
		expect(await environment.fileExists('a.txt')).toBe(false);
		expect(await environment.fileExists('b.txt')).toBe(false);
		expect(client.requests).toHaveLength(1);
		const answers = session.conversation.messages.at(-1)?.content;
		expect(answers).toMatchObject([{ isError: true }, { isError: true }]);
	});

	it('denied with an explanation goes on with it as the result', async () => {
		const { session, client } = await fakeSession([writes('one'), { text: 'Ok.' }], {
			profile,
			mode: 'ask',
			askPermission: () => Promise.resolve({ kind: 'deny_explain', explanation: 'Write b.txt instead.' })
		});
		expect((await session.submit('Go').result).stopReason).toBe('end_turn');
		expect(JSON.stringify(client.requests[1]?.messages)).toContain('Write b.txt instead.');
	});

	it('is no longer waited for when the run is stopped', async () => {
		const { session, seen } = await fakeSession([writes('one')], {
			profile,
			mode: 'ask',
			askPermission: (_, signal) =>
				new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
		});
		const run = session.submit('Go');
		await untilEvent(session, 'permission_request');
		await session.stop();
		expect((await run.result).stopReason).toBe('aborted');
		expect(ofType(seen, 'permission_resolved')).toHaveLength(1);
	});
});
