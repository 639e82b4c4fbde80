/** Splits a command line at blanks outside quotes, as git does with an alias. */
export function shellWords(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)].map(([word]) =>
		word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_, double?: string, single?: string, plain?: string) =>
			double !== undefined ? double.replace(/\\(.)/gs, '$1') : (single ?? plain ?? '')
		)
	);
}

/** Quotes a word for the shell. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
