const MOST_CHARACTERS = 70;
const EMPHASIS = /(?<![\p{L}\p{N}])[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?![\p{L}\p{N}])/gu;

/**
 * Derives the title of a session from its first message: the start of the first line with words, without markdown. The
 * user may rename it.
 *
 * @returns at most 70 characters; empty if the message has no words
 */
export function titleOf(message: string): string {
	let isCode = false;
	for (const line of message.split('\n')) {
		if (line.trim().startsWith('```')) isCode = !isCode;
		else if (!isCode && /[\p{L}\p{N}]/u.test(line)) return short(plain(line));
	}
	// The whole message is code: better a title from code than none.
	return short(plain(message.replaceAll('```', ' ')));
}

function plain(line: string): string {
	const text = line.replace(/^[\s>#*+-]+/, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
	return text.replace(EMPHASIS, '').replace(/\s+/g, ' ').trim();
}

function short(line: string): string {
	if (line.length <= MOST_CHARACTERS) return line;
	const cut = line.slice(0, MOST_CHARACTERS - 1);
	const words = cut.replace(/\s+\S*$/, '');
	// A long path, or a script without spaces, is truncated anywhere.
	return `${words.length > MOST_CHARACTERS / 2 ? words : cut}…`;
}
