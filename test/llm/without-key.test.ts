import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '#llm/errors.ts';
import { withoutKey } from '#llm/without-key.ts';

const failed = (words: string, body?: string) =>
	new InvalidRequestError({ provider: 'openai', message: words, ...(body === undefined ? {} : { body }) });

describe('an error of a provider', () => {
	it('loses the key from all of its texts, however it is written there', () => {
		const key = 'sk-test/0123456789+=';
		const error = failed(`No ${key} and ${key}`, `{"key":"${encodeURIComponent(key)}","again":"${key}"}`);
		expect(withoutKey(error, key)).toBe(error);
		expect(error.message).toBe('No [key left out] and [key left out]');
		expect(error.body).toBe('{"key":"[key left out]","again":"[key left out]"}');
		expect(error.stack).toContain('[key left out]');
		expect(error.stack).not.toContain(key);
	});

	it('has no body or stack that it had not before', () => {
		const error = failed('No sk-0123456789ab');
		delete error.stack;
		withoutKey(error, 'sk-0123456789ab');
		expect(error.body).toBeUndefined();
		expect(error.stack).toBeUndefined();
		expect(error.message).toBe('No [key left out]');
	});

	it('keeps a word that is too short for a key, and all of it without one', () => {
		expect(withoutKey(failed('The ollama server said ollama'), 'ollama').message).toBe('The ollama server said ollama');
		expect(withoutKey(failed('12345678901'), '12345678901').message).toBe('12345678901');
		expect(withoutKey(failed('123456789012'), '123456789012').message).toBe('[key left out]');
		expect(withoutKey(failed('undefined'), undefined).message).toBe('undefined');
	});
});
