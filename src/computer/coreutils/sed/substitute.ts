import type { Piece, Substitution } from './script.ts';

/** Returns the text after `s`, or null if nothing matched. */
export function substitute(text: string, pattern: RegExp, how: Substitution): string | null {
	let result = '';
	let from = 0;
	let count = 0;
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
		count++;
		const empty = match[0] === '';
		// An empty match right after another match does not count.
		if (empty && count > 1 && match.index === from && from > 0) {
			count--;
		} else if (count >= how.nth) {
			result += text.slice(from, match.index) + replaced(match, how.replacement);
			from = match.index + match[0].length;
			if (!how.global) return result + text.slice(from);
		}
		if (empty) pattern.lastIndex += (text.codePointAt(pattern.lastIndex) ?? 0) > 0xffff ? 2 : 1;
	}
	return count >= how.nth ? result + text.slice(from) : null;
}

function replaced(match: RegExpExecArray, pieces: readonly Piece[]): string {
	let result = '';
	let lasting: 'U' | 'L' | null = null;
	let once: 'u' | 'l' | null = null;
	for (const piece of pieces) {
		if ('letters' in piece) {
			if (piece.letters === 'U' || piece.letters === 'L') lasting = piece.letters;
			else if (piece.letters === 'E') lasting = null;
			else once = piece.letters;
			continue;
		}
		let text = 'text' in piece ? piece.text : (match[piece.group] ?? '');
		if (text === '') continue;
		if (lasting) text = lasting === 'U' ? text.toUpperCase() : text.toLowerCase();
		if (once) text = (once === 'u' ? text.charAt(0).toUpperCase() : text.charAt(0).toLowerCase()) + text.slice(1);
		once = null;
		result += text;
	}
	return result;
}
