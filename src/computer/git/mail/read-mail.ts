import { decode } from '../bytes.ts';
import { parseDate } from '../config/identity.ts';
import { binaryBytes } from '../diff/lines.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { decodedHeader, fromBase64, fromQuotedPrintable, inUtf8 } from './mail-text.ts';

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
	const lines = text.replace(/^\s+/, '').split('\n');
	const { headers, at } = readHeaders(lines, 0);
	const body = bodyOf(headers, lines.slice(at), how);
	const found = new BodyReader(headers, how);
	found.read(body);
	const header = (name: string) => decode(binaryBytes(decodedHeader(found.headers.get(name) ?? '')));
	const { name, email } = senderOf(header('from'));
	const subject = shownSubject(header('subject'), how.keep);
	const message = decode(binaryBytes(found.message));
	return {
		name,
		email,
		date: header('date').trim(),
		subject,
		message: cleanMessage(`${subject}\n\n${message}`),
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
	return inUtf8(isEncoded ? `\n${plain.replace(/^\n/, '')}` : plain, /charset="?([^";\s]+)"?/i.exec(type)?.[1] ?? '');
}

const PATCH_START = /^(?:diff -|Index: |---[ \t\r]*$|--- \S)/;
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
				const name = IN_BODY.exec(line)?.[1]?.toLowerCase();
				if (name !== undefined) {
					this.headers.set((field = name), line.slice(name.length + 1).trim());
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
				if (/^>From /.test(line) || /^\[PATCH\]/.test(line)) continue;
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
	const text = line.trim();
	if (!/(?:>8|8<|>%|%<)/.test(text) || !text.includes('-')) return false;
	const marks = text
		.replace(/(?:>8|8<|>%|%<)/g, '--')
		.replace(/[^- ]/g, '')
		.replaceAll(' ', '').length;
	const first = text.search(/-|>8|8<|>%|%</);
	const visible = text.replace(/\s/g, '').length;
	return first === 0 && visible >= 8 && visible < marks * 3;
}

function senderOf(from: string): { name: string; email: string } {
	const text = from.trim();
	const angled = /^(.*?)\s*<([^<>]*)>\s*(?:\((.*)\))?$/s.exec(text);
	const bare = /([^\s<>()"]+@[^\s<>()"]+)/.exec(text)?.[1];
	const email = (angled?.[2] ?? bare ?? '').trim();
	const rest = angled ? angled[1]! : text.replace(email, '').replace(/[()]/g, ' ');
	const name = rest
		.trim()
		.replace(/^"(.*)"$/s, '$1')
		.replace(/\\(.)/g, '$1')
		.replace(/\s+/g, ' ');
	return { name: name === '' ? email : name, email };
}

function shownSubject(subject: string, keep: MailHow['keep']): string {
	if (keep === 'all') return subject.replace(/\n[ \t]*/g, ' ').trim();
	let kept = '';
	let left = subject;
	for (;;) {
		const junk = /^(?:re:|[ \t\n:])/i.exec(left)?.[0];
		const brackets = /^\[[^\]]*\]/.exec(left)?.[0];
		if (junk !== undefined && (kept === '' || junk.trim() !== '')) left = left.slice(junk.length);
		else if (brackets !== undefined) {
			left = left.slice(brackets.length);
			if (keep !== 'non-patch' || /PATCH/.test(brackets)) continue;
			const blank = /^\s/.test(left) ? ' ' : '';
			kept += brackets + blank;
			left = left.slice(blank.length);
		} else break;
	}
	return (kept + left).replace(/\s+/g, ' ').trim();
}
