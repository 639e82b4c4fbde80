export const QUOTE_LANGUAGES = ['shell', 'perl', 'python', 'tcl'] as const;
export type QuoteLanguage = (typeof QUOTE_LANGUAGES)[number];

const TCL_ESCAPES: Readonly<Record<string, string>> = {
	...{ '\f': '\\f', '\r': '\\r', '\n': '\\n', '\t': '\\t', '\v': '\\v' }
};

/** Quotes a value as a string literal of a language. */
export function quoteFor(language: QuoteLanguage, text: string): string {
	switch (language) {
		case 'shell':
			return `'${text.replace(/['!]/g, "'\\$&'")}'`;
		case 'perl':
			return `'${text.replace(/['\\]/g, '\\$&')}'`;
		case 'python':
			return `'${text.replace(/['\\]/g, '\\$&').replace(/\n/g, '\\n')}'`;
		case 'tcl':
			return `"${text.replace(/[[\]{}$\\"]/g, '\\$&').replace(/[\f\r\n\t\v]/g, (letter) => TCL_ESCAPES[letter]!)}"`;
	}
}
