import { openDocument } from './open-document.ts';

/** Yields the text of pages, preserving lines. Throws `PdfRefused`. */
export async function* pageTexts(
	bytes: Uint8Array,
	{ first, last }: { first: number; last: number }
): AsyncGenerator<string> {
	const document = await openDocument(bytes);
	for (let number = first; number <= Math.min(last, document.numPages); number++) {
		const page = await document.getPage(number);
		const { items } = await page.getTextContent();
		yield items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
		page.cleanup();
	}
	await document.destroy();
}
