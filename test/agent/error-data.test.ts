import { describe, expect, it } from 'vitest';
import { errorData } from '#agent/error-data.ts';

describe('the data of an error', () => {
	it('has its code and sentence, and what a provider adds, and nothing else', () => {
		const fields = { code: 'rate_limit', retryable: true, status: 429, provider: 'openai', retryAfterMs: 5 };
		expect(errorData(Object.assign(new Error('Slow down.'), fields, { body: 'secret', cause: 'x' }))).toEqual({
			message: 'Slow down.',
			...fields
		});
		expect(errorData(Object.assign(new TypeError('Wrong.'), { retryable: false }))).toEqual({
			code: 'TypeError',
			message: 'Wrong.',
			retryable: false
		});
		expect(errorData('text')).toEqual({ code: 'unknown', message: 'text' });
	});

	it('takes no field of another type', () => {
		const fields = { code: 5, retryable: 'yes', status: '429', provider: 7, retryAfterMs: '5' };
		expect(errorData(Object.assign(new Error('x'), fields))).toEqual({ code: 'Error', message: 'x' });
		expect(errorData(Object.assign(new Error('x'), { provider: '' }))).not.toHaveProperty('provider');
	});
});
