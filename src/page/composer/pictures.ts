import { DEFAULT_MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '#agent/image-policy.ts';
import { imageType, toBase64 } from '#agent/tools/file-kind.ts';
import { imageSize } from '#agent/tools/image-size.ts';
import type { ImagePart } from '#llm/types.ts';
import { t } from '../strings/index.ts';

/**
 * A pasted or dropped file as the model gets it: known by its bytes, and made smaller where it is over what providers
 * take. Rejects with a sentence for anything else.
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
