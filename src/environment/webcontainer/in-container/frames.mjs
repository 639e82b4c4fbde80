/** Prefix of each line meant for the page; a terminal prints other lines too. */
const MARK = '=sandglass=';

/**
 * Writes one message as a line of ASCII: the page decodes each chunk separately and would split other characters.
 *
 * @param {unknown} message
 * @returns {boolean} false if the reader is behind; wait for `drain`
 */
export function tell(message) {
	const text = JSON.stringify(message).replace(
		/[\u007f-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
	);
	return process.stdout.write(`${MARK}${text}\n`);
}

/**
 * Calls the listener with the lines that the page sends, in order.
 *
 * @param {(text: string) => void} listener gets the text of a line without its leading `?`
 */
export function listen(listener) {
	// In its normal mode a terminal would echo input and truncate long lines.
	if (process.stdin.isTTY) process.stdin.setRawMode(true);
	let rest = '';
	process.stdin.setEncoding('utf8').on('data', (data) => {
		const lines = (rest + data).split(/\r?\n|\r/);
		rest = lines.pop() ?? '';
		for (const line of lines) if (line.startsWith('?')) listener(line.slice(1));
	});
}
