/** Characters that combine with the one before them. */
const COMBINING = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** Characters that take two columns: East Asian ones, and emoji. */
const WIDE =
	/[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Escape sequences that set colors, which take no column. */
const COLORS = /\x1b\[[0-9;?]*[a-zA-Z]/g;

/** Number of columns that a character takes on a terminal. */
export const letterWidth = (letter: string): number => (COMBINING.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1);

/** Number of columns that a text takes on a terminal, without color sequences. */
export function displayWidth(text: string): number {
	// Fast path: nearly all texts are plain ASCII.
	if (!/[^\x20-\x7e]/.test(text)) return text.length;
	let width = 0;
	for (const letter of text.replace(COLORS, '')) width += letterWidth(letter);
	return width;
}
