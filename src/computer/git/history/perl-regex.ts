/**
 * Converts a Perl pattern to a JavaScript RegExp. Unicode properties (`\p{Lu}`) work if the pattern is valid in
 * Unicode mode.
 *
 * @throws SyntaxError for an invalid pattern
 */
export function perlRegex(pattern: string, flags: string): RegExp {
	const source = withoutModes(
		pattern
			// Verbs such as `(*UTF)` only control how a pattern is executed.
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
		// An unknown escape matches its letter, but is an error in Unicode mode.
		return new RegExp(source, flags);
	}
}

/** Expands `(?i)`: up to the end of its group, each letter matches both cases. */
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
