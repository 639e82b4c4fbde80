import { expect, it } from 'vitest';
import { estimateTextTokens, estimateTokens } from '#agent/token-estimate.ts';

it('prices words, long words by their length, and Chinese, Japanese and Korean by the character', () => {
	expect(estimateTextTokens('')).toBe(0);
	expect(estimateTextTokens(' \n\t ')).toBe(0);
	expect(estimateTextTokens('a b c d e f g h i j')).toBe(13);
	expect(estimateTextTokens('x'.repeat(12))).toBe(1);
	expect(estimateTextTokens('x'.repeat(240))).toBe(26);
	for (const character of ['ひ', 'カ', '㐀', '世', '한', '豈'])
		expect(estimateTextTokens(character.repeat(5))).toBe(10);
	expect(estimateTextTokens('世a界')).toBe(5);
	expect(estimateTextTokens('a世b')).toBe(5);
});

it('prices nothing that only its provider reads', () => {
	const provider = { provider: 'p', model: 'm', item: 'x'.repeat(400) };
	expect(estimateTokens([{ role: 'assistant', content: [{ type: 'opaque', provider }] }])).toBe(0);
});
