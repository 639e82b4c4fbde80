import { describe, expect, it } from 'vitest';
import { imageSize } from '#agent/tools/image-size.ts';
import { readFile } from '#agent/tools/read-file.ts';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import { scaleImage } from '#page/images/scale-image.ts';
import { createHarness } from '#test/contract/tools/harness.ts';

/** Noise, which no codec compresses well. */
async function noisyPng(width: number, height: number): Promise<Uint8Array> {
	const canvas = new OffscreenCanvas(width, height);
	const context = canvas.getContext('2d');
	const pixels = new ImageData(width, height);
	for (let at = 0; at < pixels.data.length; at += 65_536)
		crypto.getRandomValues(pixels.data.subarray(at, Math.min(pixels.data.length, at + 65_536)));
	for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255;
	context?.putImageData(pixels, 0, 0);
	return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
}

const sizeOf = (base64: string): number => atob(base64).length;

describe('a picture over the limit', () => {
	it('is shown smaller, within the limit [J.11-2.3]', async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		const png = await noisyPng(900, 800);
		expect(png.length).toBeGreaterThan(2_000_000);
		await environment.writeFile('large.png', png);
		const { context } = createHarness(environment, { images: { maxBytes: 1_000_000, scale: scaleImage } });
		const result = await readFile.execute({ file_path: 'large.png' }, context);
		const [image] = result.images ?? [];
		expect(sizeOf(image?.data ?? '')).toBeLessThanOrEqual(1_000_000);
		expect(sizeOf(image?.data ?? '')).toBeGreaterThan(1_000);
		const bitmap = await createImageBitmap(
			await (await fetch(`data:${image?.mediaType};base64,${image?.data}`)).blob()
		);
		expect(bitmap.width / bitmap.height).toBeCloseTo(900 / 800, 1);
		expect(result.details).toMatchObject({ scaled: true, totalBytes: png.length });
		await environment.cleanup();
	});

	it('is shown smaller when it has too many pixels, also where its bytes are few', async () => {
		const environment = createWasmEnvironment();
		await environment.initialize();
		const canvas = new OffscreenCanvas(9_000, 90);
		canvas.getContext('2d')?.fillRect(0, 0, 9_000, 90);
		for (const type of ['image/png', 'image/jpeg', 'image/webp']) {
			const blob = await canvas.convertToBlob({ type });
			const bytes = new Uint8Array(await blob.arrayBuffer());
			expect([type, imageSize(bytes)]).toEqual([blob.type, { width: 9_000, height: 90 }]);
			await environment.writeFile('wide', bytes);
			const { context } = createHarness(environment, { images: { maxBytes: 1_000_000, scale: scaleImage } });
			const { content, images } = await readFile.execute({ file_path: 'wide' }, context);
			expect(content).toContain('9000×90 pixels, shown smaller');
			const shown = Uint8Array.from(atob(images?.[0]?.data ?? ''), (char) => char.charCodeAt(0));
			expect(imageSize(shown)).toEqual({ width: 2_000, height: 20 });
		}
		await environment.cleanup();
	});

	it('is null where the bytes are none', async () => {
		expect(
			await scaleImage({ type: 'image', mediaType: 'image/png', data: btoa('no picture') }, { maxBytes: 5, maxSide: 5 })
		).toBeNull();
	});
});
