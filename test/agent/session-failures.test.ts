import { describe, expect, it } from 'vitest';
import { MemoryLog, SESSION_LOG_VERSION } from '#agent/index.ts';
import { ServerError } from '#llm/errors.ts';
import { inTime } from '../in-time.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

/** The log left by a closed page, with each state that the session entered. */
function leftIn(...states: { from: 'idle' | 'processing'; to: 'processing' | 'awaiting_input' | 'idle' }[]): MemoryLog {
	const log = new MemoryLog();
	log.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId: 's', title: '' });
	for (const [index, change] of states.entries())
		log.append({
			type: 'event',
			event: { type: 'state_change', ...change, sessionId: 's', seq: index + 1, timestamp: 1 }
		});
	return log;
}

describe('a session', () => {
	it('goes on without a checkpoint that fails, and says why', async () => {
		const checkpoint = (): never => {
			throw new Error('the disk is full');
		};
		const { session, seen } = await fakeSession([{ text: 'Done.' }], { checkpoint });
		expect(await session.submit('Go').result).toMatchObject({ text: 'Done.', stopReason: 'end_turn' });
		const message = 'No checkpoint was taken: the disk is full';
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'checkpoint_failed', message }]);
		expect(ofType(seen, 'checkpoint')).toEqual([]);
	});

	it('whose run cannot begin ends it with the reason, and takes the next message', async () => {
		let broken = true;
		const collectPromptParts = async () => {
			if (broken) throw new Error('no such folder');
			return { instructions: [], snapshot: null } as never;
		};
		const { session, seen, client } = await fakeSession([{ text: 'Done.' }], { collectPromptParts });
		const result = await inTime(session.submit('Go').result, 'the end of the run');
		expect(result).toMatchObject({ text: '', stopReason: 'error', turns: 0, error: { message: 'no such folder' } });
		expect(ofType(seen, 'error')).toMatchObject([{ fatal: true, error: { message: 'no such folder' } }]);
		expect(client.requests).toEqual([]);
		expect(session.state).toBe('idle');
		broken = false;
		expect((await session.submit('Again').result).stopReason).not.toBe('error');
	});

	it('reports a listener that throws once for each event, and tells the others', async () => {
		const { session, seen } = await fakeSession([{ text: 'Done.' }]);
		let calls = 0;
		const remove = session.emitter.onEvent(() => {
			calls++;
			throw new Error('listener broke');
		});
		await session.submit('Go').result;
		const errors = ofType(seen, 'hook_error');
		expect(errors[0]).toMatchObject({ hook: 'listener', point: 'onEvent', message: 'listener broke' });
		expect(ofType(seen, 'user_input')).toHaveLength(1);
		// The listener is also called with its own errors, and fails on those silently.
		expect(errors).toHaveLength(calls / 2);
		remove();
		await session.submit('Again').result;
		expect(errors).toHaveLength(calls / 2);
	});

	it('was never asked anything without a question', async () => {
		const { session } = await fakeSession([]);
		expect(() => session.answer('yes')).toThrow('Nothing was asked. Send a message instead.');
		expect(session.state).toBe('idle');
	});

	it('forgets a queued message that is taken back', async () => {
		const { session, client } = await fakeSession([{ text: 'One.' }, { text: 'Two.' }]);
		session.followUp('First');
		session.followUp('Second');
		const [first] = session.mailbox.followUps;
		expect(session.dequeue(first ?? [])).toBe(true);
		expect(session.dequeue(first ?? [])).toBe(false);
		await session.submit('Go').result;
		await session.close();
		const said = JSON.stringify(client.requests.at(-1)?.messages);
		expect(said).toContain('Second');
		expect(said).not.toContain('First');
	});

	it('that was left at work is idle when it is opened again', async () => {
		const { session, seen } = await fakeSession([], { log: leftIn({ from: 'idle', to: 'processing' }) });
		expect(session.state).toBe('idle');
		const all = [];
		await session.close();
		for await (const event of session.events) all.push(event);
		expect(ofType(all, 'state_change').slice(0, 2)).toMatchObject([
			{ from: 'idle', to: 'processing' },
			{ from: 'processing', to: 'idle' }
		]);
		expect(seen.filter(({ type }) => type === 'session_start')).toEqual([]);
	});

	it('that waited for an answer still waits, also after a compaction', async () => {
		const log = leftIn({ from: 'idle', to: 'processing' }, { from: 'processing', to: 'awaiting_input' });
		const { session, seen } = await fakeSession([], { log });
		expect(session.state).toBe('awaiting_input');
		expect(await session.compact()).toBe(false);
		expect(session.state).toBe('awaiting_input');
		expect(ofType(seen, 'warning')).toMatchObject([
			{
				code: 'nothing_compacted',
				message: 'There was nothing to sum up: the messages are few, or were left as they are.'
			}
		]);
	});
});

describe('a compaction that the user asked for', () => {
	const long = { text: 'word '.repeat(900) };

	it('that is stopped is no failure', async () => {
		const complete = (): never => {
			void session.stop();
			throw new DOMException('stopped', 'AbortError');
		};
		const client = new FakeClient([long, long, long], { complete });
		const { session, seen } = await fakeSession([], { client });
		for (const input of ['a', 'b', 'c']) await session.submit(input.repeat(2_000)).result;
		expect(await session.compact()).toBe(false);
		expect(ofType(seen, 'warning')).toEqual([]);
		expect(ofType(seen, 'context_compact')).toEqual([]);
		expect(session.state).toBe('idle');
	});

	it('without a summary says what was shortened instead, or that nothing was', async () => {
		const complete = (): never => {
			throw new ServerError({ provider: 'fake' });
		};
		const print = fakeTool('print', () => 'line\n'.repeat(8_000));
		const calls = { calls: [{ name: 'print' }] };
		const client = new FakeClient([calls, long, long, long, long], { complete });
		const { session, seen } = await fakeSession([], { client, profile: fakeProfile([print]) });
		for (const input of ['a', 'b', 'c', 'd']) await session.submit(input.repeat(2_000)).result;
		expect(await session.compact()).toBe(false);
		expect(ofType(seen, 'warning').map(({ code, message }) => [code, message])).toEqual([
			[
				'compaction_fallback',
				expect.stringMatching(/^No summary could be made \(.+\); earlier tool outputs were shortened/)
			]
		]);
		const [compacted] = ofType(seen, 'context_compact');
		expect(compacted).toMatchObject({ success: false });
		expect(compacted?.afterTokens).toBeLessThan(compacted?.beforeTokens ?? 0);
	});
});
