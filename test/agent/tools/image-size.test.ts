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
	// Tables come before the frame.
	const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xc4, 0, 3, 9, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 2, 0, 3, 1]);
	expect(imageSize(jpeg)).toEqual({ width: 3, height: 2 });
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
