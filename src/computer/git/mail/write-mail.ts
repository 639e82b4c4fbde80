import { encode } from '../bytes.ts';
import { zoneText, bodyOf, subjectOf, type Commit, type Signature } from '../objects/commit.ts';

const COLUMNS = 78;
/** RFC 2047: a line with an encoded word is at most this long. */
const ENCODED = 76;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HEAD = '=?UTF-8?q?';

/** The head and the message of a commit's mail, up to the `---` line. @param label `[PATCH 1/2]`, may be '' */
export function writeMail(id: string, commit: Commit, label: string): string {
	const subject = subjectOf(commit.message);
	const body = bodyOf(commit.message).trimEnd();
	const plain = isPlain(body) && isPlain(subject);
	return [
		`From ${id} Mon Sep 17 00:00:00 2001\n`,
		`From: ${mailbox(commit.author)}\n`,
		`Date: ${mailDate(commit.author)}\n`,
		folded(`Subject: ${label === '' ? '' : `${label} `}`, subject),
		plain ? '' : 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n',
		'\n',
		body === '' ? '' : `${body}\n`
	].join('');
}

const isPlain = (text: string) => !/[^\x00-\x7f]/.test(text);

/** `Sun, 22 Nov 2026 05:46:44 +0000` */
function mailDate({ seconds, offsetMinutes }: Signature): string {
	const at = new Date((seconds + offsetMinutes * 60) * 1000);
	const two = (value: number) => String(value).padStart(2, '0');
	const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
	const day = `${DAYS[at.getUTCDay()]}, ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
	return `${day} ${time} ${zoneText(offsetMinutes)}`;
}

function mailbox({ name, email }: Signature): string {
	if (!isPlain(name)) return `${encodedWords(name, 'From: '.length, true).join('\n ')} <${email}>`;
	const quoted = /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
	return `${quoted} <${email}>`;
}

/** A header over as many lines as it needs. */
function folded(head: string, text: string): string {
	if (!isPlain(text)) return `${head}${encodedWords(text, head.length).join('\n ')}\n`;
	let line = head.trimEnd();
	let result = '';
	for (const word of text.split(' ')) {
		if (line.length + 1 + word.length > COLUMNS && line !== '') {
			result += `${line}\n`;
			line = '';
		}
		line += ` ${word}`;
	}
	return `${result}${line}\n`;
}

function encodedWords(text: string, before: number, phrase = false): string[] {
	const words: string[] = [];
	let word = HEAD;
	let room = ENCODED - before;
	for (const char of text) {
		const isSafe = (phrase ? /[A-Za-z0-9!*+/-]/ : /[!-<>@-^`-~]/).test(char);
		const code = isSafe
			? char
			: [...encode(char)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
		if (word.length + code.length + 2 > room) {
			words.push(`${word}?=`);
			word = HEAD;
			// The blank a folded line begins with.
			room = ENCODED - 1;
		}
		word += code;
	}
	return [...words, `${word}?=`];
}
