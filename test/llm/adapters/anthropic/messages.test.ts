import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '#llm/adapters/anthropic/messages.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { asked } from '../reading.ts';

const MODEL = 'claude-opus-4-6';
const convert = (messages: Message[]) => {
	const { config, request } = asked('anthropic', MODEL, { messages });
	return anthropicMessages(config, request);
};
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
const from = (model: string) => ({ provider: { provider: 'anthropic', model, item: null } });
const image = (mediaType: string) => ({ type: 'image' as const, mediaType, data: 'AA' });
const sent = (media_type: string) => ({ type: 'image', source: { type: 'base64', media_type, data: 'AA' } });

describe('a conversation for Anthropic', () => {
	it('alternates between the two sides, without instructions and blank text', () => {
		const messages = [
			{ role: 'system' as const, content: [text('elsewhere')] },
			user(text('a'), text(' \n')),
			user(text('b')),
			said(text(' ')),
			said(text('c')),
			said(text('d')),
			user(text(''))
		];
		expect(convert(messages)).toEqual([
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'a' },
					{ type: 'text', text: 'b' }
				]
			},
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: 'c' },
					{ type: 'text', text: 'd' }
				]
			}
		]);
	});

	it('has calls, and their results before the words of the user', () => {
		const tool = {
			role: 'tool' as const,
			content: [
				result('1', { isError: true }),
				result('2', { content: '' }),
				result('3', { images: [image('image/png')] }),
				result('4', { images: [image('image/png')], content: '' }),
				result('5', { images: [] })
			]
		};
		const [calls, results] = convert([
			said(text('Reading.'), ...['1', '2', '3', '4', '5'].map(call)),
			user(text('Wait')),
			tool,
			user(text('Go on'))
		]);
		expect(calls?.content).toEqual([
			{ type: 'text', text: 'Reading.' },
			...['1', '2', '3', '4', '5'].map((id) => ({ type: 'tool_use', id, name: 'Read', input: { path: id } }))
		]);
		const answer = (id: string, more: object) => ({ type: 'tool_result', tool_use_id: id, is_error: false, ...more });
		expect(results?.content).toEqual([
			answer('1', { is_error: true, content: 'of 1' }),
			answer('2', {}),
			answer('3', { content: [{ type: 'text', text: 'of 3' }, sent('image/png')] }),
			answer('4', { content: [sent('image/png')] }),
			answer('5', { content: 'of 5' }),
			{ type: 'text', text: 'Wait' },
			{ type: 'text', text: 'Go on' }
		]);
	});

	it('has thinking of the same model with its signature, and of no other', () => {
		const answer = said(
			{ type: 'thinking', text: 'Hm.', signature: 's', ...from(MODEL) },
			{ type: 'thinking', text: 'unsigned', ...from(MODEL) },
			{ type: 'thinking', text: 'foreign', signature: 's', ...from('claude-sonnet-4-5') },
			{ type: 'redacted_thinking', data: 'd', ...from(MODEL) },
			{ type: 'redacted_thinking', data: 'e', ...from('claude-sonnet-4-5') },
			{ type: 'opaque', provider: { provider: 'gemini', model: 'm', item: {} } },
			text('Hello')
		);
		expect(convert([user(text('hi')), answer])[1]?.content).toEqual([
			{ type: 'thinking', thinking: 'Hm.', signature: 's' },
			{ type: 'redacted_thinking', data: 'd' },
			{ type: 'text', text: 'Hello' }
		]);
	});

	it.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])('takes %s', (mediaType) => {
		expect(convert([user(image(mediaType))])[0]?.content).toEqual([sent(mediaType)]);
	});

	it('takes linked images and PDFs, named or not', () => {
		const pdf = { type: 'document' as const, mediaType: 'application/pdf', data: 'CC' };
		const source = { type: 'base64', media_type: 'application/pdf', data: 'CC' };
		const url = 'https://a.example/cat';
		expect(convert([user({ type: 'image_url', url }, pdf, { ...pdf, name: 'paper.pdf' })])[0]?.content).toEqual([
			{ type: 'image', source: { type: 'url', url } },
			{ type: 'document', source },
			{ type: 'document', source, title: 'paper.pdf' }
		]);
	});

	it.each<[string, ContentPart]>([
		['image/heic images', image('image/heic')],
		['audio', { type: 'audio', mediaType: 'audio/wav', data: 'D' }],
		['text/csv documents', { type: 'document', mediaType: 'text/csv', data: 'C' }]
	])('refuses %s by that name', (name, part) => {
		expect(() => convert([user(text('a'), part)])).toThrow(`cannot take ${name}.`);
	});

	it('leaves an image of a result that it cannot take out, and says so', () => {
		const images = [image('image/png'), image('image/tiff')];
		const tool = { role: 'tool' as const, content: [result('1', { images })] };
		expect(convert([user(text('hi')), said(call('1')), tool])[2]?.content).toEqual([
			{
				type: 'tool_result',
				tool_use_id: '1',
				is_error: false,
				content: expect.stringMatching(/^of 1\n\[Left out: .* cannot take image\/tiff images\.\]$/)
			}
		]);
	});
});
