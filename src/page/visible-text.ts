/**
 * Characters that change the direction of the surrounding text, so that a name or line reads differently (“Trojan
 * Source”).
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
/** Invisible characters in a text, except line ends and tabs: a model still reads them. */
const UNSEEN_IN_TEXT = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\u2800]/gu;
/** Invisible characters in a name, including those that would break its line. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u2800]/gu;
/** Joins emoji into one, or selects the color form of the preceding character. */
const OF_A_PICTURE = /[\u200d\ufe0f]/;
const PICTURE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]\ufe0f?)$/u;

/** Makes a path, title or command safe to judge: names its invisible characters, e.g. `inv‹U+202E›gnp.exe`. */
export function visibleName(text: string): string {
	return text.replace(UNSEEN, namedUnlessPicture);
}

/** Does the same for a line of a file, in which direction marks and tabs are legitimate. */
export function visibleLine(text: string): string {
	return text.replace(TURNING, named);
}

/** Does the same for a multi-line text that someone or something else will read. */
export function visiblePassage(text: string): string {
	return text.replace(UNSEEN_IN_TEXT, (character, at: number, whole: string) =>
		character === '\n' || character === '\t' ? character : namedUnlessPicture(character, at, whole)
	);
}

function namedUnlessPicture(character: string, at: number, whole: string): string {
	const before = whole.slice(Math.max(0, at - 3), at);
	return OF_A_PICTURE.test(character) && PICTURE.test(before) ? character : named(character);
}

function named(character: string): string {
	return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}
