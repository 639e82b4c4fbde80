import { describe, expect, it } from 'vitest';
import { cleanTitle, suggestTitle, titlePrompt } from '#agent/title.ts';
import { ServerError } from '#llm/errors.ts';
import type { Response } from '#llm/types.ts';
import { FakeClient } from './fake-client.ts';
import { fakeSession } from './fake-session.ts';

const model = { provider: 'fake', model: 'fake-1' };

describe('calls that do not stream', () => {
	it('name a session [A-19]', async () => {
		const client = new FakeClient([], { complete: () => '“Mend the sum.”\n' });
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

describe('a title', () => {
	it.each([
		['"Mend the sum"', 'Mend the sum'],
		['"“Mend it', 'Mend it'],
		['“Mend the sum.”', 'Mend the sum'],
		["'Mend'...", 'Mend'],
		['  Mend\nand more', 'Mend'],
		['Say "hi" twice', 'Say "hi" twice'],
		['', ''],
		['x'.repeat(60), 'x'.repeat(60)],
		[`${'word '.repeat(11)}ends.now`, `${'word '.repeat(10)}word…`],
		[`${'word '.repeat(11)}  ends.now`, `${'word '.repeat(10)}word…`],
		['x'.repeat(61), `${'x'.repeat(59)}…`]
	])('of the answer %j is %j', (answer, title) => {
		expect(cleanTitle(answer)).toBe(title);
	});

	it('is asked for by the beginning of the message, with the least effort', async () => {
		const { system, prompt } = titlePrompt('x'.repeat(4_001));
		expect(prompt).toBe('x'.repeat(4_000));
		expect(system).toBe(
			'You name coding tasks. Answer with a name of two to six words and nothing else: no quotes, no full stop.'
		);
		const client = new FakeClient([], { complete: () => '' });
		const { signal } = new AbortController();
		expect(await suggestTitle(client, { provider: 'p', model: 'm' }, '  Mend it\nnow', signal)).toBe('Mend it');
		expect(client.completions).toEqual([
			{
				provider: 'p',
				model: 'm',
				system,
				messages: [{ role: 'user', content: [{ type: 'text', text: '  Mend it\nnow' }] }],
				reasoningEffort: 'none',
				signal
			}
		]);
	});

	it('is put together from the words of an answer alone', async () => {
		const client = new FakeClient([]);
		const answer = [
			{ type: 'thinking', text: 'Hm.', signature: 's' },
			{ type: 'text', text: 'Mend ' },
			{ type: 'text', text: 'it' }
		];
		client.complete = () => Promise.resolve({ message: { role: 'assistant', content: answer } } as Response);
		expect(await suggestTitle(client, model, 'x')).toBe('Mend it');
	});

	it('is not made up where the run was stopped', async () => {
		const controller = new AbortController();
		const client = new FakeClient([], { complete: () => (controller.abort(), Promise.reject(new Error('stopped'))) });
		await expect(suggestTitle(client, { provider: 'p', model: 'm' }, 'x', controller.signal)).rejects.toThrow(
			'stopped'
		);
	});
});
