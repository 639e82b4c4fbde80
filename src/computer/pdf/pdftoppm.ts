import { absolute } from '#computer/abi/paths.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { drawPage, type PictureOptions } from './draw-page.ts';
import { CANNOT_OPEN, CANNOT_WRITE, readInput, REFUSED, WRONG_OPTIONS } from './input.ts';
import { openDocument, PdfRefused } from './open-document.ts';

const USAGE = `Usage: pdftoppm -png|-jpeg [options] <PDF-file> [<name>]
  -f <int>         first page to draw
  -l <int>         last page to draw
  -singlefile      draw the first page only, and write no number into its name
  -r <number>      resolution in dots per inch (150)
  -scale-to <int>  longest side in pixels
Without a name the pictures go to standard output. Other formats are not written here.`;

const DEFAULT_RESOLUTION = 150;

interface Options extends PictureOptions {
	input: string;
	/** Prefix of the file names of the pictures; `null`: standard output. */
	root: string | null;
	first: number;
	last: number;
	isSingle: boolean;
}

const encoder = new TextEncoder();

/** The program `pdftoppm`, compatible with poppler's: pictures of a PDF's pages. */
export async function pdftoppm({ argv, cwd, sync }: ProcessContext): Promise<number> {
	const say = (text: string): void => sync.write(2, encoder.encode(`${text}\n`));
	const options = parseOptions(argv.slice(1));
	if (!options) {
		say(USAGE);
		return WRONG_OPTIONS;
	}
	const bytes = readInput(sync, options.input, cwd, say);
	if (!bytes) return CANNOT_OPEN;
	try {
		const document = await openDocument(bytes);
		const last = options.isSingle ? options.first : Math.min(options.last, document.numPages);
		if (options.first > document.numPages) {
			say(
				`Wrong page range given: the first page (${options.first}) can not be after the last page (${document.numPages}).`
			);
			return WRONG_OPTIONS;
		}
		for (let number = options.first; number <= last; number++) {
			const picture = await drawPage(document, number, options);
			if (options.root === null) sync.write(1, picture);
			else sync.writeFile(absolute(pictureName(options, options.root, number, document.numPages), cwd), picture);
		}
		await document.destroy();
	} catch (error) {
		if (!(error instanceof PdfRefused) && !(error instanceof SyscallError)) throw error;
		say(error.message);
		return error instanceof PdfRefused ? REFUSED : CANNOT_WRITE;
	}
	return 0;
}

/** File name as in poppler: the number has as many digits as that of the last page. */
function pictureName({ isSingle, type }: Options, root: string, number: number, pages: number): string {
	const ending = type === 'image/png' ? 'png' : 'jpg';
	return isSingle ? `${root}.${ending}` : `${root}-${String(number).padStart(String(pages).length, '0')}.${ending}`;
}

/** Parses poppler's options; `null` if they are invalid. */
function parseOptions(args: readonly string[]): Options | null {
	const rest: string[] = [];
	const numbers = new Map<string, number>();
	const flags = new Set<string>();
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? '';
		if (['-f', '-l', '-r', '-scale-to'].includes(arg)) {
			const value = Number(args[++at]);
			if (!Number.isFinite(value) || value < 0) return null;
			numbers.set(arg, value);
		} else if (['-png', '-jpeg', '-singlefile', '-q', '-cropbox'].includes(arg)) flags.add(arg);
		else if (arg.startsWith('-')) return null;
		else rest.push(arg);
	}
	const [input, root, more] = rest;
	const isPng = flags.has('-png');
	if (input === undefined || more !== undefined || isPng === flags.has('-jpeg')) return null;
	return {
		input,
		root: root ?? null,
		first: Math.max(1, Math.floor(numbers.get('-f') ?? 1)),
		last: Math.floor(numbers.get('-l') ?? 0) || Number.MAX_SAFE_INTEGER,
		isSingle: flags.has('-singlefile'),
		resolution: numbers.get('-r') || DEFAULT_RESOLUTION,
		longestSide: numbers.get('-scale-to') || null,
		type: isPng ? 'image/png' : 'image/jpeg'
	};
}
