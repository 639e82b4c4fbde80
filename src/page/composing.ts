/**
 * Returns true if a key press belongs to an input method that is still composing, so that Enter selects a word and must
 * not send the message. Safari ends the composition before it reports that key, and marks it only by the code 229
 * (https://bugs.webkit.org/show_bug.cgi?id=165004).
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
	return event.isComposing || event.keyCode === 229;
}
