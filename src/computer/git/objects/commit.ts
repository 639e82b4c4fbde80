import { decode, encode } from '../bytes.ts';
import { decodeAs, encodeAs, isUtf8Name } from '../encoded-text.ts';

/** A person and a time: seconds since 1970, and the UTC offset in minutes (east is positive). */
export interface Signature {
	name: string;
	email: string;
	seconds: number;
	offsetMinutes: number;
}

export interface Commit {
	tree: string;
	parents: string[];
	author: Signature;
	committer: Signature;
	/** Message as written, usually with a newline at the end. */
	message: string;
	/** Encoding of the commit's text if it is not UTF-8. */
	encoding?: string;
}

/** Encoding recorded in new commits, from `i18n.commitEncoding`; undefined for UTF-8. */
export function newEncoding(config: { get(key: string): string | undefined }): Pick<Commit, 'encoding'> {
	const set = config.get('i18n.commitencoding');
	return set === undefined || isUtf8Name(set) ? {} : { encoding: set };
}

export function parseCommit(content: Uint8Array): Commit {
	const plain = decode(content);
	const encoding = /^encoding (.+)$/m.exec(plain.slice(0, Math.max(0, plain.indexOf('\n\n'))))?.[1];
	const text = encoding === undefined ? plain : decodeAs(encoding, content);
	const end = text.indexOf('\n\n');
	const commit: Commit = {
		...(encoding === undefined ? {} : { encoding }),
		tree: '',
		parents: [],
		author: parseSignature(''),
		committer: parseSignature(''),
		message: end < 0 ? '' : text.slice(end + 2)
	};
	for (const line of text.slice(0, end < 0 ? undefined : end).split('\n')) {
		const space = line.indexOf(' ');
		const value = line.slice(space + 1);
		const name = line.slice(0, space);
		if (name === 'tree') commit.tree = value;
		else if (name === 'parent') commit.parents.push(value);
		else if (name === 'author') commit.author = parseSignature(value);
		else if (name === 'committer') commit.committer = parseSignature(value);
	}
	return commit;
}

export function serializeCommit(commit: Commit): Uint8Array {
	const parents = commit.parents.map((parent) => `parent ${parent}\n`).join('');
	const head =
		`tree ${commit.tree}\n${parents}author ${serializeSignature(commit.author)}\n` +
		`committer ${serializeSignature(commit.committer)}\n`;
	const { encoding, message } = commit;
	const encoded = encoding === undefined ? null : encodeAs(encoding, `${head}encoding ${encoding}\n\n${message}`);
	return encoded ?? encode(`${head}\n${message}`);
}

export function parseSignature(text: string): Signature {
	const match = /^(.*?) ?<(.*)> (\d+) ([+-]\d{4})$/.exec(text);
	if (!match) return { name: text, email: '', seconds: 0, offsetMinutes: 0 };
	const zone = Number.parseInt(match[4]!.slice(1), 10);
	const minutes = Math.floor(zone / 100) * 60 + (zone % 100);
	return {
		name: match[1]!,
		email: match[2]!,
		seconds: Number(match[3]),
		offsetMinutes: match[4]!.startsWith('-') ? -minutes : minutes
	};
}

export const serializeSignature = ({ name, email, seconds, offsetMinutes }: Signature): string =>
	`${name} <${email}> ${seconds} ${zoneText(offsetMinutes)}`;

/** `+0130` */
export function zoneText(offsetMinutes: number): string {
	const minutes = Math.abs(offsetMinutes);
	const digits = Math.floor(minutes / 60) * 100 + (minutes % 60);
	return `${offsetMinutes < 0 ? '-' : '+'}${String(digits).padStart(4, '0')}`;
}

/** First paragraph, joined into one line. */
export function subjectOf(message: string): string {
	const start = message.replace(/^\s*\n/, '');
	return start
		.split(/\n\s*\n/, 1)[0]!
		.trimEnd()
		.split('\n')
		.map((line) => line.trim())
		.join(' ');
}

/** Text after the subject. */
export function bodyOf(message: string): string {
	const at = /\n\s*\n/.exec(message.trimStart());
	return at ? message.trimStart().slice(at.index + at[0].length) : '';
}
