import { describe, expect, it } from 'vitest';
import { responsesInput } from '#llm/adapters/openai-responses/input.ts';
import type { ContentPart, Message, Request, ToolDefinition } from '#llm/types.ts';
import { asked } from '../reading.ts';

const convert = (messages: Message[], more: Partial<Request> = {}) => {
	const { config, request } = asked('openai', 'gpt-5.5', { messages, ...more });
	return responsesInput(config, request);
};
const text = (words: string): ContentPart => ({ type: 'text', text: words });
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const said = (...content: ContentPart[]): Message => ({ role: 'assistant', content });
const call = (id: string, name = 'Read', args: object = { path: id }): ContentPart => ({
	type: 'tool_call',
	id,
	name,
	arguments: { ...args }
});
const result = (callId: string, more: object = {}): ContentPart => ({
	type: 'tool_result',
	callId,
	toolName: 'Read',
	content: `of ${callId}`,
	isError: false,
	...more
});
const reasoning = (more: object = {}) => ({
	type: 'reasoning',
	id: 'rs_1',
	summary: [{ type: 'summary_text', text: 'Hm.' }],
	encrypted_content: 'e',
	...more
});
const thought = (item: unknown, model = 'gpt-5.5'): ContentPart => ({
	type: 'thinking',
	text: 'Hm.',
	provider: { provider: 'openai', model, item }
});

describe('a conversation in Responses items', () => {
	it('has words, calls and results in their order, and nothing empty', () => {
		const messages = [
			{ role: 'developer' as const, content: [text('Use tabs.')] },
			{ role: 'system' as const, content: [text('No jokes.')] },
			user(text('a'), text('')),
			user(text('')),
			said(text(''), text('Reading.'), call('1')),
			{ role: 'tool' as const, content: [result('1')] }
		];
		const message = (role: string, words: string) => ({
			type: 'message',
			role,
			content: [{ type: 'input_text', text: words }]
		});
		expect(convert(messages)).toEqual([
			message('developer', 'Use tabs.'),
			message('developer', 'No jokes.'),
			message('user', 'a'),
			{ role: 'assistant', content: 'Reading.' },
			{ type: 'function_call', call_id: '1', name: 'Read', arguments: '{"path":"1"}' },
			{ type: 'function_call_output', call_id: '1', output: 'of 1' }
		]);
	});

	it('has images, documents and the images of results', () => {
		const image = { type: 'image' as const, mediaType: 'image/png', data: 'AA' };
		const sent = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AA' };
		const pdf = { type: 'document' as const, mediaType: 'application/pdf', data: 'CC' };
		const url = 'https://a.example/cat';
		const messages = [
			user(image, { type: 'image_url', url }, pdf, { ...pdf, name: 'paper.pdf' }),
			said(call('1'), call('2')),
			{
				role: 'tool' as const,
				content: [result('1', { images: [image] }), result('2', { images: [image], content: '' })]
			}
		];
		const [message, , , first, second] = convert(messages);
		const file_data = 'data:application/pdf;base64,CC';
		expect(message).toMatchObject({
			content: [
				sent,
				{ type: 'input_image', detail: 'auto', image_url: url },
				{ type: 'input_file', filename: 'document', file_data },
				{ type: 'input_file', filename: 'paper.pdf', file_data }
			]
		});
		expect(first).toMatchObject({ output: [{ type: 'input_text', text: 'of 1' }, sent] });
		expect(second).toMatchObject({ output: [sent] });
		expect(() => convert([user({ type: 'audio', mediaType: 'audio/wav', data: 'D' })])).toThrow('audio');
	});

	it('has calls of a free-form tool in its form, and their results too', () => {
		const tools: ToolDefinition[] = [
			{ name: 'apply_patch', description: '', parameters: {}, custom: { syntax: 'lark', definition: '' } },
			{ name: 'Read', description: '', parameters: {} }
		];
		const messages = [
			said(
				call('1', 'apply_patch', { input: '*** Begin' }),
				call('2', 'Read', { input: 'x' }),
				call('3', 'apply_patch', { input: 7 })
			),
			{ role: 'tool' as const, content: [result('1'), result('2'), result('3')] }
		];
		expect(convert(messages, { tools })).toEqual([
			{ type: 'custom_tool_call', call_id: '1', name: 'apply_patch', input: '*** Begin' },
			{ type: 'function_call', call_id: '2', name: 'Read', arguments: '{"input":"x"}' },
			{ type: 'function_call', call_id: '3', name: 'apply_patch', arguments: '{"input":7}' },
			{ type: 'custom_tool_call_output', call_id: '1', output: 'of 1' },
			{ type: 'function_call_output', call_id: '2', output: 'of 2' },
			{ type: 'function_call_output', call_id: '3', output: 'of 3' }
		]);
		// Without the tool, its old calls are plain ones.
		expect(convert(messages).map((item) => item.type)).toEqual([
			...Array.from({ length: 3 }, () => 'function_call'),
			...Array.from({ length: 3 }, () => 'function_call_output')
		]);
	});

	it('has a reasoning item only before what followed it', () => {
		const types = (...content: ContentPart[]) => convert([user(text('a')), said(...content)]).map(({ type }) => type);
		expect(types(thought(reasoning()), text('b'))).toEqual(['message', 'reasoning', undefined]);
		expect(types(thought(reasoning()), thought(reasoning()), call('1')).slice(1, 4)).toEqual([
			'reasoning',
			'reasoning',
			'function_call'
		]);
		expect(types(text('b'), thought(reasoning()))).toEqual(['message', undefined]);
		expect(types(thought(reasoning()), text(''))).toEqual(['message']);
		expect(types(thought(reasoning()), thought(reasoning()))).toEqual(['message']);
		expect(types(thought(reasoning(), 'gpt-5.2'), text('b'))).toEqual(['message', undefined]);
	});

	it.each<[string, unknown]>([
		['without encrypted content', reasoning({ encrypted_content: '' })],
		['without an id', reasoning({ id: undefined })],
		['of another type', reasoning({ type: 'message' })],
		['with a foreign summary', reasoning({ summary: [{ type: 'other', text: 'x' }] })],
		['without a form', null]
	])('drops a reasoning item %s', (_, item) => {
		expect(convert([user(text('a')), said(thought(item), text('b'))]).map(({ type }) => type)).toEqual([
			'message',
			undefined
		]);
	});
});
