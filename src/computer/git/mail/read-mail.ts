import { decode } from '../bytes.ts';
import { parseDate } from '../config/identity.ts';
import { binaryBytes } from '../diff/lines.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { decodedHeader, fromBase64, fromQuotedPrintable, inUtf8, trimBlanks, withSingleBlanks } from './mail-text.ts';

/** Data of a commit in a mail. */
export interface PatchMail {
	name: string;
	email: string;
	/** As written in the mail. */
	date: string;
	subject: string;
	message: string;
	/** Patch with the text around it, as binary text; '' if there is none. */
	patch: string;
}

/** Options for parsing a mail. */
export interface MailHow {
	/** Bracketed prefixes of the subject: remove all (`none`), remove `[PATCH]` only, or keep all. */
	keep: 'none' | 'non-patch' | 'all';
	/** Ignores text above a scissors line. */
	scissors: boolean;
	/** Adds the mail's id to the message. */
	messageId: boolean;
	/** Handling of encoded carriage returns: strip them, or keep them with or without a warning. */
	quotedCr: 'strip' | 'nowarn' | 'warn';
	/** Receives warnings. */
	warn: (text: string) => void;
	/** Ignores header fields in the body. */
	ignoresInBody?: boolean;
	/** Keeps texts in the charset of the mail instead of converting them to UTF-8. */
	keepsCharset?: boolean;
}

/** Parts of a mail as binary text. */
export interface MailParts {
	/** Names of the header fields that the mail has, in lower case. */
	fields: ReadonlySet<string>;
	name: string;
	email: string;
	date: string;
	subject: string;
	/** Text between the header and the patch, as it is in the mail. */
	body: string;
	patch: string;
}

/** Parses the date of a mail; null if it is invalid. */
export const mailDateOf = (text: string): ReturnType<typeof parseDate> =>
	parseDate(text) ?? parseDate(text.replace(/\s*\([^)]*\)\s*$/, ''));

/** Header fields by lower-case name, with folded lines joined, and the line after them. */
function readHeaders(lines: readonly string[], from: number): { headers: Map<string, string>; at: number } {
	const headers = new Map<string, string>();
	let name = '';
	let at = from;
	for (; at < lines.length && lines[at] !== ''; at++) {
		const line = lines[at]!;
		const field = /^([!-9;-~]+):[ \t]*(.*)$/s.exec(line);
		if (/^[ \t]/.test(line) && name !== '') headers.set(name, `${headers.get(name) ?? ''}\n${line}`);
		else if (field) {
			name = field[1]!.toLowerCase();
			if (!headers.has(name)) headers.set(name, field[2]!);
		} else if (!/^>?From /.test(line)) break;
	}
	return { headers, at };
}

/** Parses a mail. @param text binary text */
export function readMail(text: string, how: MailHow): PatchMail {
	const { name, email, date, subject, body, patch } = mailParts(text, how);
	const decoded = (part: string) => decode(binaryBytes(part));
	return {
		name: decoded(name),
		email: decoded(email),
		date: decoded(date).trim(),
		subject: decoded(subject),
		message: cleanMessage(`${decoded(subject)}\n\n${decoded(body)}`),
		patch
	};
}

/** Splits a mail into its parts. @param text binary text */
export function mailParts(text: string, how: MailHow): MailParts {
	const lines = text.replace(/^\s+/, '').split('\n');
	const { headers, at } = readHeaders(lines, 0);
	const found = new BodyReader(headers, how);
	found.read(bodyOf(headers, lines.slice(at), how));
	// A body without a patch is no place for header fields.
	const fields = found.patch === '' ? headers : found.headers;
	const header = (name: string) => decodedHeader(fields.get(name) ?? '', how.keepsCharset);
	return {
		fields: new Set(fields.keys()),
		...senderOf(header('from')),
		date: withSingleBlanks(header('date')),
		subject: shownSubject(header('subject'), how.keep),
		body: found.message,
		patch: found.patch
	};
}

/** Decoded text of a body; for a multipart mail, the texts of all parts. */
function bodyOf(headers: ReadonlyMap<string, string>, lines: readonly string[], how: MailHow): string {
	const type = headers.get('content-type') ?? '';
	const boundary = /boundary="?([^";\n]+)"?/i.exec(type)?.[1];
	const body = lines.join('\n');
	if (/^multipart\//i.test(type) && boundary !== undefined) {
		const parts = `\n${body}`.split(`\n--${boundary}`).slice(1);
		const end = parts.findIndex((part) => part.startsWith('--'));
		return (end < 0 ? parts : parts.slice(0, end))
			.map((part) => {
				const own = part.replace(/^[^\n]*\n/, '').split('\n');
				const inner = readHeaders(own, 0);
				return bodyOf(inner.headers, own.slice(inner.at), how).replace(/^\n/, '');
			})
			.join('\n');
	}
	const encoding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase();
	const bytes =
		encoding === 'base64'
			? fromBase64(body)
			: encoding === 'quoted-printable'
				? fromQuotedPrintable(body, false)
				: body;
	const isEncoded = bytes !== body;
	if (isEncoded && bytes.includes('\r\n') && how.quotedCr === 'warn') how.warn('warning: quoted CRLF detected\n');
	const plain = isEncoded && how.quotedCr === 'strip' ? bytes.replaceAll('\r\n', '\n') : bytes;
	const whole = isEncoded ? `\n${plain.replace(/^\n/, '')}` : plain;
	if (how.keepsCharset) return whole;
	// The content of files is in their own charsets.
	const start = whole.search(PATCH_START);
	const end = start < 0 ? whole.length : start;
	return inUtf8(whole.slice(0, end), /charset="?([^";\s]+)"?/i.exec(type)?.[1] ?? '') + whole.slice(end);
}

const PATCH_START = /^(?:diff -|Index: |---[ \t\r]*$|--- \S)/m;
const IN_BODY = /^(from|subject|date):/i;

/** Splits the body of a mail into in-body header fields, message and patch. */
class BodyReader {
	readonly headers: Map<string, string>;
	message = '';
	patch = '';
	readonly #own: ReadonlyMap<string, string>;

	constructor(
		headers: ReadonlyMap<string, string>,
		private readonly how: MailHow
	) {
		this.#own = headers;
		this.headers = new Map(headers);
	}

	read(body: string): void {
		const lines = body.split('\n');
		if (lines.at(-1) === '') lines.pop();
		let isHead = true;
		let field = '';
		for (const [at, line] of lines.entries()) {
			if (PATCH_START.test(line)) {
				this.patch = lines
					.slice(at)
					.map((one) => `${one}\n`)
					.join('');
				break;
			}
			if (this.how.scissors && isScissors(line)) {
				this.message = '';
				this.headers.clear();
				for (const [name, value] of this.#own) this.headers.set(name, value);
				[isHead, field] = [true, ''];
				continue;
			}
			if (isHead) {
				const name = this.how.ignoresInBody ? undefined : IN_BODY.exec(line)?.[1]?.toLowerCase();
				if (name !== undefined) {
					this.headers.set((field = name), line.slice(name.length + 1).replace(/^[ \t]+/, ''));
					continue;
				}
				if (field !== '' && /^[ \t]+\S/.test(line)) {
					this.headers.set(field, `${this.headers.get(field) ?? ''}\n${line}`);
					continue;
				}
				if (line.trim() === '') {
					// The message starts after the blank line below the fields.
					if (field !== '') isHead = false;
					continue;
				}
				if (/^>From [0-9a-f]{40} Mon Sep 17 00:00:00 2001$/.test(line) || /^\[PATCH\]/.test(line)) continue;
				isHead = false;
			}
			this.message += `${line}\n`;
		}
		const id = this.#own.get('message-id');
		if (this.how.messageId && id !== undefined) this.message += `Message-Id: ${id}\n`;
	}
}

/** Returns whether a line is a scissors line: mostly scissors and dashes, with at most a few words. */
function isScissors(line: string): boolean {
	let [isCut, dashes, blanks, scissors] = [false, 0, 0, 0];
	for (const [part] of line.matchAll(/>8|8<|>%|%<|[^]/g)) {
		if (/[ \t\v\f\r]/.test(part)) {
			if (isCut) [dashes, blanks] = [dashes + 1, blanks + 1];
			continue;
		}
		isCut = part === '-' || part.length === 2;
		if (isCut) dashes += part.length;
		if (part.length === 2) scissors++;
	}
	const visible = trimBlanks(line).length;
	return scissors > 0 && visible >= 8 && visible < dashes * 3 && blanks * 2 < dashes;
}

/** Name and address in a field `From`. A comment is part of the name; a name that cannot be one gives way. */
function senderOf(from: string): { name: string; email: string } {
	const text = unquoted(from);
	const found = /[^ \t\n\v\f\r<]*@[^ \t\n\v\f\r>]*/.exec(text);
	if (!found) {
		const [, name = '', email = ''] = /^([^<]*)<([^>]*)>/.exec(text) ?? [];
		return { name: saneName(name, email), email };
	}
	const [email] = found;
	const before = text.slice(0, found.index).replace(/<$/, ' ');
	const rest = trimBlanks(before + text.slice(found.index + email.length + 1));
	return { name: saneName(/^\((.*)\)$/s.exec(rest)?.[1] ?? rest, email), email };
}

const saneName = (name: string, email: string): string => {
	const text = trimBlanks(withSingleBlanks(name));
	return text === '' || text.length > 60 || /[@<>]/.test(text) ? email : text;
};

/** Removes the quotes around quoted strings and the backslashes before characters in them and in comments. */
function unquoted(text: string): string {
	let made = '';
	let depth = 0;
	let isQuoted = false;
	for (const [part] of text.matchAll(/\\[^]|[^]/g)) {
		const isEscaped = part.length === 2 && (isQuoted || depth > 0);
		if (isEscaped) made += part[1]!;
		else if (part === '"' && depth === 0) isQuoted = !isQuoted;
		else {
			if (!isQuoted && part === '(') depth++;
			if (!isQuoted && part === ')' && depth > 0) depth--;
			made += part;
		}
	}
	return made;
}

function shownSubject(subject: string, keep: MailHow['keep']): string {
	if (keep === 'all') return trimBlanks(subject.replace(/\n[ \t]*/g, ' '));
	let kept = '';
	let left = subject;
	for (;;) {
		const junk = /^(?:re:|[ \t\n:])/i.exec(left)?.[0];
		const brackets = /^\[[^\]]*\]/.exec(left)?.[0];
		if (junk !== undefined && (kept === '' || junk.trim() !== '')) left = left.slice(junk.length);
		else if (brackets !== undefined) {
			left = left.slice(brackets.length);
			if (keep !== 'non-patch' || /PATCH/.test(brackets)) continue;
			const blank = /^[ \t]/.test(left) ? ' ' : '';
			kept += brackets + blank;
			left = left.slice(blank.length);
		} else break;
	}
	return trimBlanks(withSingleBlanks(kept + left));
}
