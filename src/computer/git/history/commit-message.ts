/** Takes out what git takes out of a message: trailing blanks, blank lines in a row, and comments when edited. */
export function cleanMessage(text: string, comments = false): string {
	const lines = text.split('\n').map((line) => line.trimEnd());
	const kept = comments ? lines.filter((line) => !line.startsWith('#')) : lines;
	const message = kept
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.replace(/^\n+/, '')
		.trimEnd();
	return message === '' ? '' : `${message}\n`;
}
