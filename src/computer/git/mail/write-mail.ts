import { encode } from '../bytes.ts';
import { zoneText, bodyOf, subjectOf, type Commit, type Signature } from '../objects/commit.ts';

const COLUMNS = 78;
/** Maximum length of a line with an encoded word (RFC 2047). */
const ENCODED = 76;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const HEAD = '=?UTF-8?q?';

/** Parts of a mail header that do not come from the commit. */
export interface MailHead {
	/** `[PATCH 1/2]`, may be ''. */
	label: string;
	/** `Message-Id`, `In-Reply-To` and `References`. */
	thread: string;
	/** Additional header fields. */
	fields: string;
	/** Sender, if given; by default the author. */
	sender: Pick<Signature, 'name' | 'email'> | null;
	/** Names the author in the body even if it equals the sender. */
	namesAuthor: boolean;
	/** Encodes non-ASCII characters in the header. */
	encodes: boolean;
	/** Prefixes lines that look like the start of a mail with `>`. */
	escapesFrom: boolean;
	/** Multipart boundary of a mail with an attachment. */
	boundary: string | null;
	/** Keeps the line breaks of the subject. */
	keepsLines: boolean;
}

/** Header and message of a mail. @param id commit to name in the first line */
export function writeMail(id: string, commit: Commit, head: MailHead): string {
	// A message that starts with blank lines has no subject.
	const hasSubject = !commit.message.startsWith('\n\n');
	const whole = head.keepsLines ? commit.message.split('\n\n')[0]!.trimEnd() : subjectOf(commit.message);
	const subject = hasSubject ? whole : '';
	const { author } = commit;
	const isOther = head.sender !== null && (head.sender.name !== author.name || head.sender.email !== author.email);
	const inBody =
		isOther || (head.sender !== null && head.namesAuthor) ? `From: ${author.name} <${author.email}>\n\n` : '';
	const body = (hasSubject ? bodyOf(commit.message) : commit.message).replace(/\n+$/, '').replace(/^\n+/, '');
	const shown = head.escapesFrom ? body.replace(/^(?=>*From )/gm, '>') : body;
	const start = [
		`From ${id} Mon Sep 17 00:00:00 2001\n`,
		head.thread,
		fromField(isOther ? head.sender! : author, head.encodes),
		`Date: ${mailDate(author)}\n`,
		subjectField(head.label, subject, head.encodes),
		isPlain(body) && isPlain(subject) && isPlain(inBody) ? '' : EIGHT_BITS,
		head.fields,
		head.boundary === null ? '' : partsField(head.boundary),
		'\n'
	].join('');
	const text = inBody + (shown === '' ? '' : `${shown}\n`);
	return text === '' ? `${start.trimEnd()}\n\n` : start + text;
}

const EIGHT_BITS = 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n';

/** Prefix of a multipart boundary. */
const LEADER = '------------';

const partsField = (boundary: string): string =>
	`MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${LEADER}${boundary}"\n\n` +
	`This is a multi-part message in MIME format.\n--${LEADER}${boundary}\n` +
	'Content-Type: text/plain; charset=UTF-8; format=fixed\nContent-Transfer-Encoding: 8bit\n\n';

/** Starts the part with the patch. @param kind `attachment` or `inline` */
export const patchPart = (boundary: string, name: string, kind: string): string =>
	`\n--${LEADER}${boundary}\nContent-Type: text/x-patch; name="${name}"\nContent-Transfer-Encoding: 8bit\n` +
	`Content-Disposition: ${kind}; filename="${name}"\n\n`;

/** Ends a multipart mail. */
export const partsEnd = (boundary: string): string => `\n--${LEADER}${boundary}--\n\n\n`;

const isPlain = (text: string) => !/[^\x00-\x7f]/.test(text);

/** `Sun, 22 Nov 2026 05:46:44 +0000` */
export function mailDate({ seconds, offsetMinutes }: Pick<Signature, 'seconds' | 'offsetMinutes'>): string {
	const at = new Date((seconds + offsetMinutes * 60) * 1000);
	const two = (value: number) => String(value).padStart(2, '0');
	const time = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
	const day = `${DAYS[at.getUTCDay()]}, ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
	return `${day} ${time} ${zoneText(offsetMinutes)}`;
}

/** `From: Ada Lovelace <ada@example.org>`, folded into as many lines as needed. */
export function fromField({ name, email }: Pick<Signature, 'name' | 'email'>, encodes: boolean): string {
	const address = ` <${email}>`;
	const quoted = /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
	const lines =
		!isPlain(name) && encodes
			? `From: ${encodedWords(name, 'From: '.length, true).join('\n ')}`
			: wrapped('From:', quoted);
	const last = [...lines.slice(lines.lastIndexOf('\n') + 1)].length;
	return `${lines}${last + address.length > COLUMNS ? '\n' : ''}${address}\n`;
}

/** `Subject: [PATCH] …`, folded into as many lines as needed. */
export function subjectField(label: string, subject: string, encodes: boolean): string {
	const head = `Subject:${label === '' ? '' : ` ${label}`}`;
	if (isPlain(subject) || !encodes) return `${wrapped(head, subject)}\n`;
	return `${head} ${encodedWords(subject, head.length + 1).join('\n ')}\n`;
}

/** Folds a header into as many lines as needed; keeps existing line breaks. */
function wrapped(head: string, text: string): string {
	let line = head;
	let result = '';
	for (const word of text.replace(/\n/g, '\n ').split(' ')) {
		const isBroken = line.endsWith('\n');
		if (isBroken || ([...line].length + 1 + [...word].length > COLUMNS && line !== '')) {
			result += isBroken ? line : `${line}\n`;
			line = '';
		}
		line += ` ${word}`;
	}
	return result + line;
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
			// One less for the space at the start of a folded line.
			room = ENCODED - 1;
		}
		word += code;
	}
	return [...words, `${word}?=`];
}
