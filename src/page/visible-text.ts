/** What turns the direction of the text around it, so that a name or a line reads as another one: “Trojan Source”. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
/** In a name also marks of direction, line ends and other control characters. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A path or command as a person can judge it: what cannot be seen in it is named, e.g. `inv‹U+202E›gnp.exe`. */
export function visibleName(text: string): string {
	return text.replace(UNSEEN, named);
}

/** The same for a line of a file, where marks of direction and tabs have their place. */
export function visibleLine(text: string): string {
	return text.replace(TURNING, named);
}

function named(character: string): string {
	return `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`;
}
