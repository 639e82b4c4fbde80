import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { createKeyMask, maskHeaders } from '#server/llm/key-mask.ts';

const KEY = 'sk-ss-sk-secret-0123';
const stars = '*'.repeat(KEY.length);

function through(pieces: readonly string[]): string {
	const mask = createKeyMask(KEY);
	if (!mask) throw new Error('There is something to hide.');
	return Buffer.concat([...pieces.map((piece) => mask.take(Buffer.from(piece))), mask.rest()]).toString();
}

it('makes a key illegible wherever an answer is cut, and leaves every other byte as it is', () => {
	const words = fc.constantFrom(KEY, KEY.slice(0, 3), KEY.slice(0, 9), KEY.slice(3), 's', 'data: {"a":1}\n\n', 'é');
	fc.assert(
		fc.property(fc.array(words, { maxLength: 8 }), fc.array(fc.nat(60)), (parts, lengths) => {
			const text = parts.join('');
			const pieces: string[] = [];
			let rest = text;
			for (const length of lengths) {
				pieces.push(rest.slice(0, length));
				rest = rest.slice(length);
			}
			expect(through([...pieces, rest])).toBe(text.replaceAll(KEY, stars));
		})
	);
	expect(through([...`a${KEY}b`])).toBe(`a${stars}b`); // a byte at a time
});

it.each(['data: x\n\n', 'so what', 'a single s word'])('sends %j at once: no end of it can be a key', (text) => {
	expect(createKeyMask(KEY)?.take(Buffer.from(text)).toString()).toBe(text);
});

it('hides a key of twelve characters', () => {
	expect(createKeyMask('123456789012')?.take(Buffer.from('a 123456789012')).toString()).toBe(`a ${'*'.repeat(12)}`);
	expect(createKeyMask('12345678901')).toBeUndefined();
});

it('hides no word that only stands in for a key', () => {
	expect(createKeyMask('ollama')).toBeUndefined();
	expect(createKeyMask(undefined)).toBeUndefined();
	const headers = { 'request-id': `r-${KEY}`, 'set-cookie': [KEY, 'b'], via: 'ollama', age: undefined };
	maskHeaders(headers, 'ollama');
	maskHeaders(headers, KEY);
	expect(headers).toEqual({
		'request-id': `r-${stars}`,
		'set-cookie': [stars, 'b'],
		via: 'ollama',
		age: undefined
	});
});
