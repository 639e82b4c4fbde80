/** Begins each line meant for the page; anything else a terminal shows is not. */
const MARK = '=sandglass=';

/**
 * Writes one message as a line of ASCII: the page's end decodes each chunk by itself and would cut
 * other characters in two.
 *
 * @param {unknown} message
 * @returns {boolean} false when the reader is behind; wait for `drain`
 */
export function tell(message) {
	const text = JSON.stringify(message).replace(
		/[\u007f-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
	);
	return process.stdout.write(`${MARK}${text}\n`);
}

/**
 * Calls the listener with what the page sends, in order.
 *
 * @param {(text: string) => void} listener gets the text of a line without its `?`
 */
export function listen(listener) {
	// A terminal in its usual mode would echo, and cut long lines.
	if (process.stdin.isTTY) process.stdin.setRawMode(true);
	let rest = '';
	process.stdin.setEncoding('utf8').on('data', (data) => {
		const lines = (rest + data).split(/\r?\n|\r/);
		rest = lines.pop() ?? '';
		for (const line of lines) if (line.startsWith('?')) listener(line.slice(1));
	});
}
