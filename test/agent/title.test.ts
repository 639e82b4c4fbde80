import { describe, expect, it } from 'vitest';
import { suggestTitle } from '#agent/title.ts';
import { ServerError } from '#llm/errors.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession } from './fake-session.ts';

const model = { provider: 'fake', model: 'fake-1' };

describe('calls that do not stream', () => {
	it('name a session [A-19]', async () => {
		const client = new FakeClient([], { complete: () => '“Mend the sum”' });
		expect(await suggestTitle(client, model, 'The sum in src/sum.js is wrong. Mend it.')).toBe('Mend the sum');
		expect(client.completions[0]?.messages[0]?.content).toMatchObject([
			{ text: expect.stringContaining('src/sum.js') }
		]);
		expect(client.requests).toEqual([]);
	});

	it('are not needed for a name: the request’s own beginning will do', async () => {
		const client = new FakeClient([], { complete: () => Promise.reject(new ServerError({ provider: 'fake' })) });
		expect(await suggestTitle(client, model, 'Mend it.\nAll of it.')).toBe('Mend it.');
		const long = await suggestTitle(client, model, 'word '.repeat(40));
		expect(long.length).toBeLessThanOrEqual(60);
		expect(long.endsWith('word…')).toBe(true);
	});

	it('make summaries [A-19]', async () => {
		const { session, client } = await fakeSession([{ text: 'word '.repeat(40_000) }]);
		await session.submit('Go').result;
		await session.compact();
		expect(client.completions).toHaveLength(1);
	});
});
