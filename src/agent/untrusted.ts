const CLOSING = /<(\/?)untrusted\b/gi;

/**
 * Marks external text as data. The text itself cannot close the mark.
 *
 * @param source origin of the text, e.g. an address
 */
export function untrusted(source: string, text: string): string {
	const name = source.replace(/["<>\n]/g, ' ').slice(0, 500);
	const body = text.replace(CLOSING, '<$1\u200buntrusted');
	return `<untrusted source="${name}">\n${body}${body.endsWith('\n') ? '' : '\n'}</untrusted>`;
}
