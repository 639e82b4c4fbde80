import { absolute, basename } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { parseOptions, USAGE } from './options.ts';
import { PdfRefused, pageTexts } from './page-texts.ts';

/** Exit codes of poppler: a file that cannot be opened, one that is damaged or locked, wrong options. */
const CANNOT_OPEN = 1;
const REFUSED = 3;
const WRONG_OPTIONS = 99;

const encoder = new TextEncoder();

/** The program `pdftotext`, as poppler's: the text of a PDF's pages, each followed by a form feed. Pictures are not read. */
export async function pdftotext({ argv, cwd, sync }: ProcessContext): Promise<number> {
	const say = (text: string): void => sync.write(2, encoder.encode(`${text}\n`));
	const options = parseOptions(argv.slice(1));
	if (!options) {
		say(USAGE);
		return WRONG_OPTIONS;
	}
	const input = absolute(options.input, cwd);
	let bytes: Uint8Array;
	try {
		bytes = sync.readFile(input);
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
		say(`I/O Error: Couldn't open file '${options.input}': ${error.code}.`);
		return CANNOT_OPEN;
	}
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
