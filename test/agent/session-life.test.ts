import { describe, expect, it, vi } from 'vitest';
import { MemoryLog, Session, SESSION_LOG_VERSION, SessionClosedError } from '#agent/index.ts';
import type { EventBody } from '#agent/events.ts';
import type { EntryBody } from '#agent/session-log.ts';
import type { SessionParent } from '#agent/session-parts.ts';
import { ServerError } from '#llm/errors.ts';
import { inTime } from '../in-time.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment, untilEvent } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const SESSION: EntryBody = { type: 'session', version: SESSION_LOG_VERSION, sessionId: 's', title: 'Mend it' };

/** A log with the given events of a session. */
function logOf(...events: EventBody[]): MemoryLog {
	const log = new MemoryLog();
	log.append(SESSION);
	for (const [index, body] of events.entries())
		log.append({ type: 'event', event: { ...body, sessionId: 's', seq: index + 1, timestamp: 1 } });
	return log;
}
const eventsOf = (log: MemoryLog): string[] =>
	log.entries().flatMap((entry) => (entry.type === 'event' ? [entry.event.type] : []));
const start: EventBody = { type: 'session_start', provider: 'fake', model: 'fake-1' };
const end: EventBody = { type: 'session_end', state: 'closed' };
const notice: EventBody = { type: 'notice', message: 'Hm.' };
const asks = fakeTool('ask_user', async (_, context) => (await context.askUser?.('Which?')) ?? '', 'none');

describe('a session that is opened', () => {
	it('has the id of its log, which it continues, or one of its own', async () => {
		const log = logOf(start);
		const { session } = await fakeSession([], { log });
		expect(session.id).toBe('s');
		expect(log.entries().filter(({ type }) => type === 'session')).toHaveLength(1);
		const fresh = await fakeSession([]);
		expect(fresh.session.id).toMatch(/^[0-9a-f-]{36}$/);
		const { id: sessionId } = fresh.session;
		expect(fresh.session.log.entries()[0]).toMatchObject({ ...SESSION, sessionId, title: '' });
	});

	it('begins its log where a host has only put something into it', async () => {
		const log = new MemoryLog();
		log.append({ type: 'model_change', provider: 'fake', model: 'fake-1' });
		const { session } = await fakeSession([], { log, id: 'mine' });
		expect(log.entries().find(({ type }) => type === 'session')).toMatchObject({ sessionId: session.id });
		expect(session.id).toBe('mine');
	});

	it.each([
		['never was', [], 1],
		['was left open', [start, notice], 0],
		['was closed', [start, notice, end, notice], 1]
	])('starts once, where it %s', async (_, events, starts) => {
		const log = logOf(...events);
		await fakeSession([], { log });
		const before = events.filter(({ type }) => type === 'session_start').length;
		expect(eventsOf(log).filter((type) => type === 'session_start')).toHaveLength(before + starts);
	});

	it('still waits for its answer, whatever came after the question', async () => {
		const asked: EventBody = { type: 'state_change', from: 'processing', to: 'awaiting_input' };
		const { session, client } = await fakeSession([{ text: 'Thanks.' }], { log: logOf(start, asked, notice) });
		expect(session.state).toBe('awaiting_input');
		session.answer('a.ts');
		await session.close();
		expect(client.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'a.ts' }] }]);
	});

	it('tells its hooks of its events where one of them listens', async () => {
		const seen: string[] = [];
		const { session } = await fakeSession([{ text: 'Done.' }], {
			hooks: [{}, { onEvent: ({ type }) => void seen.push(type) }]
		});
		await session.submit('Go').result;
		expect(seen).toContain('agent_end');
	});

	it('forks under the id that the host gives, or another one', async () => {
		const { session } = await fakeSession([]);
		const [entry] = session.log.entries();
		expect(session.fork(entry?.id ?? '', { id: 'mine' }).id).toBe('mine');
		const { id } = session.fork(entry?.id ?? '');
		expect(id).toMatch(/^[0-9a-f-]{36}$/);
		expect(id).not.toBe(session.id);
	});
});

describe('a session at work', () => {
	it('takes messages to steer by, which interrupt only where they are to', async () => {
		const { session } = await fakeSession([]);
		session.steer('Use tabs');
		expect(session.mailbox.interrupting()).toBe(false);
		session.steer('No, spaces', { interrupt: true });
		expect(session.mailbox.interrupting()).toBe(true);
		const later = [[{ type: 'text' as const, text: 'Later' }]];
		session.setFollowUps(later);
		expect(session.queues.followUps).toEqual(later);
	});

	it('is idle once its stop has ended, and tells its tools why', async () => {
		const reasons: unknown[] = [];
		const hangs = fakeTool('hangs', async (_, { signal }) => {
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
			reasons.push(signal.reason);
			return 'Stopped.';
		});
		const { session } = await fakeSession([{ calls: [{ name: 'hangs' }] }], { profile: fakeProfile([hangs]) });
		session.submit('Go');
		await untilEvent(session, 'tool_call_start');
		await session.stop();
		expect(session.state).toBe('idle');
		expect(reasons).toMatchObject([{ name: 'AbortError', message: 'The run was stopped.' }]);
	});

	it('waits for the answer to its question, and closes without one', async () => {
		const { session } = await fakeSession([{ calls: [{ name: 'ask_user' }] }], { profile: fakeProfile([asks]) });
		const { result } = session.submit('Go');
		await untilEvent(session, 'question');
		expect(() => session.submit('b')).toThrow('The agent waits for an answer. Call answer(), or stop it first.');
		await inTime(session.close(), 'the end of the session');
		expect([session.state, (await result).stopReason]).toEqual(['closed', 'aborted']);
	});

	it('takes nothing more once it is being closed', async () => {
		const { session } = await fakeSession([{ text: 'Done.' }]);
		const { result } = session.submit('Go');
		const closed = session.close();
		expect(session.state).toBe('processing');
		expect(() => session.followUp('More')).toThrow(SessionClosedError);
		await closed;
		expect((await result).text).toBe('Done.');
	});

	it('does not wait for an answer to a question in a response that failed', async () => {
		const error = new ServerError({ provider: 'fake' });
		const { session } = await fakeSession([{ text: 'Which file?', error }]);
		expect(await session.submit('Go').result).toMatchObject({ stopReason: 'error', text: 'Which file?' });
		expect(session.state).toBe('idle');
	});
});

describe('a change of the settings', () => {
	it('names what makes the provider forget what it has cached', async () => {
		const { session, seen } = await fakeSession([{ text: 'Done.' }]);
		await session.submit('Go').result;
		const changed = (): string[] =>
			ofType(seen, 'warning').flatMap(({ message }) => /^The (.+) changed: /.exec(message)?.[1] ?? []);
		session.setMode('auto-edit');
		expect(changed()).toEqual([]);
		session.setMode('plan');
		session.setModel(fakeProfile());
		session.setReasoningEffort('high');
		session.setActiveTools(['echo']);
		expect(changed()).toEqual(['set of tools', 'model', 'reasoning effort', 'set of tools']);
	});

	it('repeats that a cap cannot hold only where it changes the cap', async () => {
		const { session, seen } = await fakeSession([{ text: 'Ok.', usage: { costUsd: null } }], { spendingCapUsd: 1 });
		await session.submit('Go').result;
		session.configure({ allowRules: [] });
		expect(ofType(seen, 'warning').map(({ code }) => code)).toEqual(['cap_without_price']);
	});
});

describe('going to another entry', () => {
	it('keeps the session busy while it sums up what is left, and may be without that', async () => {
		const states: string[] = [];
		const client = new FakeClient([{ text: 'A.' }, { text: 'B.' }], {
			complete: () => (states.push(session.state), 'A summary.')
		});
		const { session, seen } = await fakeSession([], { client });
		await session.submit('One').result;
		const at = session.log.entries().findLast(({ type }) => type === 'message')?.id ?? '';
		await session.submit('Two').result;
		const left = session.log.leafId() ?? '';
		await session.goTo(at);
		expect([states, session.state]).toEqual([['processing'], 'idle']);
		await session.goTo(left, { summarize: false });
		const summaries = () => session.log.branch().filter(({ type }) => type === 'branch_summary').length;
		await session.goTo(at, { summarize: false });
		expect([states.length, summaries(), ofType(seen, 'warning')]).toEqual([1, 0, []]);
	});
});

describe('a step back', () => {
	const write = fakeTool(
		'write',
		async (_, { environment }) => {
			await environment.writeFile('a.txt', 'x');
			return 'written';
		},
		'write'
	);

	it('is taken unless a hook cancels it', async () => {
		const environment = await temporaryEnvironment();
		let verdict: 'cancel' | undefined = 'cancel';
		const beforeSessionOp = vi.fn(() => verdict);
		const { session } = await fakeSession([{ calls: [{ name: 'write' }] }, { text: 'Done.' }], {
			environment,
			profile: fakeProfile([write]),
			hooks: [{ beforeSessionOp }]
		});
		await session.submit('Go').result;
		expect(await session.undo()).toBeNull();
		expect(await environment.fileExists('a.txt')).toBe(true);
		verdict = undefined;
		expect(await session.undo()).toEqual(['a.txt']);
		expect(await environment.fileExists('a.txt')).toBe(false);
		expect(beforeSessionOp.mock.calls).toEqual([['undo'], ['undo']]);
	});
});

describe('a session and its subagents', () => {
	/** A subagent session of another session. */
	const childOf = (session: Session, more: Partial<SessionParent> = {}): Session =>
		new Session({ ...session.options }, { session, agentId: 'a', depth: 1, ...more });

	it('work on a fork where their files are the fork’s or a copy of it, and ask otherwise', async () => {
		const { session } = await fakeSession([{ text: 'Done.' }], { mode: 'auto-edit' });
		const { files } = session;
		expect([session.effectiveMode, childOf(session, { files }).effectiveMode]).toEqual(['auto-edit', 'auto-edit']);
		session.setMode('fork');
		expect([session.effectiveMode, childOf(session, { files }).effectiveMode]).toEqual(['ask', 'ask']);
		// A copy of the project, made before the fork.
		const other = childOf(session, { copiedFrom: null });
		expect(other.effectiveMode).toBe('ask');
		await session.submit('Go').result;
		const copy = childOf(session, { copiedFrom: session.fileFork.environment });
		expect([session, childOf(session, { files }), copy].map((each) => each.effectiveMode)).toEqual(
			Array(3).fill('fork')
		);
		expect([other, childOf(other, { files: other.files })].map((each) => each.effectiveMode)).toEqual(['ask', 'ask']);
		await session.close();
	});

	it('watch the files until their end, which no subagent that shares them is', async () => {
		const environment = await temporaryEnvironment();
		const watch = environment.onChange.bind(environment);
		let watching = 0;
		environment.onChange = (listener) => {
			const leave = watch(listener);
			watching += 1;
			return () => {
				watching -= 1;
				leave();
			};
		};
		const { session } = await fakeSession([], { environment });
		const own = watching;
		expect(own).toBeGreaterThan(0);
		await childOf(session, { files: session.files }).close();
		expect(watching).toBe(own);
		const apart = new Session(
			{ ...session.options, environment },
			{ session, agentId: 'b', depth: 1, copiedFrom: null }
		);
		expect(watching).toBeGreaterThan(own);
		await apart.close();
		expect(watching).toBe(own);
		await session.close();
		expect(watching).toBe(0);
	});
});
