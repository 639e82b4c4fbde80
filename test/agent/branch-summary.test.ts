import { describe, expect, it, vi } from 'vitest';
import { summarizeBranch } from '#agent/branch-summary.ts';
import { writeSummary } from '#agent/write-summary.ts';
import type { ContentPart, Message, Response } from '#llm/types.ts';
import { FakeClient } from './fake-client.ts';

const text = (value: string): ContentPart[] => [{ type: 'text', text: value }];
const user = (value: string): Message => ({ role: 'user', content: text(value) });

describe('a summary', () => {
	it('is asked for with its pictures, and trimmed', async () => {
		const client = new FakeClient([], { complete: () => '\n Sum. \n' });
		const picture: ContentPart = { type: 'image', mediaType: 'image/png', data: 'A' };
		expect(await writeSummary(client, { provider: 'p', model: 'm' }, 'Do.', [picture])).toBe('Sum.');
		expect(client.completions[0]).toEqual({
			provider: 'p',
			model: 'm',
			system:
				'You write summaries of coding sessions for the assistant that continues them. Answer with the summary only.',
			messages: [{ role: 'user', content: [...text('Do.'), picture] }]
		});
	});

	it('is put together from the words of an answer alone', async () => {
		const client = new FakeClient([], { complete: () => '' });
		const answer = [{ type: 'thinking', text: 'Hm.', signature: 's' }, ...text('One '), ...text('sum.')];
		const asked = vi
			.spyOn(client, 'complete')
			.mockResolvedValue({ message: { role: 'assistant', content: answer } } as Response);
		expect(await writeSummary(client, { provider: 'p', model: 'm' }, 'Do.')).toBe('One sum.');
		expect(asked.mock.calls[0]?.[0].messages).toEqual([user('Do.')]);
	});

	it('of a branch is made from its last 60,000 characters', async () => {
		const client = new FakeClient([], { complete: () => 'Tried.' });
		const { signal } = new AbortController();
		const left = [user('x'.repeat(60_000)), user('end')];
		expect(await summarizeBranch(client, { provider: 'p', model: 'm' }, left, signal)).toBe('Tried.');
		const [part] = client.completions[0]?.messages[0]?.content ?? [];
		const prompt = part?.type === 'text' ? part.text : '';
		expect(prompt).toMatch(
			/^The user went back to an earlier point; what follows was tried after it and left behind\. Tell in at most ten lines what was tried, what came of it, which files it touched and what is worth knowing\.\n\n<left-behind>\nx+\n\n\[user\]: end\n<\/left-behind>$/
		);
		expect(prompt.split('<left-behind>\n')[1]?.split('\n</left-behind>')[0]).toHaveLength(60_000);
		expect(client.completions[0]?.signal).toBe(signal);
	});
});
