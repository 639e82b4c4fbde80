/** Word of a paragraph. */
export interface Word {
	text: string;
	/** Number of blanks after it if the line continues. */
	space: number;
	/** Starts with an opening bracket or quote. */
	opens: boolean;
	/** Ends with punctuation. */
	hasPunctuation: boolean;
	/** Ends with a period, possibly followed by closing characters. */
	hasPeriod: boolean;
	/** Ends a sentence. */
	isFinal: boolean;
}

/**
 * Splits the words of a line.
 *
 * @param text text of the line, after its indentation
 * @param isUniform uses one blank between words, two between sentences
 */
export function wordsOf(text: string, isUniform: boolean): Word[] {
	const parts = [...text.matchAll(/([^ \t\v\f\r]+)([ \t\v\f\r]*)/g)];
	return parts.map(([, word = '', blanks = ''], index) => {
		const isLast = index === parts.length - 1;
		const inner = word.replace(/(?!^)[)\]'"]+$/, '');
		const hasPeriod = /[.?!]$/.test(inner);
		const isFinal = hasPeriod && (isLast || blanks.length > 1);
		return {
			text: word,
			space: isLast || isUniform ? (isFinal ? 2 : 1) : blanks.length,
			opens: /^[(['`"]/.test(word),
			hasPunctuation: /[!-/:-@[-`{-~]$/.test(word),
			hasPeriod,
			isFinal
		};
	});
}
