import { getDocumentProxy } from 'unpdf';

/** A PDF that is none, is damaged or is locked. The message is a sentence. */
export class PdfRefused extends Error {
	override readonly name = 'PdfRefused';
}

/** The text of pages, one after another, a line a line. Throws `PdfRefused`. */
export async function* pageTexts(
	bytes: Uint8Array,
	{ first, last }: { first: number; last: number }
): AsyncGenerator<string> {
	const document = await open(bytes);
	for (let number = first; number <= Math.min(last, document.numPages); number++) {
		const page = await document.getPage(number);
		const { items } = await page.getTextContent();
		yield items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
		page.cleanup();
	}
	await document.destroy();
}

async function open(bytes: Uint8Array): ReturnType<typeof getDocumentProxy> {
	try {
		return await getDocumentProxy(bytes);
	} catch (error) {
		const name = error instanceof Error ? error.name : '';
		if (name === 'PasswordException') throw new PdfRefused('Command Line Error: Incorrect password');
		throw new PdfRefused(
			`Syntax Error: This is no PDF that can be read (${error instanceof Error ? error.message : String(error)})`
		);
	}
}
