import type { getDocumentProxy } from 'unpdf';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

export interface PictureOptions {
	/** Dots per inch. */
	resolution: number;
	/** Longest side in pixels, in place of the resolution. */
	longestSide: number | null;
	type: 'image/png' | 'image/jpeg';
}

/** A PDF counts in points. */
const POINTS_PER_INCH = 72;
/** A page names its own size: a larger picture would take the memory of the tab. */
const MOST_PIXELS = 40_000_000;

/** Draws a page on white. A page too large for that resolution is drawn smaller. */
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
