import { absolute, basename } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { parseOptions, USAGE } from './options.ts';
import { CANNOT_OPEN, readInput, REFUSED, WRONG_OPTIONS } from './input.ts';
import { PdfRefused } from './open-document.ts';
import { pageTexts } from './page-texts.ts';

const encoder = new TextEncoder();

/**
 * The program `pdftotext`, compatible with poppler's: the text of a PDF's pages, each followed by a form feed. Text in
 * images is not recognized.
 */
export async function pdftotext({ argv, cwd, sync }: ProcessContext): Promise<number> {
	const say = (text: string): void => sync.write(2, encoder.encode(`${text}\n`));
	const options = parseOptions(argv.slice(1));
	if (!options) {
		say(USAGE);
		return WRONG_OPTIONS;
	}
	const input = absolute(options.input, cwd);
	const bytes = readInput(sync, options.input, cwd, say);
	if (!bytes) return CANNOT_OPEN;
	const write = (text: string): void => sync.write(1, encoder.encode(text));
	const pages: string[] = [];
	const take = options.output === '-' ? write : (text: string): void => void pages.push(text);
	try {
		for await (const text of pageTexts(bytes, options)) take(`${text}\f`);
	} catch (error) {
		if (!(error instanceof PdfRefused)) throw error;
		say(error.message);
		return REFUSED;
	}
	if (options.output !== '-') {
		const output = options.output ?? `${basename(input).replace(/\.pdf$/i, '')}.txt`;
		sync.writeFile(
			absolute(output, options.output ? cwd : input.slice(0, -basename(input).length)),
			encoder.encode(pages.join(''))
		);
	}
	return 0;
}
