import { expect, it } from 'vitest';
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
