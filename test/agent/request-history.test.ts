import { describe, expect, it } from 'vitest';
import { toRequestMessages } from '#agent/index.ts';
import { withoutThinking } from '#agent/request-history.ts';
import type { ContentPart, Message, ToolResultPart } from '#llm/types.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const calls = (...ids: string[]): Message => ({
	role: 'assistant',
	content: ids.map((id) => ({ type: 'tool_call', id, name: 'read', arguments: {} }))
});
const result = (callId: string): ToolResultPart => ({
	type: 'tool_result',
	callId,
	toolName: 'read',
	content: callId,
	isError: false
});
const results = (...ids: string[]): Message => ({ role: 'tool', content: ids.map(result) });

describe('toRequestMessages', () => {
	it('answers a call that has no result [S-28]', () => {
		expect(toRequestMessages([user('Go'), calls('a', 'b'), results('a'), user('On')])).toEqual([
			user('Go'),
			calls('a', 'b'),
			{ role: 'tool', content: [result('a'), { ...result('b'), content: 'No result provided', isError: true }] },
			user('On')
		]);
	});

	it('drops a result that has no call [S-28] [J.9-4.2]', () => {
		expect(toRequestMessages([user('Go'), results('x'), calls('a'), results('x', 'a')])).toEqual([
			user('Go'),
			calls('a'),
			results('a')
		]);
	});

	it('puts results in call order', () => {
		expect(toRequestMessages([calls('a', 'b'), results('b', 'a')])[1]).toEqual(results('a', 'b'));
	});

	it('joins neighbouring user messages as blocks of one and drops empty messages', () => {
		expect(toRequestMessages([user('One'), { role: 'assistant', content: [] }, user('Two')])).toEqual([
			{ role: 'user', content: [...user('One').content, ...user('Two').content] }
		]);
	});

	it('leaves the history as it is', () => {
		const history = [user('One'), user('Two'), calls('a')];
		const before = structuredClone(history);
		toRequestMessages(history);
		expect(history).toEqual(before);
	});

	it.each<ContentPart>([
		{ type: 'document', mediaType: 'application/pdf', data: 'A' },
		{ type: 'audio', mediaType: 'audio/wav', data: 'A' },
		{ type: 'image_url', url: 'https://a.example/cat.png' }
	])('joins nothing to a message with an attachment, which a provider may refuse: $type', (part) => {
		const attached: Message = { role: 'user', content: [...user('Look').content, part] };
		expect(toRequestMessages([attached, user('Two')])).toEqual([attached, user('Two')]);
		expect(toRequestMessages([user('One'), attached])).toEqual([
			{ role: 'user', content: [...user('One').content, ...attached.content] }
		]);
	});
});

describe('withoutThinking', () => {
	it('leaves out every form of thinking, and other messages as they are', () => {
		const provider = { provider: 'p', model: 'm', item: null };
		const text: ContentPart = { type: 'text', text: 'Hello' };
		const answer: Message = {
			role: 'assistant',
			content: [
				{ type: 'thinking', text: 'Hm.', signature: 's' },
				{ type: 'redacted_thinking', data: 'd' },
				text,
				{ type: 'opaque', provider }
			]
		};
		const asked = user('Go');
		const [first, second] = withoutThinking([asked, answer]);
		expect(first).toBe(asked);
		expect(second).toEqual({ role: 'assistant', content: [text] });
		expect(answer.content).toHaveLength(4);
	});
});
