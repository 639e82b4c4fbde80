import { describe, expect, it } from 'vitest';
import { chatMessages } from '#llm/adapters/openai-chat/messages.ts';
import { type ChatQuirks, plainQuirks } from '#llm/compatible/quirks.ts';
import type { ContentPart, Message, Request } from '#llm/types.ts';
import { asked } from '../reading.ts';

const PROVIDER = 'compatible-test';
function convert(messages: Message[], quirks: Partial<ChatQuirks> = {}, more: Partial<Request> = {}) {
	const { config, request } = asked(PROVIDER, 'local', { messages, ...more });
	return chatMessages(config, request, { ...plainQuirks, ...quirks });
}
const text = (words: string): ContentPart => ({ type: 'text', text: words });
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const said = (...content: ContentPart[]): Message => ({ role: 'assistant', content });
const call = (id: string): ContentPart => ({ type: 'tool_call', id, name: 'Read', arguments: { path: id } });
const result = (callId: string, more: object = {}): ContentPart => ({
	type: 'tool_result',
	callId,
	toolName: 'Read',
	content: `of ${callId}`,
	isError: false,
	...more
});
const thought = (words: string, provider = PROVIDER): ContentPart => ({
	type: 'thinking',
	text: words,
	provider: { provider, model: 'local', item: null }
});
const image = { type: 'image' as const, mediaType: 'image/png', data: 'AA' };
const imageUrl = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };

describe('a conversation in chat messages', () => {
	it('has instructions, words, calls and results in their places', () => {
		const messages = [
			{ role: 'developer' as const, content: [text('Use tabs.')] },
			user(text('a'), text('b')),
			said(thought('Hm.'), text('Reading'), text(' one.'), call('1')),
			{ role: 'tool' as const, content: [result('1')] },
			said(text('Done'))
		];
		expect(convert(messages, {}, { system: 'Be brief.' })).toEqual([
			{ role: 'system', content: 'Be brief.' },
			{ role: 'system', content: 'Use tabs.' },
			{ role: 'user', content: 'ab' },
			{
				role: 'assistant',
				content: 'Reading one.',
				tool_calls: [{ id: '1', type: 'function', function: { name: 'Read', arguments: '{"path":"1"}' } }]
			},
			{ role: 'tool', tool_call_id: '1', content: 'of 1' },
			{ role: 'assistant', content: 'Done' }
		]);
		expect(convert([user(text('a'))], {}, { system: '' })).toHaveLength(1);
	});

	it('has content in each message of the assistant, and none without words or calls', () => {
		const messages = [user(text('a')), said(thought('Hm.')), user(text('b')), said(call('1'))];
		expect(convert(messages).map(({ role, content }) => [role, content])).toEqual([
			['user', 'a'],
			['user', 'b'],
			['assistant', ''],
			['tool', 'No result provided']
		]);
	});

	it('has parts only where there is more than text', () => {
		const url = 'https://a.example/cat.png';
		const [message] = convert([user(text('Look'), image, { type: 'image_url', url })]);
		expect(message?.content).toEqual([
			{ type: 'text', text: 'Look' },
			imageUrl,
			{ type: 'image_url', image_url: { url } }
		]);
	});

	it.each([
		['audio/wav', 'wav'],
		['audio/mpeg', 'mp3'],
		['audio/mp3', 'mp3']
	])('carries %s', (mediaType, format) => {
		expect(convert([user({ type: 'audio', mediaType, data: 'DD' })])[0]?.content).toEqual([
			{ type: 'input_audio', input_audio: { data: 'DD', format } }
		]);
	});

	it('refuses other sound and documents by their name', () => {
		expect(() => convert([user({ type: 'audio', mediaType: 'audio/ogg', data: 'DD' })])).toThrow('audio/ogg audio');
		expect(() => convert([user({ type: 'document', mediaType: 'application/pdf', data: 'C' })])).toThrow('documents');
	});

	it('has the images of results in one message of the user behind them', () => {
		const tool: Message = {
			role: 'tool',
			content: [result('1', { images: [image] }), result('2'), result('3', { images: [image, image] })]
		};
		const converted = convert([said(call('1'), call('2'), call('3')), tool]);
		expect(converted.slice(1).map(({ role }) => role)).toEqual(['tool', 'tool', 'tool', 'user']);
		expect(converted[4]?.content).toEqual([imageUrl, imageUrl, imageUrl]);
	});
});

describe('a server’s quirks', () => {
	const turn = (...answer: ContentPart[]) => [
		user(text('a')),
		said(...answer, call('call_1')),
		{ role: 'tool' as const, content: [result('call_1')] },
		user(text('b'))
	];

	it('may want ids of nine characters and the name of the tool', () => {
		const [, assistant, tool] = convert(turn(), { callIds: 'nine', toolName: true });
		const id = Object(Object(assistant)['tool_calls'][0])['id'];
		expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
		expect(tool).toEqual({ role: 'tool', tool_call_id: id, content: 'of call_1', name: 'Read' });
	});

	it('may want a word of the assistant between a result and the user', () => {
		const between = convert(turn(), { assistantAfterTool: true }).slice(2);
		expect(between).toEqual([
			{ role: 'tool', tool_call_id: 'call_1', content: 'of call_1' },
			{ role: 'assistant', content: 'Noted.' },
			{ role: 'user', content: 'b' }
		]);
		// Nowhere else, and not for servers that do not require it.
		expect(convert([user(text('a')), said(text('b')), user(text('c'))], { assistantAfterTool: true })).toHaveLength(3);
		expect(convert(turn())).toHaveLength(4);
	});

	it('may want the thinking back, in tags or in a field', () => {
		const answer = [thought('One'), thought('Two'), thought('of another', 'compatible-other'), text('Reading.')];
		const content = (quirks: Partial<ChatQuirks>) => convert(turn(...answer), quirks)[1];
		expect(content({ thinking: 'tags' })).toMatchObject({
			content: '<thinking>\nOne\nTwo\n</thinking>\nReading.'
		});
		expect(content({ thinking: 'reasoning_content' })).toMatchObject({
			content: 'Reading.',
			reasoning_content: 'One\nTwo'
		});
		expect(content({ thinking: 'drop' })).not.toHaveProperty('reasoning_content');
		expect(JSON.stringify(content({ thinking: 'drop' }))).not.toContain('One');
	});

	it('are not met without any thinking', () => {
		for (const thinking of ['tags', 'reasoning_content'] as const) {
			const assistant = convert(turn(text('Reading.')), { thinking })[1];
			expect(assistant?.content).toBe('Reading.');
			expect(assistant).not.toHaveProperty('reasoning_content');
		}
	});
});
