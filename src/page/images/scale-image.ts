import type { ImageLimits } from '#agent/image-policy.ts';
import type { ImagePart } from '#llm/types.ts';

const QUALITY = 0.85;
const SMALLEST_SIDE = 16;

/**
 * Scales a picture down with the browser's own codecs until it is within the limits. The result is WebP if the browser
 * can encode that, otherwise PNG or JPEG; only the first frame of an animation is kept.
 *
 * @returns `null` if the browser cannot decode the picture
 */
export async function scaleImage(image: ImagePart, { maxBytes, maxSide }: ImageLimits): Promise<ImagePart | null> {
	const bytes = Uint8Array.from(atob(image.data), (character) => character.charCodeAt(0));
	const bitmap = await createImageBitmap(new Blob([bytes], { type: image.mediaType })).catch(() => null);
	if (!bitmap) return null;
	try {
		// A picture's size grows roughly with its area.
		let scale = Math.min(1, Math.sqrt(maxBytes / bytes.length), maxSide / Math.max(bitmap.width, bitmap.height));
		for (;;) {
			const width = Math.max(1, Math.round(bitmap.width * scale));
			const height = Math.max(1, Math.round(bitmap.height * scale));
			const blob = await draw(bitmap, width, height);
			if (blob.size <= maxBytes) return { type: 'image', mediaType: blob.type, data: await base64(blob) };
			if (Math.max(width, height) <= SMALLEST_SIDE) return null;
			scale *= Math.min(0.8, Math.sqrt(maxBytes / blob.size));
		}
	} finally {
		bitmap.close();
	}
}

async function draw(bitmap: ImageBitmap, width: number, height: number): Promise<Blob> {
	const canvas = new OffscreenCanvas(width, height);
	const context = canvas.getContext('2d');
	if (!context)
		throw new Error('The browser gave no canvas to make the picture smaller. Make a smaller copy yourself.');
	context.drawImage(bitmap, 0, 0, width, height);
	return canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
}

async function base64(blob: Blob): Promise<string> {
	const bytes = new Uint8Array(await blob.arrayBuffer());
	let text = '';
	for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return btoa(text);
}
