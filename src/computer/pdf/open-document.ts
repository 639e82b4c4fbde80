import { getDocumentProxy } from 'unpdf';

/** Error for a file that is not a PDF, is damaged or is locked. The message is a complete sentence. */
export class PdfRefused extends Error {
	override readonly name = 'PdfRefused';
}

/** Creates canvases in a worker for pdf.js to draw on. */
class WorkerCanvasFactory {
	create(width: number, height: number): { canvas: OffscreenCanvas | null; context: unknown } {
		const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
		return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) };
	}

	reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number): void {
		[canvas.width, canvas.height] = [width, height];
	}

	destroy(made: { canvas: OffscreenCanvas | null; context: unknown }): void {
		[made.canvas, made.context] = [null, null];
	}
}

/** A worker has no SVG filters; pages are drawn without them. */
class NoFilterFactory {
	addFilter = (): string => 'none';
	addHCMFilter = (): string => 'none';
	addAlphaFilter = (): string => 'none';
	addLuminosityFilter = (): string => 'none';
	addKnockoutFilter = (): string => 'none';
	addHighlightHCMFilter = (): string => 'none';
	addSelectionHCMFilter = (): string => 'none';
	createSelectionStyle = (): null => null;
	destroy(): void {}
}

/** Opens a PDF; its embedded fonts are drawn as outlines. Throws `PdfRefused`. */
export async function openDocument(bytes: Uint8Array): ReturnType<typeof getDocumentProxy> {
	try {
		return await getDocumentProxy(bytes, {
			disableFontFace: true,
			CanvasFactory: WorkerCanvasFactory,
			FilterFactory: NoFilterFactory
		});
	} catch (error) {
		const name = error instanceof Error ? error.name : '';
		if (name === 'PasswordException') throw new PdfRefused('Command Line Error: Incorrect password');
		throw new PdfRefused(
			`Syntax Error: This is no PDF that can be read (${error instanceof Error ? error.message : String(error)})`
		);
	}
}
