import { decode } from '../bytes.ts';
import { parseDate } from '../config/identity.ts';
import { binaryBytes } from '../diff/lines.ts';
import { cleanMessage } from '../history/commit-message.ts';
import type { Signature } from '../objects/commit.ts';

/** Data of a commit in a mail. */
export interface PatchMail {
	author: Signature;
	subject: string;
	message: string;
	/** The patch and what is around it, binary text. */
	patch: string;
}

/** The mails of a mailbox (binary text), or the one mail it is. */
export function splitMailbox(text: string): string[] {
	const starts = [...text.matchAll(/^From [^\n]* \d\d:\d\d:\d\d \d{4}\n/gm)].map(({ index }) => index);
	if (starts.length === 0) return [text];
	return starts.map((start, i) => text.slice(start, starts[i + 1]));
}

/** @param keep preserves text in brackets in the subject. Null for text that is no mail with a sender */
export function readMail(text: string, keep: boolean): PatchMail | null {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	const headers = new Map<string, string>();
	let at = /^>?From /.test(lines[0] ?? '') ? 1 : 0;
	let name = '';
	for (; at < lines.length && lines[at] !== ''; at++) {
		const line = lines[at] ?? '';
		const field = /^([\w-]+):\s?(.*)$/.exec(line);
		if (/^[ \t]/.test(line) && name !== '') headers.set(name, `${headers.get(name)}\n${line}`);
		else if (field) headers.set((name = (field[1] ?? '').toLowerCase()), field[2] ?? '');
		else return null;
	}
	const body = lines.slice(at + 1);
	const header = (field: string) => decodedHeader(headers.get(field) ?? '');
	const sender = /^\s*(.*?)\s*<([^<>]*)>\s*$/s.exec(header('from')) ?? [];
	const date = parseDate(header('date')) ?? { seconds: 0, offsetMinutes: 0 };
	if (sender[2] === undefined) return null;
	const end = body.findIndex((line) => /^---( |$)/.test(line) || /^(diff -|Index: )/.test(line));
	const messageText = body.slice(0, end < 0 ? body.length : end).join('\n');
	const subject = keep ? header('subject') : header('subject').replace(/^(?:\s*(?:\[[^\]]*\]|re:))*\s*/i, '');
	return {
		author: { name: (sender[1] ?? '').replace(/^"(.*)"$/s, '$1').replace(/\\(.)/g, '$1'), email: sender[2], ...date },
		subject,
		message: cleanMessage(`${subject}\n\n${decode(binaryBytes(messageText))}`),
		// The line `-- ` ends the last hunk, since a hunk states its length.
		patch: end < 0 ? '' : body.slice(end).join('\n')
	};
}

/** Folded lines joined and encoded words (RFC 2047) decoded. */
function decodedHeader(text: string): string {
	const joined = text.replace(/\n[ \t]+/g, ' ').replace(/\?=\s+=\?/g, '?==?');
	const words = /=\?utf-8\?([qb])\?([^?]*)\?=/gi;
	if (joined.search(words) < 0) return decode(binaryBytes(joined));
	const binary = joined.replace(words, (_whole, kind: string, code: string) =>
		kind.toLowerCase() === 'b'
			? atob(code)
			: code
					.replaceAll('_', ' ')
					.replace(/=([0-9a-f]{2})/gi, (_one, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
	);
	return decode(binaryBytes(binary));
}
