import type { ExecutionEnvironment, ExecResult } from '#environment/contract.ts';
import { shellWord } from '#environment/shell-word.ts';

const TIMEOUT_MS = 60_000;
const NOT_FOUND = 127;
/** Sharp on a screen of double density at the usual width of the pane. */
const LONGEST_SIDE = 1800;
/** Limit for the image text: an image of that size takes less. */
const MOST_CHARACTERS = 40_000_000;

/** Reason why a PDF cannot be shown. */
export type PdfProblem = 'locked' | 'slow' | 'noProgram' | 'damaged';

export class PdfError extends Error {
	override readonly name = 'PdfError';
	constructor(readonly problem: PdfProblem) {
		super(problem);
	}
}

/** A page for the viewer. */
export interface PdfPage {
	picture: Blob;
	/** Text of the page, for screen readers and for search; empty if it has none. */
	text: string;
}

/** Counts the pages. A program on the computer parses the file, not the page. @throws PdfError */
export async function countPages(
	environment: ExecutionEnvironment,
	path: string,
	signal: AbortSignal
): Promise<number> {
	const stdout = await run(environment, `pdfinfo ${argument(path)}`, signal);
	const pages = Number(/^Pages:\s*(\d{1,7})$/m.exec(stdout)?.[1] ?? 0);
	if (pages === 0) throw new PdfError('damaged');
	return pages;
}

/** Renders a page. @param number 1-based @throws PdfError */
export async function readPage(
	environment: ExecutionEnvironment,
	path: string,
	number: number,
	signal: AbortSignal
): Promise<PdfPage> {
	const range = `-f ${number} -l ${number}`;
	const draw = `pdftoppm -png ${range} -singlefile -scale-to ${LONGEST_SIDE} ${argument(path)}`;
	const [encoded, text] = await Promise.all([
		// Standard output is text here. The exit code is that of the rendering program.
		run(environment, `set -o pipefail; ${draw} | base64`, signal),
		run(environment, `pdftotext -layout -enc UTF-8 ${range} ${argument(path)} -`, signal)
	]);
	return { picture: pngOf(encoded), text: text.replace(/\f$/, '').trim() };
}

/** Quotes a path that may start with a dash. */
const argument = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);

async function run(environment: ExecutionEnvironment, command: string, signal: AbortSignal): Promise<string> {
	const result = await environment.exec(command, {
		timeoutMs: TIMEOUT_MS,
		signal,
		maxOutputCharacters: MOST_CHARACTERS
	});
	signal.throwIfAborted();
	if (result.exitCode !== 0) throw new PdfError(problemOf(result));
	return result.stdout;
}

function problemOf({ timedOut, exitCode, stderr }: ExecResult): PdfProblem {
	if (timedOut) return 'slow';
	if (exitCode === NOT_FOUND) return 'noProgram';
	return /password/i.test(stderr) ? 'locked' : 'damaged';
}

function pngOf(encoded: string): Blob {
	try {
		const bytes = Uint8Array.from(atob(encoded.replace(/\s/g, '')), (character) => character.charCodeAt(0));
		return new Blob([bytes], { type: 'image/png' });
	} catch (cause) {
		throw Object.assign(new PdfError('damaged'), { cause });
	}
}
