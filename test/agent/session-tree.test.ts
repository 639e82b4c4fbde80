import { describe, expect, it } from 'vitest';
import { MemoryLog, type SessionEntry } from '#agent/index.ts';
import { todo } from '#agent/tools/todo.ts';
import { ServerError } from '#llm/errors.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { echo, fakeProfile } from './fake-tools.ts';

const call = { calls: [{ name: 'echo', arguments: { text: 'out' } }] };
const messagesOf = (entries: readonly SessionEntry[]) =>
	entries.flatMap((entry) => (entry.type === 'message' ? [entry] : []));
/** Copies a log as a reload would read it. */
const reread = (log: MemoryLog): MemoryLog => new MemoryLog(structuredClone(log.entries()));

describe('the tree of a session', () => {
	it('hangs each entry under the one before it, from one root [S-31, S-33]', async () => {
		const log = new MemoryLog();
		const { session } = await fakeSession([call, { text: 'A.' }, { text: 'B.' }], { log });
		await session.submit('One').result;
		session.setModel(fakeProfile([echo], { model: 'fake-2' }));
		await session.submit('Two').result;
		const entries = log.entries();
		expect(entries[0]).toMatchObject({ type: 'session', parentId: null, version: 3 });
		expect(entries.slice(1).map(({ parentId }) => parentId)).toEqual(entries.slice(0, -1).map(({ id }) => id));
		expect(entries).toContainEqual(
			expect.objectContaining({ type: 'model_change', model: 'fake-2', provider: 'fake' })
		);
	});

	it('records what was said, thought, called, answered and counted, with times [S-2]', async () => {
		const log = new MemoryLog();
		const turn = { reasoning: 'Hm.', text: 'Looking.', ...call };
		const { session } = await fakeSession([turn, { text: 'Done.' }], { log });
		const before = Date.now();
		session.steer('Quick');
		await session.submit('Go').result;
		const entries = messagesOf(log.entries());
		expect(entries.map(({ message, steering }) => (steering ? 'steering' : message.role))).toEqual([
			'user',
			'steering',
			'assistant',
			'tool',
			'assistant'
		]);
		expect(entries[2]).toMatchObject({ responseId: 'r', usage: { inputTokens: 10, outputTokens: 5 } });
		expect(entries[2]?.message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_call']);
		expect(entries[3]?.message.content).toMatchObject([{ type: 'tool_result', callId: 'call_1', content: 'out' }]);
		for (const { timestamp } of entries) expect(timestamp).toBeGreaterThanOrEqual(before);
	});

	it('forks from any entry, with the conversation up to there [S-31, S-33]', async () => {
		const { session } = await fakeSession([call, { text: 'A.' }, { text: 'B.' }]);
		await session.submit('One').result;
		await session.submit('Two').result;
		const original = JSON.stringify(session.log.entries());
		for (const entry of session.log.entries()) {
			const fork = session.fork(entry.id, { client: new FakeClient([{ text: 'C.' }]) });
			const until = session.log.entries().indexOf(entry);
			const expected = messagesOf(session.log.entries().slice(0, until + 1)).map(({ message }) => message);
			expect(fork.conversation.messages).toEqual(expected);
			expect((await fork.submit('On').result).text).toBe('C.');
		}
		expect(JSON.stringify(session.log.entries())).toBe(original);
	});

	it('forks with the task list as it was then, also after a reload and in a fork of the fork', async () => {
		const item = (content: string, status: 'pending' | 'completed') => ({ content, status });
		const plan = (...todos: object[]) => ({ calls: [{ name: 'todo', arguments: { todos } }] });
		const first = [item('Read it', 'completed'), item('Mend it', 'pending')];
		const { session } = await fakeSession(
			[plan(...first), { text: 'Planned.' }, plan(item('Mend it', 'completed')), { text: 'Done.' }],
			{
				profile: fakeProfile([
					{ definition: { name: 'todo', description: '', parameters: { type: 'object' } }, tool: todo }
				])
			}
		);
		await session.submit('Plan').result;
		const planned = session.log.leafId() ?? '';
		await session.submit('Do it').result;
		const log = new MemoryLog();
		const fork = session.fork(planned, { log });
		expect(fork.todo).toEqual(first);
		expect((await fakeSession([], { log: reread(log) })).session.todo).toEqual(first);
		expect(fork.fork(log.leafId() ?? '').todo).toEqual(first);
		expect(session.todo).toEqual([item('Mend it', 'completed')]);
	});

	it('goes to another branch and tells there what was left [S-31, S-33]', async () => {
		const log = new MemoryLog();
		const client = new FakeClient([{ text: 'A.' }, { text: 'Bad idea.' }, { text: 'C.' }], {
			complete: (request) =>
				`Summary of ${JSON.stringify(request.messages).includes('Bad idea.') ? 'the bad idea' : '?'}`
		});
		const { session } = await fakeSession([], { log, client });
		await session.submit('One').result;
		const at = messagesOf(log.entries()).at(-1)?.id ?? '';
		await session.submit('Two').result;
		const left = log.leafId();
		await session.goTo(at);
		expect(session.state).toBe('idle');
		expect(log.branch().map(({ id }) => id)).not.toContain(left);
		expect(log.branch().find(({ type }) => type === 'branch_summary')).toMatchObject({ fromId: left });
		await session.submit('Three').result;
		const sent = JSON.stringify(client.requests.at(-1)?.messages);
		expect(sent).toContain('Summary of the bad idea');
		expect(sent).not.toContain('Two');
		const again = await fakeSession([{ text: 'D.' }], { log: reread(log) });
		await again.session.submit('Four').result;
		expect(JSON.stringify(again.client.requests[0]?.messages)).toContain('Summary of the bad idea');
	});

	it('goes there also when no summary can be had, and says so', async () => {
		const client = new FakeClient([{ text: 'A.' }, { text: 'B.' }], {
			complete: () => Promise.reject(new ServerError({ provider: 'fake' }))
		});
		const { session, seen } = await fakeSession([], { client });
		await session.submit('One').result;
		const at = messagesOf(session.log.entries()).at(-1)?.id ?? '';
		await session.submit('Two').result;
		await session.goTo(at);
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'branch_summary_failed' }]);
		expect(session.conversation.messages).toHaveLength(2);
	});

	it('goes on after a compaction and a reload with the summary and what was kept [S-33]', async () => {
		const log = new MemoryLog();
		const long = Array.from({ length: 6 }, (_, index) => ({ text: `Answer ${index} ${'word '.repeat(8_000)}` }));
		const { session } = await fakeSession(long, { log });
		for (const index of long.keys()) await session.submit(`Ask ${index}`).result;
		expect(await session.compact()).toBe(true);
		const kept = session.conversation.messages;
		const again = await fakeSession([{ text: 'On.' }], { log: reread(log) });
		expect(again.session.conversation.messages).toEqual(kept);
		await again.session.submit('Go on').result;
		expect(again.client.requests[0]?.messages[0]?.content[0]).toMatchObject({
			text: expect.stringContaining('A summary.')
		});
	});
});
