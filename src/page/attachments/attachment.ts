import { formatBytes } from '../format.ts';
import { t } from '../strings/index.ts';

/** Folder of attached files, in the working directory. */
export const ATTACHMENT_FOLDER = 'attachments';

/** A file on the computer that a message refers to. */
export interface Attachment {
	/** Relative to the working directory. */
	path: string;
	/** Bytes. */
	size: number;
}

const MOST_NAME_BYTES = 120;
/**
 * Everything except letters, marks, digits and a few harmless characters: shells, patterns and paths may interpret the
 * rest.
 */
const UNSAFE = /[^\p{L}\p{M}\p{N}._+-]+/gu;
/** Invisible letters. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
const LINE = /^- (attachments\/(?![.+-])[\p{L}\p{M}\p{N}._+-]+) \([\d.]{1,6} [kMG]?B\)$/u;
/**
 * Headings of the list, in every language. Only these are recognized: a recognized list is rendered as chips, not
 * verbatim.
 */
export const LIST_TITLES: readonly string[] = ['Attached files:', '附件：'];

/**
 * Converts the name of a file on the user's computer to a single plain word: no path, no leading dot or dash, nothing
 * invisible, at most 120 bytes. The extension is kept.
 */
export function attachmentName(name: string): string {
	const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
	const clean = last
		.replace(UNSEEN, '')
		.replace(UNSAFE, '-')
		.replace(/^[.+-]+/, '');
	const dot = clean.lastIndexOf('.');
	const extension = dot > 0 && clean.length - dot <= 16 ? clean.slice(dot) : '';
	const stem = clean.slice(0, clean.length - extension.length).replace(/[.-]+$/, '');
	return cutToBytes(stem === '' ? 'file' : stem, MOST_NAME_BYTES - byteLength(extension)) + extension;
}

/** Adds a number before the extension: `report.pdf` becomes `report-2.pdf`. */
export function numberedName(name: string, number: number): string {
	if (number === 1) return name;
	const dot = name.lastIndexOf('.');
	return dot > 0 ? `${name.slice(0, dot)}-${number}${name.slice(dot)}` : `${name}-${number}`;
}

/** Appends a list of the attached files to the message's text. */
export function withAttachments(words: string, attachments: readonly Attachment[]): string {
	if (attachments.length === 0) return words;
	const lines = attachments.map(({ path, size }) => `- ${path} (${formatBytes(size)})`);
	return [...(words === '' ? [] : [words]), [t.composer.attachedFiles, ...lines].join('\n')].join('\n\n');
}

/** Splits a message into its text and the paths of the files listed at its end. */
export function splitAttachments(message: string): { words: string; paths: string[] } {
	const lines = message.split('\n');
	let first = lines.length;
	while (first > 0 && LINE.test(lines[first - 1] ?? '')) first--;
	const isList = first < lines.length && LIST_TITLES.includes(lines[first - 1] ?? '');
	if (!isList) return { words: message, paths: [] };
	const paths = lines.slice(first).flatMap((line) => LINE.exec(line)?.[1] ?? []);
	return {
		words: lines
			.slice(0, first - 1)
			.join('\n')
			.trimEnd(),
		paths
	};
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Truncates without splitting a character. */
function cutToBytes(text: string, most: number): string {
	let cut = '';
	let bytes = 0;
	for (const character of text) {
		bytes += byteLength(character);
		if (bytes > most) return cut;
		cut += character;
	}
	return cut;
}
