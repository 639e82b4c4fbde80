/**
 * Cleans up a message as git does: removes trailing blanks, repeated blank lines and, optionally, comments.
 *
 * @param comments removes lines that start with {@link mark}
 */
export function cleanMessage(text: string, comments = false, mark = '#'): string {
	const lines = text.split('\n').map((line) => line.trimEnd());
	const kept = comments ? lines.filter((line) => !line.startsWith(mark)) : lines;
	const message = kept
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.replace(/^\n+/, '')
		.trimEnd();
	return message === '' ? '' : `${message}\n`;
}

/** Comment character of messages; the default one if git would choose it by the message (`auto`). */
export function commentMark(config: { get(key: string): string | undefined }): string {
	const set = config.get('core.commentchar') ?? '#';
	return set.toLowerCase() === 'auto' ? '#' : set.slice(0, 1);
}

/** Checks whether a message is empty apart from sign-offs. */
export const isEmptyMessage = (text: string): boolean =>
	text.split('\n').every((line) => line.trim() === '' || line.startsWith('Signed-off-by: '));

/** Ways to clean a message, as `--cleanup` and `commit.cleanup` name them. */
export const CLEANUPS = ['strip', 'whitespace', 'verbatim', 'scissors', 'default'] as const;
export type Cleanup = (typeof CLEANUPS)[number];

/** Cleans a message. @param isEdited whether it comes from an editor, where comments explain it */
export function cleanedUp(text: string, mode: Cleanup, isEdited: boolean, mark: string): string {
	if (mode === 'verbatim') return text;
	if (mode === 'scissors' && isEdited) return cleanMessage(aboveScissors(text, mark));
	return cleanMessage(text, mode === 'strip' || (mode === 'default' && isEdited), mark);
}

/** Scissors line: the text below it is not part of the message. */
export const SCISSORS = '------------------------ >8 ------------------------';

/** Text above the scissors line. */
export function aboveScissors(text: string, mark: string): string {
	const at = `\n${text}`.indexOf(`\n${mark} ${SCISSORS}\n`);
	return at < 0 ? text : text.slice(0, at);
}
