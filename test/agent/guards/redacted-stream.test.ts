import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { RedactedStream } from '#agent/guards/redacted-stream.ts';
import { redactSecrets } from '#agent/guards/redaction.ts';

const token = `ghp_${'aB3d'.repeat(9)}`;
const key = [
	'-----BEGIN RSA PRIVATE KEY-----',
	...Array<string>(5).fill('MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'),
	'QQ==',
	'-----END RSA PRIVATE KEY-----'
].join('\n');
const jwt = `eyJ${'hbGci'.repeat(9)}.eyJ${'zdWIi'.repeat(9)}.${'c2ln'.repeat(9)}`;
const text = `before ${token} and\nAPI=${jwt}\n${key}\nafter\n${token}`;

describe('a text that comes in pieces', () => {
	it('comes out as the whole would, redacted, wherever it is cut and however often it is looked at', () => {
		const cuts = fc.array(fc.record({ length: fc.integer({ min: 1, max: 60 }), look: fc.boolean() }), { minLength: 1 });
		fc.assert(
			fc.property(cuts, (pieces) => {
				const stream = new RedactedStream();
				let out = '';
				let at = 0;
				for (let turn = 0; at < text.length; turn++) {
					const { length, look } = pieces[turn % pieces.length] ?? { length: 1, look: false };
					out += stream.push(text.slice(at, at + length));
					if (look) out += stream.peek();
					at += length;
				}
				out += stream.end();
				expect(out).toBe(redactSecrets(text));
			}),
			{ numRuns: 500 }
		);
	});

	it('shows a prompt at once, and half of a word when no more comes', () => {
		const stream = new RedactedStream();
		expect(stream.push('line\nPassword: ')).toBe('line\n');
		expect(stream.peek()).toBe('Password: ');
		expect(stream.push('>>>') + stream.peek()).toBe('>>>');
		expect(stream.push('one two') + stream.peek()).toBe('one ');
		expect(stream.peek()).toBe('two');
	});

	it('comes out line by line, however much comes at once', () => {
		const stream = new RedactedStream();
		expect(stream.push('x')).toBe('');
		expect(stream.push(`${'\nabc'.repeat(10_000)} half`)).toBe(`x${'\nabc'.repeat(9_999)}\n`);
		expect(stream.end()).toBe('abc half');
		expect(stream.end()).toBe('');
	});

	it('comes out word by word where a line is longer than 16,384 characters', () => {
		const words = 'ab '.repeat(5_461);
		const stream = new RedactedStream();
		expect(stream.push(`${words}t`)).toBe('');
		expect(stream.push('ail')).toBe(words);
		expect(stream.end()).toBe('tail');
		const long = new RedactedStream();
		expect(long.push(`a ${'x'.repeat(16_384)}`)).toBe('a ');
		expect(long.push('x')).toBe('x'.repeat(16_385));
	});

	it('holds back a key from its first line, wherever in the text, and no certificate', () => {
		const stream = new RedactedStream();
		const certificate = `-----BEGIN CERTIFICATE-----\nabc\n`;
		expect(stream.push(certificate)).toBe(certificate);
		const before = 'x\n'.repeat(40_000);
		expect(stream.push(`${before}-----BEGIN RSA PRIVATE KEY-----\n${'QUFB'.repeat(16)}\n`)).toBe(before);
	});

	it('does not grow with a line or a key that never ends', () => {
		const stream = new RedactedStream();
		let out = 0;
		for (let at = 0; at < 200; at++) out += stream.push('x'.repeat(1_000)).length;
		expect(out).toBeGreaterThan(180_000);
		const keys = new RedactedStream();
		let shown = keys.push('-----BEGIN PRIVATE KEY-----\n');
		for (let at = 0; at < 3_000; at++) shown += keys.push(`${'QUFB'.repeat(16)}\n`);
		expect(shown).toContain('[secret left out: private key]');
	});
});
