import { describe, expect, it } from 'vitest';
import { geminiContents } from '#llm/adapters/gemini/contents.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { asked } from '../reading.ts';

const MODEL = 'gemini-3-pro-preview';
const convert = (messages: Message[], model = MODEL) => {
	const { config, request } = asked('gemini', model, { messages });
	return geminiContents(config, request);
};
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const said = (...content: ContentPart[]): Message => ({ role: 'assistant', content });
const text = (words: string): ContentPart => ({ type: 'text', text: words });
const signed = (item: unknown, model = MODEL) => ({ provider: { provider: 'gemini', model, item } });
const call = (id: string, more: object = {}): ContentPart => ({
	type: 'tool_call',
	id,
	name: 'Read',
	arguments: { path: id },
	...more
});
const result = (callId: string, more: object = {}): ContentPart => ({
	type: 'tool_result',
	callId,
	toolName: 'Read',
	content: `of ${callId}`,
	isError: false,
	...more
});

describe('a conversation for Gemini', () => {
	it('joins neighbours of one side, and leaves out instructions and empty text', () => {
		const contents = convert([
			{ role: 'system', content: [text('elsewhere')] },
			user(text('a'), text('')),
			user(text('b')),
			said(text('')),
			said(text('c'), text('')),
			said(text('d')),
			user(text(''))
		]);
		expect(contents).toEqual([
			{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
			{ role: 'model', parts: [{ text: 'c' }, { text: 'd' }] }
		]);
	});

	it('returns thoughts and signatures to the model they came from', () => {
		const answer = said(
			{ type: 'thinking', text: 'Hm.', ...signed({ thoughtSignature: 's1' }) },
			{ type: 'thinking', text: 'unsigned', ...signed({}) },
			text('Hello'),
			{ type: 'opaque', ...signed({ thoughtSignature: 's2' }) },
			call('1', signed({ id: 'f1', thoughtSignature: 's3' })),
			// A signature after a call belongs to no text.
			{ type: 'opaque', ...signed({ thoughtSignature: 's4' }) },
			call('2')
		);
		const messages = [user(text('hi')), answer, { role: 'tool' as const, content: [result('1'), result('2')] }];
		expect(convert(messages).slice(1)).toEqual([
			{
				role: 'model',
				parts: [
					{ text: 'Hm.', thought: true, thoughtSignature: 's1' },
					{ text: 'Hello', thoughtSignature: 's2' },
					{ functionCall: { name: 'Read', args: { path: '1' }, id: 'f1' }, thoughtSignature: 's3' },
					{ functionCall: { name: 'Read', args: { path: '2' } } }
				]
			},
			{
				role: 'user',
				parts: [
					{ functionResponse: { name: 'Read', response: { output: 'of 1' }, id: 'f1' } },
					{ functionResponse: { name: 'Read', response: { output: 'of 2' } } }
				]
			}
		]);
		// Another model receives only the words and the calls.
		expect(convert(messages, 'gemini-2.5-pro')[1]?.parts).toEqual([
			{ text: 'Hello' },
			{ functionCall: { name: 'Read', args: { path: '1' } } },
			{ functionCall: { name: 'Read', args: { path: '2' } } }
		]);
		expect(convert(messages, 'gemini-3-flash-preview')[1]?.parts).toEqual([
			{ text: 'Hello' },
			{
				functionCall: { name: 'Read', args: { path: '1' } },
				thoughtSignature: 'skip_thought_signature_validator'
			},
			{ functionCall: { name: 'Read', args: { path: '2' } } }
		]);
	});

	it('answers a call whose name was used before under the number of the later one', () => {
		const numbers = [signed({ id: 'f1' }), {}].map((own) => [
			said(call('1', own)),
			{ role: 'tool', content: [result('1')] }
		]);
		expect(convert(numbers.flat() as Message[]).filter(({ role }) => role === 'user')).toEqual([
			{ role: 'user', parts: [{ functionResponse: { name: 'Read', response: { output: 'of 1' }, id: 'f1' } }] },
			{ role: 'user', parts: [{ functionResponse: { name: 'Read', response: { output: 'of 1' } } }] }
		]);
	});

	it('drops stored data that is not in the form of Gemini', () => {
		const odd = said(call('1', signed({ id: 7, thoughtSignature: ['x'] })));
		expect(convert([user(text('hi')), odd], 'gemini-2.5-pro')[1]?.parts?.[0]).toEqual({
			functionCall: { name: 'Read', args: { path: '1' } }
		});
		const thought = said(
			{ type: 'thinking', text: 'x', ...signed(null) },
			{ type: 'opaque', ...signed('x') },
			text('a')
		);
		expect(convert([user(text('hi')), thought])[1]?.parts).toEqual([{ text: 'a' }]);
	});

	it('leaves out a signature that follows nothing, and what another provider keeps for itself', () => {
		const answer = said(
			{ type: 'opaque', ...signed({ thoughtSignature: 's' }) },
			{ type: 'redacted_thinking', data: 'd', provider: { provider: 'anthropic', model: 'claude-opus-5', item: null } },
			text('a')
		);
		expect(convert([user(text('hi')), answer])[1]?.parts).toEqual([{ text: 'a' }]);
	});

	it('gives a failed result as an error, with its images behind it', () => {
		const images = [{ type: 'image', mediaType: 'image/png', data: 'AA' }];
		const messages: Message[] = [said(call('1')), { role: 'tool', content: [result('1', { isError: true, images })] }];
		expect(convert(messages)[1]?.parts).toEqual([
			{ functionResponse: { name: 'Read', response: { error: 'of 1' } } },
			{ inlineData: { mimeType: 'image/png', data: 'AA' } }
		]);
	});

	it.each([
		['https://a.example/cat.png', 'image/png'],
		['https://a.example/cat.jpg', 'image/jpeg'],
		['https://a.example/cat.JPEG?size=2', 'image/jpeg'],
		['https://a.example/cat.gif#top', 'image/gif'],
		['https://a.example/cat.webp', 'image/webp'],
		['https://a.png.example/cat.webp', 'image/webp']
	])('says of the image at %s that it is %s', (url, mimeType) => {
		expect(convert([user({ type: 'image_url', url })])).toEqual([
			{ role: 'user', parts: [{ fileData: { fileUri: url, mimeType } }] }
		]);
	});

	it('believes a given type of a linked image, and refuses one without a type', () => {
		const url = 'https://a.example/cat';
		expect(convert([user({ type: 'image_url', url, mediaType: 'image/heic' })])[0]?.parts).toEqual([
			{ fileData: { fileUri: url, mimeType: 'image/heic' } }
		]);
		for (const unknown of [url, `${url}.svg`, `${url}.png/raw`])
			expect(() => convert([user({ type: 'image_url', url: unknown })])).toThrow('a linked image of unknown format');
	});

	it('carries documents and sound in line', () => {
		const parts = convert([
			user(
				{ type: 'document', mediaType: 'application/pdf', data: 'CC' },
				{ type: 'audio', mediaType: 'audio/wav', data: 'DD' }
			)
		])[0]?.parts;
		expect(parts).toEqual([
			{ inlineData: { mimeType: 'application/pdf', data: 'CC' } },
			{ inlineData: { mimeType: 'audio/wav', data: 'DD' } }
		]);
	});
});
