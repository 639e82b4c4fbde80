import type { getDocumentProxy } from 'unpdf';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

export interface PictureOptions {
	/** Dots per inch. */
	resolution: number;
	/** Longest side in pixels, instead of a resolution. */
	longestSide: number | null;
	type: 'image/png' | 'image/jpeg';
}

/** PDF units are points. */
const POINTS_PER_INCH = 72;
/** Limit, since a page declares its own size: a larger image would exhaust the tab's memory. */
const MOST_PIXELS = 40_000_000;

/** Draws a page on a white background. A page that is too large for the resolution is scaled down. */
export async function drawPage(document: PdfDocument, number: number, options: PictureOptions): Promise<Uint8Array> {
	const page = await document.getPage(number);
	const { width, height } = page.getViewport({ scale: 1 });
	const wanted =
		options.longestSide === null ? options.resolution / POINTS_PER_INCH : options.longestSide / Math.max(width, height);
	const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)));
	const viewport = page.getViewport({ scale });
	const canvas = new OffscreenCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
	const canvasContext = canvas.getContext('2d');
	if (!canvasContext) throw new Error('The browser gave no canvas to draw on.');
	await page.render({ canvas, canvasContext, viewport } as unknown as Parameters<typeof page.render>[0]).promise;
	page.cleanup();
	const blob = await canvas.convertToBlob({ type: options.type });
	return new Uint8Array(await blob.arrayBuffer());
}
