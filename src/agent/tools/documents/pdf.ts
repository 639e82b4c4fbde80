import type { ToolContext } from '../../tool.ts';
import { ToolError } from '../result.ts';
import { shellWord } from '#environment/shell-word.ts';

/** Page limit; the rest of a longer document can be read by a command. */
const MAX_PAGES = 300;
const TIMEOUT_MS = 60_000;
const NOT_FOUND = 127;

/** Returns true if the bytes are a PDF; the file name is ignored. */
export function isPdf(bytes: Uint8Array): boolean {
	return new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-';
}

/**
 * Extracts the text of a PDF page by page with the environment's `pdftotext`, which runs in its own process like any
 * command.
 *
 * @throws ToolError with advice if the PDF is locked, damaged or without text, or if the command does not exist
 */
export async function pdfText(context: ToolContext, givenPath: string, path: string): Promise<string> {
	const command = `pdftotext -layout -enc UTF-8 -l ${MAX_PAGES} ${quoted(path)} -`;
	const { signal, environment } = context;
	const { stdout, stderr, exitCode, timedOut } = await environment.exec(command, { timeoutMs: TIMEOUT_MS, signal });
	signal.throwIfAborted();
	if (timedOut)
		throw new ToolError(
			`${givenPath} is a PDF whose text took over ${TIMEOUT_MS / 1_000} s. Read a part of it: \`pdftotext -f 1 -l 5 ${quoted(path)} -\`.`
		);
	if (exitCode === NOT_FOUND)
		throw new ToolError(
			`${givenPath} is a PDF, and there is no pdftotext here to read it. Install it (on Debian and Ubuntu: poppler-utils; with Homebrew: poppler), or ask the user for the text.`
		);
	if (/password/i.test(stderr))
		throw new ToolError(`${givenPath} is a PDF that is locked with a password. Ask the user for an unlocked copy.`);
	if (exitCode !== 0)
		throw new ToolError(`${givenPath} is a PDF that cannot be read: ${stderr.trim().split('\n')[0] ?? ''}`);
	const pages = stdout.replace(/\f$/, '').split('\f');
	if (pages.every((page) => page.trim() === ''))
		throw new ToolError(
			`${givenPath} is a PDF of ${counted(pages.length)} without text: scanned, or pictures only. Nothing here reads text in pictures; ask the user for it.`
		);
	const shown = pages.map((page, index) => `--- Page ${index + 1} ---\n${page.trim()}\n`);
	if (pages.length === MAX_PAGES)
		shown.push(
			`[The first ${MAX_PAGES} pages. There may be more: \`pdftotext -f ${MAX_PAGES + 1} ${quoted(path)} -\`.]\n`
		);
	return shown.join('\n');
}

const counted = (pages: number): string => (pages === 1 ? '1 page' : `${pages} pages`);

/** Quotes for the shell, leaving a leading tilde unquoted. */
export function quoted(path: string): string {
	if (/^[\w./~-]+$/.test(path)) return path;
	const [home, rest] = path.startsWith('~/') ? ['~/', path.slice(2)] : ['', path];
	return `${home}${shellWord(rest)}`;
}
