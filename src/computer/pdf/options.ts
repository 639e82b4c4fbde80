export interface PdfOptions {
	input: string;
	/** `-`: standard output. Absent: next to the input, with the extension `.txt`. */
	output?: string | undefined;
	/** 1-based. */
	first: number;
	last: number;
}

export const USAGE = `Usage: pdftotext [options] <PDF-file> [<text-file>]
  -f <int>   first page to convert
  -l <int>   last page to convert
  -layout, -raw, -q, -enc <string> are taken and change nothing`;

/** Parses poppler's options; `null` if they are invalid. */
export function parseOptions(args: readonly string[]): PdfOptions | null {
	const rest: string[] = [];
	const pages = { first: 1, last: Number.MAX_SAFE_INTEGER };
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? '';
		if (arg === '-f' || arg === '-l') {
			const page = Number(args[++at]);
			if (!Number.isInteger(page)) return null;
			if (arg === '-f') pages.first = Math.max(1, page);
			// As in poppler, 0 is the last page.
			else if (page > 0) pages.last = page;
		} else if (arg === '-enc') at++;
		else if (arg.startsWith('-') && arg !== '-') {
			if (!['-layout', '-raw', '-q', '-nopgbrk'].includes(arg)) return null;
		} else rest.push(arg);
	}
	const [input, output, more] = rest;
	return input === undefined || more !== undefined ? null : { input, output, ...pages };
}
