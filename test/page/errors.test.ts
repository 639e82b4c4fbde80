import { describe, expect, it } from 'vitest';
import type { ImportErrorCode } from '#workspace/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { EXPLAINED_CODES, explain } from '#page/errors.ts';

const IMPORT_CODES: Record<ImportErrorCode, true> = {
	invalid_url: true,
	not_found: true,
	private: true,
	too_large: true,
	no_network: true,
	not_a_zip: true,
	damaged: true,
	empty: true,
	unsupported: true,
	cancelled: true,
	server_error: true
};

describe('explain', () => {
	it('has a sentence and a next step for each code an import can fail with', () => {
		for (const code of Object.keys(IMPORT_CODES)) expect(EXPLAINED_CODES).toContain(code);
	});

	it('says everything in sentences', () => {
		for (const code of EXPLAINED_CODES) {
			const { sentence, nextStep } = explain({ code, message: '' });
			expect(sentence, code).toMatch(/^[A-Z].*\.$/);
			expect(nextStep, code).toMatch(/^[A-Z].*\.$/);
		}
	});

	it('never shows a code alone', () => {
		expect(explain({ code: 'E_STRANGE' }).sentence).toBe('Something went wrong.');
		expect(explain(null).nextStep).not.toBe('');
		expect(explain('it broke').sentence).toBe('it broke.');
		expect(explain(new Error('The disk is gone')).sentence).toBe('The disk is gone.');
	});

	it('tells a missing model, a missing repository and a missing share apart', () => {
		expect(explain({ code: 'not_found', message: '' }).sentence).toContain('repository');
		expect(explain({ code: 'not_found', message: '', provider: 'openai' }).sentence).toContain('model');
		expect(explain({ name: 'ShareError', code: 'not_found', message: '' }).sentence).toContain('share');
	});

	it('names the provider where the error does, and never the demo’s model', () => {
		const sentence = (provider: string) => explain({ code: 'server', message: '', provider }).sentence;
		expect(sentence('gemini')).toBe('Google Gemini is overloaded or has a problem.');
		expect(sentence('compatible-Our lab')).toBe('Our lab is overloaded or has a problem.');
		for (const none of ['', 'demo']) expect(sentence(none)).toBe('The provider has a problem.');
	});

	it('says how long a provider asks to wait, where it does', () => {
		const step = (retryAfterMs?: number) => explain({ code: 'rate_limit', message: '', retryAfterMs }).nextStep;
		expect(step(900_000)).toBe('Wait 15 minutes, then try again.');
		expect(step(30_500)).toBe('Wait 31 seconds, then try again.');
		expect(step()).toBe('Wait a minute, then try again.');
	});

	it('knows a part of the page that does not come, in each engine’s words', () => {
		for (const message of [
			'Failed to fetch dynamically imported module: https://example.org/assets/a.js',
			'error loading dynamically imported module: https://example.org/assets/a.js',
			'Importing a module script failed.'
		])
			expect(explain(new TypeError(message)).nextStep).toContain('reload');
	});

	it('keeps the words of a computer that cannot start, and what lies behind an error', () => {
		expect(explain(new EnvironmentError('EUNAVAILABLE', 'This page is not isolated')).sentence).toBe(
			'This page is not isolated.'
		);
		expect(explain({ code: 'server_error', message: '', detail: '502' }).detail).toBe('502');
	});
});
