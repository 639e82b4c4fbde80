import { expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { compactedAt } from '#agent/compacted.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession, ofType } from './fake-session.ts';

it('tells what a compaction dropped, word for word, also what a second one did', async () => {
	const client = new FakeClient(
		[{ text: 'First answer.' }, { text: 'Second answer.' }, { text: 'Third answer.' }, { text: 'Fourth answer.' }],
		{ complete: () => '## Goal\nTo be short.' }
	);
	const { session, seen } = await fakeSession([], { client });
	await session.submit('The first words').result;
	await session.submit('The second words').result;
	expect(await session.compact()).toBe(true);
	await session.submit(`The third words ${'and more '.repeat(400)}`).result;
	await session.submit(`The fourth words ${'and more '.repeat(400)}`).result;
	expect(await session.compact()).toBe(true);
	const [first, second] = ofType(seen, 'context_compact').map(({ seq }) => compactedAt(session.log.branch(), seq));
	expect(first?.summary).toContain('To be short.');
	expect(first?.again).toBe(false);
	expect(JSON.stringify(first?.dropped[0])).toContain('The first words');
	expect(second?.again).toBe(true);
	expect(JSON.stringify(second?.dropped)).toContain('The third words');
	expect(compactedAt(session.log.branch(), 1)).toBeNull();
});

it('drops what stands before the first message that was kept, or all where that is gone', () => {
	const message = (id: string) => ({
		id,
		type: 'message',
		message: { role: 'user', content: [{ type: 'text', text: id }] }
	});
	const event = (seq: number) => ({ id: `e${seq}`, type: 'event', event: { type: 'context_compact', seq } });
	const compaction = (firstKeptId: string) => ({
		id: `c ${firstKeptId}`,
		type: 'compaction',
		summary: 'Sum.',
		firstKeptId
	});
	const branch = [
		message('a'),
		message('b'),
		message('c'),
		compaction('c'),
		event(1),
		message('d'),
		compaction('gone'),
		event(2),
		event(3)
	] as unknown as SessionEntry[];
	const dropped = (seq: number) => {
		const found = compactedAt(branch, seq);
		return (
			found && {
				...found,
				dropped: found.dropped.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''))
			}
		);
	};
	expect(dropped(1)).toEqual({ summary: 'Sum.', dropped: ['a', 'b'], again: false });
	expect(dropped(2)).toEqual({ summary: 'Sum.', dropped: [expect.stringContaining('Sum.'), 'c', 'd'], again: true });
	expect(dropped(3)).toMatchObject({ dropped: [expect.anything(), 'c', 'd'] });
	expect(dropped(4)).toEqual(dropped(3));
	expect(compactedAt(branch.slice(0, 3), 1)).toBeNull();
	expect(compactedAt(branch.slice(3), 1)).toEqual({ summary: 'Sum.', dropped: [], again: false });
});
