import { describe, expect, it } from 'vitest';
import {
	compact,
	ContextMeter,
	cutPoint,
	estimateTokens,
	MemoryLog,
	SESSION_LOG_VERSION,
	shouldCompact,
	type CompactionRequest
} from '#agent/index.ts';
import { Conversation, summaryMessage } from '#agent/conversation.ts';
import { BackgroundProcesses } from '#agent/tools/background.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { ContextLengthError, InvalidRequestError } from '#llm/errors.ts';
import { parseEntries } from '#session/schema/entries.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import { echo, fakeProfile, fakeTool } from './fake-tools.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const call = (name: string, args: Record<string, unknown>): Message => ({
	role: 'assistant',
	content: [{ type: 'tool_call', id: name, name, arguments: args }]
});
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
		// Four characters at 2 and two words at 1.3 make 10.6.
		expect(Math.abs(estimateTokens([user('Hello 你好 World 世界')]) - 10.6)).toBeLessThan(2.12);
		// Separately, so that errors cannot cancel each other out.
		expect(estimateTokens([user('你好世界'.repeat(25))])).toBe(200);
		expect(estimateTokens([user('Hello World '.repeat(50))])).toBe(130);
	});

	it('is nothing for nothing [J.12-1.2]', () => {
		expect(estimateTokens([])).toBe(0);
	});
});

describe('ContextMeter', () => {
	it('counts four characters a token and 1,200 a picture, and passes its mark above 80 % [S-9]', () => {
		const image: ContentPart = { type: 'image', mediaType: 'image/png', data: 'x'.repeat(400_000) };
		const meter = new ContextMeter([{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(40) }, image] }]);
		expect(meter.usedTokens).toBe(1_210);
		expect(estimateTokens([{ role: 'user', content: [image] }])).toBe(1_200);
		const usage = { reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null };
		meter.report({ ...usage, inputTokens: 700, outputTokens: 100 });
		expect(meter.passedWarning(1_000)).toBeNull();
		meter.report({ ...usage, inputTokens: 701, outputTokens: 100 });
		expect(meter.passedWarning(1_000)).toBe(80);
		expect(meter.passedWarning(1_000)).toBeNull();
	});
});

describe('compact', () => {
	it('is due when the reserve is touched [S-32]', () => {
		expect(shouldCompact(183_616, 200_000)).toBe(false);
		expect(shouldCompact(183_617, 200_000)).toBe(true);
		// A quarter of a small window, nothing for an unknown one.
		expect(shouldCompact(24_000, 32_000)).toBe(false);
		expect(shouldCompact(24_001, 32_000)).toBe(true);
		expect(shouldCompact(1_000_000, 0)).toBe(false);
	});

	it('shows the summarizing model 2,000 characters of a result', async () => {
		const client = new FakeClient([]);
		const result = { type: 'tool_result' as const, callId: '1', toolName: 'echo', isError: false };
		const long: Message = { role: 'tool', content: [{ ...result, content: `${'x'.repeat(2_000)}y` }] };
		await compact({ ...request([said('call'), long, ...talk(50)], client), windowSize: 20 });
		const prompt = JSON.stringify(client.completions[0]?.messages);
		expect(prompt).toContain(`[result of echo]: ${'x'.repeat(2_000)} [… 2001 characters]`);
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
		const client = new FakeClient([]);
		const outcome = await compact({ ...request([system, ...talk(50)], client), windowSize: 20 });
		expect(outcome.kind === 'summarized' && outcome.messages[0]).toEqual(system);
		expect(outcome.kind === 'summarized' && outcome.messages).toHaveLength(22);
		expect(JSON.stringify(client.completions)).not.toContain('Rules');
	});

	it('keeps what the user said word for word, and says what of it is gone', async () => {
		const outcome = await compact({ ...request([user('Use tabs!'), ...talk(50)]), windowSize: 20 });
		expect(outcome.kind === 'summarized' && outcome.summary).toContain('Use tabs!');
		const long = await compact({ ...request([user('x'.repeat(30_000)), ...talk(50)]), windowSize: 20 });
		expect(long.kind === 'summarized' && long.summary).toContain('[… 22000 characters of this message removed …]');
		expect(long.kind === 'summarized' && long.summary).toContain('Ask 0');
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

	it('keeps the newest 20,000 tokens, also where that cuts a turn in two [S-32]', async () => {
		// 5,000 tokens each: a short word counts 1.3.
		const part = 'word '.repeat(3_846);
		const answers = Array.from({ length: 8 }, () => said(part));
		expect(estimateTokens([answers[0] as Message])).toBe(5_000);
		expect(cutPoint([user('Go'), ...answers], {})).toBe(5);
		expect(cutPoint([user('Go'), ...answers.slice(1), said(`${part} one more`)], {})).toBe(6);
		const client = new FakeClient([]);
		const outcome = await compact(request([user('Go'), ...answers], client));
		expect(outcome.kind === 'summarized' && outcome.kept).toEqual(answers.slice(4));
		expect(JSON.stringify(client.completions[0]?.messages)).toContain('breaks off in the middle of a step');
	});

	it('asks for six headings, and brings an earlier summary up to date under them [S-32]', async () => {
		const headings = ['Goal', 'Constraints', 'Progress', 'Key Decisions', 'Next Steps', 'Critical Context'];
		const client = new FakeClient([]);
		await compact({ ...request(talk(50), client), windowSize: 20 });
		await compact({ ...request(talk(50), client), windowSize: 20, previousSummary: 'What was before' });
		const [first, update] = client.completions.map(({ messages }) => JSON.stringify(messages));
		for (const prompt of [first, update]) for (const heading of headings) expect(prompt).toContain(`## ${heading}`);
		expect(first).not.toContain('Update the summary');
		expect(update).toMatch(/Update the summary.*What was before/);
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
		const cut = outcome.messages[2]?.content[0];
		const half = 'x'.repeat(1_000);
		expect(cut).toMatchObject({ content: `${half}\n[... 88000 characters removed to save context ...]\n${half}` });
		expect(client.completions).toHaveLength(1);
	});

	it('halves a request for a summary that is too long until it is short, and then gives up [J.12-3.1]', async () => {
		const sizes: number[] = [];
		const client = new FakeClient([], {
			complete: ({ messages }) => {
				sizes.push(JSON.stringify(messages).length);
				// Otherwise an endless loop would make the test endless.
				if (sizes.length > 20) return 'It asked too often.';
				throw new ContextLengthError({ provider: 'fake', status: 400 });
			}
		});
		const result = { type: 'tool_result' as const, callId: '1', toolName: 'echo', isError: false };
		const long: Message = { role: 'tool', content: [{ ...result, content: 'x'.repeat(90_000) }] };
		const words = Array.from({ length: 30 }, () => said('y'.repeat(2_000)));
		const outcome = await compact({ ...request([said('call'), long, ...words, ...talk(20)], client), windowSize: 20 });
		expect(outcome.kind).toBe('cut');
		expect(sizes.length).toBeGreaterThan(3);
		expect(sizes.length).toBeLessThan(8);
		expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
	});
});

describe('what a summary carries on', () => {
	const summaryOf = async (messages: Message[], more: Partial<CompactionRequest> = {}): Promise<string> => {
		const outcome = await compact({ ...request([...messages, ...talk(50)]), windowSize: 20, ...more });
		if (outcome.kind !== 'summarized') throw new Error(outcome.kind);
		return outcome.summary;
	};
	const words = (summary: string): string => summary.split('<user-messages')[1]?.split('</user-messages>')[0] ?? '';

	it('tells reminders and earlier summaries from the words of the user', async () => {
		const reminder = user('[System Reminder] You have incomplete tasks');
		const client = new FakeClient([]);
		const summary = await summaryOf([user('Use tabs!'), reminder], { client, notices: new Set([reminder]) });
		expect(words(summary)).toContain('Use tabs!');
		expect(words(summary)).not.toContain('System Reminder');
		const asked = JSON.stringify(client.completions[0]?.messages);
		expect(asked).toContain('[reminder]: [System Reminder]');
		expect(asked).toContain('[user]: Use tabs!');
	});

	it('holds the words to 20,000 characters: the first and the newest messages stay', async () => {
		const messages = Array.from({ length: 30 }, (_, index) => user(`<${index}> ${'x'.repeat(995)}`));
		const kept = words(await summaryOf(messages));
		expect(kept.length).toBeLessThan(20_200);
		expect(kept.length).toBeGreaterThan(18_900);
		expect(kept).toMatch(/removed="\d+ characters after the first message"/);
		expect(kept).toContain('<0> x');
		expect(kept).not.toContain('<1> x');
		expect(kept).toContain('<29> x');
	});

	it('carries words and lists through a second compaction once, whatever the user quoted', async () => {
		const quoting = 'Look: <read-files>\nnot-read.ts\n</read-files>\n</user-messages>\nand go on';
		const copies = new FakeClient([], {
			complete: () => 'Text.\n\n<user-messages>\nCopied\n</user-messages>'
		});
		const read = call('Read', { file_path: 'a.ts' });
		const first = await summaryOf([user(quoting), read], { client: copies });
		expect(first).not.toContain('Copied');
		const client = new FakeClient([]);
		const second = await summaryOf([summaryMessage(first), user('Later')], { client, previousSummary: first });
		expect(second.split(quoting)).toHaveLength(2);
		expect(words(second)).not.toContain('The conversation before this point');
		expect(second).toContain('and go on\n---\nAsk 0');
		expect(second).toContain('<read-files>\na.ts\n</read-files>');
		expect(JSON.stringify(client.completions[0]?.messages)).not.toContain('not-read.ts');
	});

	it('lists files of patches, of reads of several and of commands, the newest 200', async () => {
		const patch = call('apply_patch', { input: '*** Update File: old.ts\n*** Move to: new.ts' });
		const several = call('read_many_files', { paths: ['x.ts', 'y.ts'] });
		const written = call('Edit', { file_path: '/work/deep/b.ts' });
		const summary = await summaryOf([patch, several, written], { changedFiles: ['made.txt', 'deep/b.ts'] });
		expect(summary).toContain('<read-files>\nx.ts\ny.ts\n</read-files>');
		expect(summary).toContain('<modified-files>\nold.ts\nnew.ts\n/work/deep/b.ts\nmade.txt\n</modified-files>');
		const many = await summaryOf([], { changedFiles: Array.from({ length: 250 }, (_, index) => `f${index}`) });
		expect(many).toContain('<modified-files omitted="50 older">\nf50\n');
		expect(many).toContain('\nf249\n</modified-files>');
	});

	it('has the newest ten pictures described by a model that sees them, and does without where it refuses', async () => {
		const picture = (data: string): ContentPart => ({ type: 'image', mediaType: 'image/png', data });
		const shot: Message = { role: 'user', content: [{ type: 'text', text: 'Like this' }, picture('first')] };
		const tool: Message = {
			role: 'tool',
			content: [
				{
					type: 'tool_result',
					callId: '1',
					toolName: 'Read',
					content: 'A file',
					isError: false,
					images: Array.from({ length: 10 }, (_, index) => ({
						type: 'image',
						mediaType: 'image/png',
						data: `tool ${index}`
					}))
				}
			]
		};
		const client = new FakeClient([]);
		const summary = await summaryOf([shot, said('call'), tool], { client, sendPictures: true });
		expect(words(summary)).toContain('Like this\n[a picture]');
		const [text, ...pictures] = client.completions[0]?.messages[0]?.content ?? [];
		expect(pictures).toEqual(tool.content.flatMap((part) => (part.type === 'tool_result' ? part.images : [])));
		expect(text).toMatchObject({ text: expect.stringContaining('[user attached a picture]') });
		expect(text).toMatchObject({ text: expect.stringContaining('A file [with picture 1] [with picture 2]') });
		expect(text).toMatchObject({ text: expect.stringContaining('describe each in a line') });

		const blind = new FakeClient([], {
			complete: ({ messages }) => {
				if (messages[0]?.content.some(({ type }) => type === 'image'))
					throw new InvalidRequestError({ provider: 'fake' });
				return 'Without.';
			}
		});
		expect(await summaryOf([shot], { client: blind, sendPictures: true })).toContain('Without.');
		const unasked = new FakeClient([]);
		await summaryOf([shot], { client: unasked });
		expect(unasked.completions[0]?.messages[0]?.content).toHaveLength(1);
	});
});

describe('a session’s compaction', () => {
	const remindersIn = ({ notices }: Conversation): number =>
		[...notices].filter((message) => JSON.stringify(message).includes('[System Reminder]')).length;
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
		expect(again.session.conversation.messages).toEqual(session.conversation.messages);
		expect(again.session.conversation.messages).not.toContainEqual(user('Look at this'));
		await again.session.submit('On').result;
		const first = again.client.requests[0]?.messages[0];
		expect(first).toMatchObject({
			role: 'user',
			content: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('A summary.') })])
		});
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

	/** Alternating messages of 1,000 tokens each. */
	function logOf(count: number): MemoryLog {
		const log = new MemoryLog();
		log.append({ type: 'session', version: SESSION_LOG_VERSION, sessionId: 's', title: '' });
		const text = 'word '.repeat(769);
		for (let index = 0; index < count; index++)
			log.append({ type: 'message', message: index % 2 === 0 ? user(text) : said(text) });
		return log;
	}

	it('keeps half where the user asks for one', async () => {
		const { session } = await fakeSession([], { log: logOf(8) });
		expect(await session.compact()).toBe(true);
		expect(session.conversation.messages).toHaveLength(1 + 4);
	});

	it('keeps half after an overflow', async () => {
		const error = new ContextLengthError({ provider: 'fake' });
		const { session, client } = await fakeSession([{ error }, { text: 'Ok.' }], { log: logOf(8), compaction: true });
		await session.submit('Go').result;
		expect(client.requests.map(({ messages }) => messages.length)).toEqual([9, 5]);
	});

	it('keeps a quarter of a small window', async () => {
		const profile = fakeProfile([echo], { contextWindowTokens: 32_000 });
		const { session, client } = await fakeSession([{ text: 'Ok.' }], { log: logOf(26), compaction: true, profile });
		await session.submit('Go').result;
		expect(session.conversation.messages).toHaveLength(1 + 7 + 2);
		expect(client.completions).toHaveLength(1);
	});

	it('tells the task list, the mode, what runs and what Sandglass itself said', async () => {
		const todos = [
			{ content: 'Find the bug', status: 'completed' as const },
			{ content: 'Mend it', status: 'in_progress' as const }
		];
		const environment = await temporaryEnvironment();
		const plan = fakeTool(
			'plan',
			async (_, { todo, state, environment: place }) => {
				todo?.replace(todos);
				await BackgroundProcesses.of(state).start('sleep 60', () => place.start('sleep 60'));
				await BackgroundProcesses.of(state)
					.start('true', () => place.start('true'))
					.then(({ process }) => process.exited);
				return { content: 'Ok', isError: false };
			},
			'none'
		);
		const { session } = await fakeSession(
			[{ calls: [{ name: 'plan' }] }, { calls: [{ name: 'echo' }] }, { text: long }, { text: 'B.' }],
			{ environment, profile: fakeProfile([plan, echo]), todoStaleTurns: 1 }
		);
		await session.submit('Mend the parser').result;
		await session.submit(long).result;
		const { entries } = parseEntries(JSON.parse(JSON.stringify(session.log.entries())) as unknown[]);
		const reread = new Conversation(new MemoryLog(entries));
		session.setMode('plan');
		expect(await session.compact()).toBe(true);
		const { summary = '' } = session.conversation;
		expect(summary).toContain('Permission mode: plan, so nothing is changed or run');
		expect(summary).toContain('- [completed] Find the bug\n- [in_progress] Mend it');
		expect(summary).toContain('Background processes still running:\n- 1: sleep 60\n</work-in-hand>');
		expect(summary.split('</user-messages>')[0]).toContain('Mend the parser');
		expect(summary).not.toContain('[System Reminder]');
		expect(remindersIn(reread)).toBe(1);
		await session.close();
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
