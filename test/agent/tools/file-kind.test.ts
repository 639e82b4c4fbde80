import { describe, expect, it } from 'vitest';
import { decodeText, imageType, isBinary, toBase64 } from '#agent/tools/file-kind.ts';

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const STARTS: [type: string, start: number[]][] = [
	['image/png', [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]],
	['image/jpeg', [0xff, 0xd8, 0xff]],
	['image/gif', ascii('GIF8')],
	['image/webp', [...ascii('RIFF'), 1, 2, 3, 4, ...ascii('WEBP')]]
];

describe('the kind of a file', () => {
	it.each(STARTS)('is %s by its first bytes alone, each of them', (type, start) => {
		expect(imageType(bytes(...start))).toBe(type);
		expect(imageType(bytes(...start, 0, 1))).toBe(type);
		expect(imageType(bytes(...start.slice(0, -1)))).toBeUndefined();
		const free = type === 'image/webp' ? [4, 5, 6, 7] : [];
		for (const at of start.keys())
			expect(imageType(bytes(...start.map((byte, index) => (index === at ? byte ^ 1 : byte))))).toBe(
				free.includes(at) ? type : undefined
			);
	});

	it('is binary with a null among the first 8,000 bytes, or where it is no UTF-8', () => {
		const text = (length: number): Uint8Array => new Uint8Array(length).fill(0x61);
		const withNull = (at: number): Uint8Array => {
			const value = text(9_000);
			value[at] = 0;
			return value;
		};
		expect(isBinary(text(9_000))).toBe(false);
		expect(isBinary(withNull(7_999))).toBe(true);
		expect(isBinary(withNull(8_000))).toBe(false);
		expect(isBinary(bytes(0xff, 0x61))).toBe(true);
		expect(isBinary(bytes(...new TextEncoder().encode('é🌍')))).toBe(false);
		expect(isBinary(bytes())).toBe(false);
	});
});

it('keeps a byte order mark in a text', () => {
	expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
});

it('writes base64 of any length', () => {
	for (const length of [0, 1, 2, 3, 0x7fff, 0x8000, 0x8001, 100_000]) {
		const value = Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
		expect(toBase64(value) === Buffer.from(value).toString('base64')).toBe(true);
	}
});
