import { describe, expect, it, vi } from 'vitest';
import { PROJECT_SETTINGS_PATH, type SessionOptions } from '#agent/index.ts';
import type { TodoItem } from '#agent/todo.ts';
import type { DiagnosticsService } from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { inTime } from '../in-time.ts';
import { fakeSession, ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const writing = (name: string) =>
	fakeTool(
		name,
		async (_, { environment }) => {
			await environment.writeFile('out.txt', 'x');
			return 'written';
		},
		'write'
	);
const write = writing('write');
const shell = writing('shell');
const call = (name: string, args: Record<string, unknown> = {}) => ({ calls: [{ name, arguments: args }] });

describe('a tool call', () => {
	it.each([
		[5, 7, 5],
		[undefined, 7, 7],
		[undefined, undefined, 10_000]
	])('has the time of the host, %s, or of the profile, %s', async (ofHost, ofProfile, expected) => {
		const show = fakeTool('show', (_, { limits }) => String(limits.defaultCommandTimeoutMs));
		const { session, seen } = await fakeSession([call('show'), { text: 'Done.' }], {
			profile: fakeProfile([show], ofProfile === undefined ? {} : { defaultCommandTimeoutMs: ofProfile }),
			...(ofHost === undefined ? {} : { defaultCommandTimeoutMs: ofHost })
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'tool_call_end')[0]?.output).toBe(String(expected));
	});

	it('reads and replaces the task list of its session', async () => {
		const items: TodoItem[] = [{ content: 'Mend it', status: 'pending' }];
		const plan = fakeTool('plan', (_, { todo }) => (todo.replace(items), JSON.stringify(todo.read())), 'none');
		const { session, seen } = await fakeSession([call('plan'), { text: 'Done.' }], { profile: fakeProfile([plan]) });
		await session.submit('Go').result;
		expect([session.todo, JSON.parse(ofType(seen, 'tool_call_end')[0]?.output ?? '')]).toEqual([items, items]);
	});

	it('asks the user with the choices that it has', async () => {
		const asks = fakeTool(
			'ask',
			async ({ question, options, multiple }, { askUser }) =>
				(await askUser?.(String(question), options as string[], multiple as boolean)) ?? 'no one',
			'none'
		);
		const choices = { question: 'Which?', options: ['a', 'b'], multiple: true };
		const turns = [call('ask', choices), call('ask', { question: 'Its name?' }), { text: 'Done.' }];
		const { session, seen } = await fakeSession(turns, { profile: fakeProfile([asks]) });
		const { result } = session.submit('Go');
		const { type, callId } = await inTime(untilEvent(session, 'question'), 'the question');
		session.answer('b');
		await vi.waitFor(() => expect(ofType(seen, 'question')).toHaveLength(2));
		session.answer('x');
		await result;
		const asked = (question: object) => ({ ...question, callId: expect.any(String) });
		expect([type, callId]).toEqual(['question', ofType(seen, 'tool_call_start')[0]?.callId]);
		expect(
			ofType(seen, 'question').map(({ type: _, seq: __, sessionId: ___, timestamp: ____, ...question }) => question)
		).toEqual([asked(choices), asked({ question: 'Its name?' })]);
		expect(ofType(seen, 'tool_call_end').map(({ output }) => output)).toEqual(['b', 'x']);
	});

	it('has a checkpoint before it where it is a command, except on a fork', async () => {
		const labels = async (mode: SessionOptions['mode'] & string): Promise<string[]> => {
			const checkpoint = vi.fn<NonNullable<SessionOptions['checkpoint']>>(async () => ({ id: 'c', tree: 't' }));
			const { session } = await fakeSession([call('write'), call('shell'), { text: 'Done.' }], {
				profile: fakeProfile([write, shell]),
				checkpoint,
				mode
			});
			await session.submit('Go').result;
			await session.close();
			return checkpoint.mock.calls.map(([label]) => label);
		};
		expect(await labels('full')).toEqual(['turn', 'turn', 'command', 'turn']);
		expect(await labels('fork')).toEqual(['turn', 'turn', 'turn']);
	});
});

describe('hooks of a project around a tool call', () => {
	async function project(event: string, command: string) {
		const environment = await temporaryEnvironment();
		await environment.writeFile(PROJECT_SETTINGS_PATH, JSON.stringify({ hooks: [{ event, command }] }));
		const { session, seen } = await fakeSession([call('write'), { text: 'Done.' }], {
			environment,
			profile: fakeProfile([write]),
			projectHooks: { isTrusted: () => true }
		});
		await session.submit('Go').result;
		return { seen, changes: ofType(seen, 'file_change').map(({ path, by }) => [path, by]) };
	}

	it('refuse it for good, and what they changed by then is a command’s change', async () => {
		const { seen, changes } = await project('before_tool', 'touch made; exit 1');
		expect(changes).toEqual([['made', 'shell']]);
		expect(ofType(seen, 'tool_call_end')).toMatchObject([{ isError: true, details: { refused: true, blocked: true } }]);
	});

	it('change with it what it changes', async () => {
		const { changes } = await project('after_tool', 'touch made');
		expect(changes).toEqual([
			['made', 'tool'],
			['out.txt', 'tool']
		]);
	});
});

describe('problems in the files', () => {
	const shown = (name: string, access: 'none' | 'read') =>
		fakeTool(name, () => ({ content: 'text', details: { path: `${name}.ts` }, isError: false }), access);

	it.each([
		[true, 1],
		[false, 0]
	])('are looked for in what was read, where the host wants that: %s', async (diagnostics, files) => {
		const prepared: string[] = [];
		const service = { prepare: (paths: string[]) => void prepared.push(...paths) } as unknown as DiagnosticsService;
		const environment = new (class extends DelegatingEnvironment {
			override get diagnostics(): DiagnosticsService {
				return service;
			}
		})(await temporaryEnvironment());
		const { session, seen } = await fakeSession([call('look'), call('think'), { text: 'Done.' }], {
			environment,
			profile: fakeProfile([shown('look', 'read'), shown('think', 'none')]),
			diagnostics
		});
		await session.submit('Go').result;
		expect(ofType(seen, 'tool_call_end').map(({ isError }) => isError)).toEqual([false, false]);
		expect(prepared).toEqual(Array(files).fill(`${environment.workingDirectory()}/look.ts`));
	});
});
