import type { ProcessContext } from '#computer/process/program.ts';
import { CANNOT_OPEN, readInput, REFUSED, WRONG_OPTIONS } from './input.ts';
import { openDocument, PdfRefused } from './open-document.ts';

const encoder = new TextEncoder();
/** Column at which a line's value starts, as in poppler's output. */
const COLUMN = 17;
/** A value is printed on one line, without terminal control characters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The program `pdfinfo`, compatible with poppler's: title, author, number and size of the pages. */
export async function pdfinfo({ argv, cwd, sync }: ProcessContext): Promise<number> {
	const say = (text: string): void => sync.write(2, encoder.encode(`${text}\n`));
	const [input, more] = argv.slice(1);
	if (input === undefined || more !== undefined || input.startsWith('-')) {
		say('Usage: pdfinfo <PDF-file>');
		return WRONG_OPTIONS;
	}
	const bytes = readInput(sync, input, cwd, say);
	if (!bytes) return CANNOT_OPEN;
	const size = bytes.length;
	try {
		const document = await openDocument(bytes);
		const { info } = await document.getMetadata();
		const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
		const values: [string, unknown][] = [
			...['Title', 'Subject', 'Author', 'Creator', 'Producer'].map((name): [string, unknown] => [
				name,
				Reflect.get(info, name)
			]),
			['Pages', document.numPages],
			['Page size', `${rounded(width)} x ${rounded(height)} pts`],
			['File size', `${size} bytes`],
			['PDF version', Reflect.get(info, 'PDFFormatVersion')]
		];
		const lines = values.flatMap(([name, value]) =>
			typeof value === 'number' || (typeof value === 'string' && value !== '')
				? [`${`${name}:`.padEnd(COLUMN)}${String(value).replace(UNPRINTABLE, ' ')}\n`]
				: []
		);
		sync.write(1, encoder.encode(lines.join('')));
		await document.destroy();
		return 0;
	} catch (error) {
		if (!(error instanceof PdfRefused)) throw error;
		say(error.message);
		return REFUSED;
	}
}

const rounded = (points: number): string => String(Math.round(points * 1000) / 1000);
