/**
 * A pattern of Perl as an expression of JavaScript. Letters count by their properties (`\p{Lu}`) where the pattern is
 * one for whole letters too.
 *
 * @throws SyntaxError for a pattern that is none
 */
export function perlRegex(pattern: string, flags: string): RegExp {
	const source = withoutModes(
		pattern
			// Verbs such as `(*UTF)` are about how a pattern is run.
			.replace(/^(?:\(\*[A-Z_=0-9]+\))+/, '')
			.replace(/\(\?P</g, '(?<')
			.replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
			.replace(/\\x\{([0-9A-Fa-f]+)\}/g, (_, hex: string) => `\\u{${hex}}`)
			.replace(/\\h/g, '[ \\t]')
			.replace(/\\A/g, '^')
			.replace(/\\[zZ]/g, '$')
	);
	try {
		return new RegExp(source, `${flags}u`);
	} catch (error) {
		if (!(error instanceof SyntaxError) || /\\u\{|\\[pP]\{/.test(source)) throw error;
		// An escape that means nothing stands for its letter there, and is wrong with whole letters.
		return new RegExp(source, flags);
	}
}

/** Writes out `(?i)`: from there to the end of its group each letter stands for both. */
function withoutModes(pattern: string): string {
	if (!/\(\?-?i\)/.test(pattern)) return pattern;
	let source = '';
	const modes = [false];
	for (let at = 0; at < pattern.length; at++) {
		const mode = /^\(\?(-?)i\)/.exec(pattern.slice(at));
		if (mode) {
			modes[modes.length - 1] = mode[1] === '';
			at += mode[0].length - 1;
			continue;
		}
		const letter = pattern[at]!;
		if (letter === '\\') {
			source += letter + (pattern[++at] ?? '');
			continue;
		}
		if (letter === '(') modes.push(modes.at(-1)!);
		if (letter === ')' && modes.length > 1) modes.pop();
		source += modes.at(-1) && /[A-Za-z]/.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : letter;
	}
	return source;
}
