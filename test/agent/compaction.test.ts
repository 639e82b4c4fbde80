import { describe, expect, it } from 'vitest';
import { compact, cutPoint, estimateTokens, MemoryLog, shouldCompact } from '#agent/index.ts';
import type { Message } from '#llm/types.ts';
import { InvalidRequestError } from '#llm/errors.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { echo, fakeProfile, fakeTool } from './fake-tools.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const request = (messages: Message[], client = new FakeClient([])) => ({
	client,
	provider: 'fake',
	model: 'fake-1',
	messages,
	neutralName: (name: string) => (name === 'Read' ? 'read_file' : name === 'Edit' ? 'edit_file' : name)
});
const talk = (count: number): Message[] =>
	Array.from({ length: count }, (_, index) => (index % 2 === 0 ? user(`Ask ${index}`) : said(`Answer ${index}`)));

describe('estimateTokens', () => {
	it('prices Chinese at its weight [J.12-1.1]', () => {
		// Four characters of 2 and two words of 1.3: 10.6.
		expect(Math.abs(estimateTokens([user('Hello 你好 World 世界')]) - 10.6)).toBeLessThan(2.12);
	});

	it('is nothing for nothing [J.12-1.2]', () => {
		expect(estimateTokens([])).toBe(0);
	});
});

describe('compact', () => {
	it('is due when the reserve is touched [S-32]', () => {
		expect(shouldCompact(183_616, 200_000)).toBe(false);
		expect(shouldCompact(183_617, 200_000)).toBe(true);
	});

	it('leaves a short conversation alone and asks no model [J.12-2.1]', async () => {
		const client = new FakeClient([]);
		expect(await compact(request(talk(10), client))).toEqual({ kind: 'nothing' });
		expect(client.completions).toHaveLength(0);
	});

	it('keeps the recent messages whole and summarizes the rest [J.12-2.2]', async () => {
		const messages = talk(50);
		const outcome = await compact({ ...request(messages), windowSize: 20 });
		if (outcome.kind !== 'summarized') throw new Error(outcome.kind);
		expect(outcome.messages).toHaveLength(21);
		expect(outcome.messages.slice(1)).toEqual(messages.slice(30));
		expect(outcome.summary).toContain('A summary.');
	});

	it('never summarizes a system message [J.12-2.3]', async () => {
		const system: Message = { role: 'system', content: [{ type: 'text', text: 'Rules' }] };
		const outcome = await compact({ ...request([system, ...talk(50)]), windowSize: 20 });
		expect(outcome.kind === 'summarized' && outcome.messages[0]).toEqual(system);
	});

	it('keeps what the person said word for word, and says what of it is gone', async () => {
		const outcome = await compact({ ...request([user('Use tabs!'), ...talk(50)]), windowSize: 20 });
		expect(outcome.kind === 'summarized' && outcome.summary).toContain('Use tabs!');
		const long = await compact({ ...request([user('x'.repeat(30_000)), ...talk(50)]), windowSize: 20 });
		expect(long.kind === 'summarized' && long.summary).toMatch(/removed="the first \d+ characters"/);
	});

	it('lists the files read and changed [S-32]', async () => {
		const calls: Message = {
			role: 'assistant',
			content: [
				{ type: 'tool_call', id: '1', name: 'Read', arguments: { file_path: 'a.ts' } },
				{ type: 'tool_call', id: '2', name: 'Edit', arguments: { file_path: 'b.ts' } }
			]
		};
		const outcome = await compact({ ...request([calls, ...talk(50)]), windowSize: 20 });
		expect(outcome.kind === 'summarized' && outcome.summary).toContain(
			'<read-files>\na.ts\n</read-files>\n<modified-files>\nb.ts'
		);
	});

	it('never starts what is kept with a tool result [S-32]', () => {
		const messages: Message[] = [
			...talk(4),
			said('call'),
			{ role: 'tool', content: [] },
			{ role: 'tool', content: [] }
		];
		expect(cutPoint(messages, { windowSize: 1 })).toBe(4);
	});

	it('brings an earlier summary up to date [S-32]', async () => {
		const client = new FakeClient([]);
		await compact({ ...request(talk(50), client), windowSize: 20, previousSummary: 'What was before' });
		const prompt = JSON.stringify(client.completions[0]?.messages);
		expect(prompt).toContain('What was before');
		expect(prompt).toMatch(/Update the summary/);
		for (const heading of ['Goal', 'Constraints', 'Progress', 'Key Decisions', 'Next Steps', 'Critical Context'])
			expect(prompt).toContain(`## ${heading}`);
	});

	it('cuts tool outputs when no summary can be had, and does not try again [J.12-3.1]', async () => {
		const client = new FakeClient([], {
			complete: () => Promise.reject(new InvalidRequestError({ provider: 'fake' }))
		});
		const long = {
			type: 'tool_result' as const,
			callId: '1',
			toolName: 'echo',
			content: 'x'.repeat(90_000),
			isError: false
		};
		const messages: Message[] = [user('Go'), said('call'), { role: 'tool', content: [long] }, ...talk(30)];
		const outcome = await compact({ ...request(messages, client), windowSize: 20 });
		if (outcome.kind !== 'cut') throw new Error(outcome.kind);
		expect(outcome.afterTokens).toBeLessThan(outcome.beforeTokens / 3);
		expect(JSON.stringify(outcome.messages)).toContain('characters removed to save context');
		expect(client.completions).toHaveLength(1);
	});
});

describe('a session’s compaction', () => {
	const long = 'word '.repeat(30_000);

	it('happens when the window is nearly full, is written down and read again [J.12-3.3] [A-17]', async () => {
		const log = new MemoryLog();
		const { session, seen } = await fakeSession(
			[{ text: 'A.', usage: { inputTokens: 190_000 } }, { text: 'B.' }, { text: 'C.' }],
			{ compaction: true, log }
		);
		await session.submit('Look at this').result;
		await session.submit(long).result;
		await session.submit('Now').result;
		expect(ofType(seen, 'context_compact').length).toBeGreaterThan(0);
		expect(log.entries()).toContainEqual(
			expect.objectContaining({ type: 'compaction', summary: expect.stringContaining('A summary.') })
		);
		const again = await fakeSession([{ text: 'D.' }], { log: new MemoryLog(log.entries()) });
		await again.session.submit('On').result;
		const first = again.client.requests[0]?.messages[0];
		expect(first).toMatchObject({
			role: 'user',
			content: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('A summary.') })])
		});
		expect(JSON.stringify(again.session.conversation.messages)).not.toContain('Look at this"}]},{"role":"assistant"');
	});

	it('runs what was queued meanwhile, and one at a time [J.9-4.4] [J.12-3.2]', async () => {
		let finish: (summary: string) => void = () => undefined;
		const client = new FakeClient([{ text: 'A.' }, { text: 'B.' }], {
			complete: () => new Promise((resolve) => (finish = resolve))
		});
		const { session } = await fakeSession([], { client });
		await session.submit(long).result;
		const compacting = session.compact();
		await expect(session.compact()).rejects.toThrow('still working');
		session.followUp('Meanwhile');
		while (client.completions.length === 0) await Promise.resolve();
		finish('Short.');
		expect(await compacting).toBe(true);
		expect(JSON.stringify(client.requests[1]?.messages)).toContain('Meanwhile');
		expect(session.state).toBe('idle');
	});

	it('warns once at 80 % with the percentage [S-9]', async () => {
		const reads = fakeTool('echo', () => 'ok');
		const { session, seen } = await fakeSession(
			[
				{ calls: [{ name: 'echo' }], usage: { inputTokens: 850, outputTokens: 0 } },
				{ text: 'A.', usage: { inputTokens: 870, outputTokens: 0 } }
			],
			{ profile: fakeProfile([reads, echo], { contextWindowTokens: 1_000 }) }
		);
		await session.submit('Go').result;
		expect(ofType(seen, 'warning')).toMatchObject([{ code: 'context_usage', message: expect.stringContaining('85%') }]);
	});
});
