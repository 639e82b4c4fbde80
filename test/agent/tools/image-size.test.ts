import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { imageSize } from '#agent/tools/image-size.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { temporaryEnvironment } from '../fake-session.ts';

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));

/** Real files, of 3 × 2 pixels. */
const FILES = {
	gif: bytesOf('R0lGODlhAwACAIAAAAAAAP///yH5BAAAAAAALAAAAAADAAIAAAIChF8AOw=='),
	png: bytesOf('iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADElEQVR4nGNgYGAAAAAEAAHzGVyiAAAAAElFTkSuQmCC')
};

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const webp = (kind: string, ...rest: number[]): Uint8Array =>
	new Uint8Array([...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP'), ...ascii(kind), 0, 0, 0, 0, ...rest]);

it('reads the pixels of each kind of picture from its first bytes', () => {
	expect(imageSize(FILES.gif)).toEqual({ width: 3, height: 2 });
	expect(imageSize(FILES.png)).toEqual({ width: 3, height: 2 });
	expect(imageSize(webp('VP8X', 0, 0, 0, 0, 0x27, 0x23, 0, 0x0f, 0x27, 0))).toEqual({ width: 9_000, height: 10_000 });
	// Tables precede the frame header.
	const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xc4, 0, 3, 9, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 2, 0, 3, 1]);
	expect(imageSize(jpeg)).toEqual({ width: 3, height: 2 });
});

it('reads each of the three kinds of WebP, whose sizes have 14 and 24 bits', () => {
	const lossy = (width: number[], height: number[]) => webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, ...width, ...height);
	// The two upper bits of each are the scale.
	expect(imageSize(lossy([0x2c, 0x41], [0x90, 0xc1]))).toEqual({ width: 300, height: 400 });
	expect(imageSize(lossy([0xff, 0x3f], [0x01, 0x00]))).toEqual({ width: 16_383, height: 1 });
	// Width and height minus one, in 14 bits each, after the signature.
	expect(imageSize(webp('VP8L', 0x2f, 0x2b, 0xc1, 0x63, 0x10))).toEqual({ width: 300, height: 400 });
	expect(imageSize(webp('VP8L', 0x2f, 0xff, 0x3f, 0x00, 0x00))).toEqual({ width: 16_384, height: 1 });
	expect(imageSize(webp('VP8X', 0, 0, 0, 0, 0x2b, 0x01, 0x00, 0x8f, 0x01, 0x00))).toEqual({ width: 300, height: 400 });
	expect(imageSize(webp('VP8X', 0, 0, 0, 0, 0x00, 0x00, 0x01, 0x00, 0x00, 0x02))).toEqual({
		width: 65_537,
		height: 131_073
	});
	expect(imageSize(webp('ALPH', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toBeUndefined();
});

it('finds the frame of a JPEG behind all that may come first', () => {
	const jpeg = (...segments: number[]): Uint8Array => new Uint8Array([0xff, 0xd8, ...segments]);
	const frame = (marker: number): number[] => [0xff, marker, 0, 11, 8, 1, 0x90, 1, 0x2c, 1];
	const size = { width: 300, height: 400 };
	for (const marker of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf])
		expect(imageSize(jpeg(...frame(marker)))).toEqual(size);
	for (const marker of [0xbf, 0xc4, 0xc8, 0xcc, 0xd0, 0xe0])
		expect(imageSize(jpeg(0xff, marker, 0, 4, 9, 9, ...frame(0xc0)))).toEqual(size);
	expect(imageSize(jpeg(0xff, 0xff, 0xff, 0xff, 0xe0, 0, 2, ...frame(0xc0)))).toEqual(size);
	expect(imageSize(jpeg(0xff, 0xe0, 0, 2, 0, 0, ...frame(0xc0)))).toBeUndefined();
});

it('has no size for bytes that end before it, and for those of no picture', () => {
	expect(imageSize(FILES.png.subarray(0, 20))).toBeUndefined();
	expect(imageSize(FILES.gif.subarray(0, 8))).toBeUndefined();
	expect(imageSize(webp('VP8X'))).toBeUndefined();
	expect(imageSize(new Uint8Array([0xff, 0xd8, 0xff]))).toBeUndefined();
	expect(imageSize(new Uint8Array(40))).toBeUndefined();
	// A subarray of a larger buffer has its own first byte.
	const within = new Uint8Array([1, 2, 3, ...FILES.png]).subarray(3);
	expect(imageSize(within)).toEqual({ width: 3, height: 2 });
});

it('ends on any bytes', () => {
	const start = fc.constantFrom(
		[0xff, 0xd8, 0xff],
		[0x47, 0x49, 0x46, 0x38],
		[...FILES.png.subarray(0, 8)],
		[...webp('VP8L')]
	);
	fc.assert(
		fc.property(start, fc.uint8Array({ maxLength: 60 }), (head, rest) => {
			imageSize(new Uint8Array([...head, ...rest]));
		})
	);
});

it('refuses a picture no provider takes where nothing can make it smaller, and says what to do', async () => {
	const environment = await temporaryEnvironment();
	const { call } = createHarness(environment);
	const png = FILES.png.slice();
	new DataView(png.buffer).setUint32(16, 8_001);
	await environment.writeFile('wide one.png', png);
	expect(await call('read', { path: 'wide one.png' })).toMatchObject({
		isError: true,
		content: expect.stringMatching(
			/8001×2 pixels; at most .* 8000 pixels a side .*convert 'wide one\.png' -resize 2000x2000/
		)
	});
	new DataView(png.buffer).setUint32(16, 8_000);
	await environment.writeFile('wide one.png', png);
	expect(await call('read', { path: 'wide one.png' })).toMatchObject({
		isError: false,
		content: expect.stringContaining('8000×2 pixels')
	});
});
