import { describe, expect, it } from 'vitest';
import { compact, cutPoint, SUMMARY_HEADINGS, type CompactionRequest } from '#agent/compaction.ts';
import { summaryMessage } from '#agent/conversation.ts';
import { estimateTokens } from '#agent/token-estimate.ts';
import { ContextLengthError, InvalidRequestError } from '#llm/errors.ts';
import type { ContentPart, Message, Request } from '#llm/types.ts';
import { FakeClient } from './fake-client.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const user = (value: string): Message => ({ role: 'user', content: [text(value)] });
const said = (value: string): Message => ({ role: 'assistant', content: [text(value)] });
const result = (content: string): Message => ({
	role: 'tool',
	content: [{ type: 'tool_result', callId: 'c', toolName: 'Read', content, isError: false }]
});
const HEADINGS = SUMMARY_HEADINGS.join('\n');

/** Compacts and returns the outcome and the prompts that were sent. */
async function compacted(
	given: Partial<CompactionRequest>,
	complete: (request: Request) => string | Promise<string> = () => 'A summary.'
) {
	const client = new FakeClient([], { complete });
	const outcome = await compact({
		client,
		provider: 'p',
		model: 'm',
		messages: [user('One'), said('Two'), user('Three'), said('Four')],
		neutralName: (name) => name,
		windowSize: 2,
		...given
	});
	const prompts = client.completions.map(({ messages }) => messages[0]?.content ?? []);
	const [first] = prompts[0] ?? [];
	return { outcome, client, prompts, prompt: first?.type === 'text' ? first.text : '' };
}

describe('the request for a summary', () => {
	it('has its headings and the conversation', async () => {
		const { prompt, client } = await compacted({});
		expect(prompt).toBe(
			[
				`Summarize the conversation below under exactly these headings:\n\n${HEADINGS}`,
				'Under Progress list Done, In Progress and Blocked. Name files, commands, errors and approaches that failed exactly.',
				'Lines marked [reminder] are automatic notes, not wishes of the user. What the user said, the files touched, the task list and running processes are added to your summary word for word; do not copy them.',
				'<conversation>\n[user]: One\n\n[assistant]: Two\n</conversation>'
			].join('\n\n')
		);
		expect(client.completions[0]).toMatchObject({ provider: 'p', model: 'm' });
	});

	it('says that the conversation breaks off where what is kept does not begin with the user', async () => {
		const { prompt } = await compacted({ windowSize: 1 });
		expect(prompt).toContain(
			'\n\nThe conversation breaks off in the middle of a step; its last part follows unsummarized. Under Critical Context say what that step is for and what it has found so far.\n\n<conversation>'
		);
	});

	it('brings an earlier summary up to date, without its records', async () => {
		const earlier = 'Old words.\n\n<read-files>\na\n</read-files>';
		const { prompt, outcome } = await compacted({
			previousSummary: earlier,
			messages: [summaryMessage(earlier), user('One'), said('Two'), user('Three'), said('Four')]
		});
		expect(
			prompt.startsWith(
				`Update the summary below with what happened since, under the same headings:\n\n${HEADINGS}\n\nKeep what still holds, move what is finished to Done, drop only what no longer matters.\n\n<previous-summary>\nOld words.\n</previous-summary>\n\n`
			)
		).toBe(true);
		expect(prompt).toContain('<conversation>\n[user]: One\n\n[assistant]: Two\n</conversation>');
		expect(outcome.kind === 'summarized' && outcome.summary).toContain('<read-files>\na\n</read-files>');
		expect(
			(
				await compacted({
					previousSummary: earlier,
					messages: [summaryMessage(earlier), user('One'), said('Two')],
					windowSize: 2
				})
			).outcome
		).toEqual({ kind: 'nothing' });
	});

	it('shows the pictures where asked, and leaves them out where the model does not take them', async () => {
		const image: ContentPart = { type: 'image', mediaType: 'image/png', data: 'A' };
		const messages: Message[] = [
			{ role: 'user', content: [text('Look'), image] },
			said('Two'),
			user('Three'),
			said('Four')
		];
		const { prompt, prompts } = await compacted({ messages, sendPictures: true });
		expect(prompts[0]?.[1]).toEqual(image);
		expect(prompt).toContain(
			'The numbered pictures follow the conversation in order. Under Critical Context describe each in a line, with what was said about it: the description is all that stays of it.'
		);
		expect(prompt).toContain('[user attached picture 1]');
		const without = await compacted({ messages });
		expect(without.prompts[0]).toHaveLength(1);
		for (const Failure of [InvalidRequestError, ContextLengthError]) {
			const refused = await compacted({ messages, sendPictures: true }, ({ messages: [asked] }) => {
				if ((asked?.content.length ?? 0) > 1) throw new Failure({ provider: 'p' });
				return 'A summary.';
			});
			expect(refused.prompts.map((content) => content.length)).toEqual([2, 1]);
			expect(refused.outcome.kind).toBe('summarized');
		}
	});

	it('leaves out the middle of a conversation that is too long, half of it each time', async () => {
		const messages = [user('x'.repeat(20_000)), said('Two'), user('Three'), said('Four')];
		const { prompts, outcome } = await compacted({ messages }, ({ messages: [asked] }) => {
			const [part] = asked?.content ?? [];
			if (part?.type === 'text' && part.text.length > 8_000) throw new ContextLengthError({ provider: 'p' });
			return 'A summary.';
		});
		expect(prompts).toHaveLength(3);
		const last = prompts.at(-1)?.[0];
		expect(last?.type === 'text' && last.text).toMatch(/\n\[\.\.\. \d+ characters removed to save context \.\.\.\]\n/);
		expect(outcome.kind).toBe('summarized');
		const short = await compacted({}, () => Promise.reject(new ContextLengthError({ provider: 'p' })));
		expect(short.prompts).toHaveLength(1);
		expect(short.outcome.kind).toBe('cut');
	});
});

describe('a conversation that is compacted', () => {
	it('has the summary, what was said, the files and the work in hand, then what is kept', async () => {
		const system: Message = { role: 'system', content: [text('Rules')] };
		const kept = [user('Three'), said('Four')];
		const { outcome } = await compacted(
			{
				messages: [system, user('One'), said('Two'), ...kept],
				changedFiles: ['a.ts'],
				work: { mode: 'ask', todo: [], processes: [], subagents: [] }
			},
			() => 'Sum.\n\n<read-files>\ncopied\n</read-files>'
		);
		const summary =
			'Sum.\n\n<user-messages>\nOne\n</user-messages>\n\n<modified-files>\na.ts\n</modified-files>\n\n<work-in-hand as-of="this compaction">\nPermission mode: ask\n</work-in-hand>';
		const messages = [system, summaryMessage(summary), ...kept];
		expect(outcome).toEqual({
			kind: 'summarized',
			summary,
			kept,
			messages,
			beforeTokens: estimateTokens([system, user('One'), said('Two'), ...kept]),
			afterTokens: estimateTokens(messages)
		});
	});

	it.each([
		['fails', () => Promise.reject(new Error('No model.')), 'No model.'],
		['gives nothing', () => ' ', 'The model gave an empty summary.'],
		['fails oddly', () => Promise.reject('odd'), 'odd']
	])('has its outputs cut where the model %s', async (_, complete, reason) => {
		const long = `${'a'.repeat(1_500)}${'b'.repeat(1_500)}`;
		const { outcome } = await compacted(
			{
				messages: [user('One'), result(long), result('x'.repeat(2_000)), said('Two'), user('Three'), result(long)],
				windowSize: 2
			},
			complete
		);
		if (outcome.kind !== 'cut') throw new Error(outcome.kind);
		expect(outcome.reason).toBe(reason);
		const contents = outcome.messages.flatMap(({ content }) =>
			content.map((part) => (part.type === 'tool_result' ? part.content : ''))
		);
		expect(contents[1]).toBe(
			`${'a'.repeat(1_000)}\n[... 1000 characters removed to save context ...]\n${'b'.repeat(1_000)}`
		);
		expect(contents[2]).toBe('x'.repeat(2_000));
		// Recent messages are kept whole.
		expect(contents.at(-1)).toBe(long);
		expect(outcome.afterTokens).toBeLessThan(outcome.beforeTokens);
	});

	it('that is stopped is left to the one who stopped it', async () => {
		const controller = new AbortController();
		const stopping = compacted({ signal: controller.signal }, () => {
			controller.abort();
			throw new Error('stopped');
		});
		await expect(stopping).rejects.toThrow('stopped');
	});

	it('whose last messages alone are too long has their outputs cut', async () => {
		const long = result('x'.repeat(9_000));
		const overflow = await compacted({ messages: [user('One'), long], windowSize: 2, isOverflow: true });
		expect(overflow.outcome).toMatchObject({ kind: 'cut', reason: 'the last messages alone are too long' });
		expect(
			(await compacted({ messages: [user('One'), said('Two')], windowSize: 2, isOverflow: true })).outcome
		).toEqual({ kind: 'nothing' });
		expect((await compacted({ messages: [user('One'), long], windowSize: 2 })).outcome).toEqual({ kind: 'nothing' });
		const recent = await compacted({
			messages: [user('One'), said('Two'), user('Three'), long],
			windowSize: undefined as never,
			keepTokens: 100,
			isOverflow: true
		});
		expect(recent.outcome.kind === 'summarized' && JSON.stringify(recent.outcome.kept)).toContain('characters removed');
	});
});

it('keeps as many messages as fit, and never begins with a result', () => {
	const messages = [user('a'), said('b'), result('c'), user('d')];
	expect(cutPoint(messages, { windowSize: 1 })).toBe(3);
	expect(cutPoint(messages, { windowSize: 2 })).toBe(1);
	expect(cutPoint(messages, { windowSize: 0 })).toBe(3);
	expect(cutPoint(messages, { windowSize: 9 })).toBe(0);
	expect(cutPoint(messages, { keepTokens: 1 })).toBe(3);
	expect(cutPoint(messages, { keepTokens: 2 })).toBe(1);
	expect(cutPoint(messages, { keepTokens: 4 })).toBe(0);
	expect(cutPoint(messages, {})).toBe(0);
	expect(cutPoint([], {})).toBe(0);
});
