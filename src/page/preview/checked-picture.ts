import { PreviewError, type PreviewPicture } from '#environment/preview.ts';

/** Picture in a data URL from an untrusted page, if the browser can decode it. */
export async function checkedPicture(address: string): Promise<Omit<PreviewPicture, 'notes'>> {
	const png = Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (character) => character.charCodeAt(0));
	const bitmap = await createImageBitmap(new Blob([png], { type: 'image/png' })).catch(() => null);
	if (!bitmap) throw new PreviewError('The browser could not draw the page. Take a snapshot instead.');
	const { width, height } = bitmap;
	bitmap.close();
	return { png, width, height };
}
