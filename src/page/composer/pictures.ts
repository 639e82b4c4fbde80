import { DEFAULT_MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '#agent/image-policy.ts';
import { imageType, toBase64 } from '#agent/tools/file-kind.ts';
import { imageSize } from '#agent/tools/image-size.ts';
import type { ImagePart } from '#llm/types.ts';
import { t } from '../strings/index.ts';

/**
 * Converts a pasted or dropped file for the model: detects its type from its bytes, and scales it down if it exceeds
 * the providers' limits. Rejects with a sentence for anything but a picture.
 */
export async function pictureOf(file: Blob & { name?: string }): Promise<ImagePart> {
	const bytes = new Uint8Array(await file.arrayBuffer());
	const mediaType = imageType(bytes);
	if (!mediaType) throw new TypeError(t.composer.brokenPicture(file.name ?? ''));
	const picture: ImagePart = { type: 'image', mediaType, data: toBase64(bytes) };
	const size = imageSize(bytes);
	const isSmall =
		bytes.length <= DEFAULT_MAX_IMAGE_BYTES && Math.max(size?.width ?? 0, size?.height ?? 0) <= MAX_IMAGE_SIDE;
	if (isSmall) return picture;
	const { scaleImage } = await import('../images/scale-image.ts');
	const smaller = await scaleImage(picture, { maxBytes: DEFAULT_MAX_IMAGE_BYTES, maxSide: MAX_IMAGE_SIDE });
	if (!smaller) throw new TypeError(t.composer.brokenPicture(file.name ?? ''));
	return smaller;
}
