/** Turns the direction of the text around it, so that a name or a line reads as another one: “Trojan Source”. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
/** Invisible characters in a passage, except line ends and tabs: a model reads them all the same. */
const UNSEEN_IN_TEXT = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\u2800]/gu;
/** In a name, also characters that would break its line. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u2800]/gu;
/** Joins pictures to one, or asks for the coloured form of the one before it. */
const OF_A_PICTURE = /[\u200d\ufe0f]/;
const PICTURE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]\ufe0f?)$/u;

/** A path, title or command as its reader can judge it: what cannot be seen in it is named, e.g. `inv‹U+202E›gnp.exe`. */
export function visibleName(text: string): string {
	return text.replace(UNSEEN, namedUnlessPicture);
}

/** The same for a line of a file, where marks of direction and tabs have their place. */
export function visibleLine(text: string): string {
	return text.replace(TURNING, named);
}

/** The same for a text of several lines that another reader would get. */
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
