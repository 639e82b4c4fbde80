import { expect, it } from 'vitest';
import { acceptedContent, hasImage, reasonWithoutImages, withoutImages } from '#agent/image-policy.ts';
import { estimateTextTokens, estimateTokens } from '#agent/token-estimate.ts';
import type { ContentPart, ImagePart, Message } from '#llm/types.ts';

const image: ImagePart = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const address = { type: 'image_url', url: 'https://a.example/a.png' } as unknown as ContentPart;
const result = (content: string, images?: ImagePart[]): ContentPart => ({
	type: 'tool_result',
	callId: 'c',
	toolName: 'Read',
	content,
	isError: false,
	...(images ? { images } : {})
});
const text: ContentPart = { type: 'text', text: 'Look.' };

it('leaves pictures out where they are switched off or the model sees none, and says why', () => {
	expect(reasonWithoutImages({}, true)).toBeNull();
	expect(reasonWithoutImages({}, false)).toBe('this model sees no pictures');
	expect(reasonWithoutImages({ block: true }, true)).toBe('pictures are switched off in this session');
	const note = '[A picture was left out: this model sees no pictures.]';
	const plain: Message = { role: 'user', content: [text, result('out'), result('none', [])] };
	const messages: Message[] = [
		plain,
		{ role: 'user', content: [text, image, address] },
		{ role: 'tool', content: [result('A plot', [image]), result('', [image]), result('out')] }
	];
	const left = withoutImages(messages, 'this model sees no pictures');
	expect(left[0]).toBe(plain);
	expect(left[1]?.content).toEqual([text, { type: 'text', text: note }, { type: 'text', text: note }]);
	expect(left[2]?.content).toEqual([result(`A plot\n${note}`), result(note), result('out')]);
	expect(left.flatMap(({ content }) => content).some(hasImage)).toBe(false);
	const linked: Message = { role: 'user', content: [address] };
	expect(withoutImages([linked], 'this model sees no pictures')[0]?.content).toEqual([{ type: 'text', text: note }]);
});

it('refuses a message of the user with a picture that would not be sent', () => {
	expect(acceptedContent('Look.', {}, { supportsImages: false })).toEqual([text]);
	expect(acceptedContent([text, image], {}, { supportsImages: true })).toEqual([text, image]);
	expect(() => acceptedContent([text, image], {}, { supportsImages: false })).toThrow('this model sees no pictures');
	expect(() => acceptedContent([address], {}, { supportsImages: false })).toThrow('this model sees no pictures');
	expect(() => acceptedContent([result('', [image])], {}, { supportsImages: false })).toThrow('sees no pictures');
	expect(acceptedContent([result('', [])], {}, { supportsImages: false })).toHaveLength(1);
	expect(() => acceptedContent([image], { block: true }, { supportsImages: true })).toThrow('switched off');
});

it('counts every part of a message in tokens, about', () => {
	const tokens = (...content: ContentPart[]) => estimateTokens([{ role: 'user', content }]);
	const words = estimateTextTokens('one two three');
	expect(words).toBe(4);
	expect(estimateTextTokens('a'.repeat(120))).toBe(13);
	expect(tokens({ type: 'text', text: 'one two three' })).toBe(words);
	expect(tokens({ type: 'thinking', text: 'one two three' })).toBe(words);
	expect(tokens(image)).toBe(1_200);
	expect(tokens(address)).toBe(1_200);
	expect(tokens(result('one two three'))).toBe(words);
	expect(tokens(result('one two three', [image, image]))).toBe(words + 2_400);
	expect(tokens({ type: 'tool_call', id: 'c', name: 'Read', arguments: { path: 'a b' } })).toBe(
		estimateTextTokens('Read {"path":"a b"}')
	);
	for (const type of ['document', 'audio', 'redacted_thinking'] as const)
		expect(tokens({ type, data: 'x'.repeat(401) } as unknown as ContentPart), type).toBe(101);
	expect(tokens(text, image)).toBe(tokens(text) + 1_200);
});
