import { absolute, dirname } from '#computer/abi/paths.ts';
import { binaryText } from '../diff/lines.ts';
import { fatal, GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { missingAsNull } from '../objects/store.ts';

/** Formats of patch files that can be read as mails. */
export const PATCH_FORMATS = ['mbox', 'mboxrd', 'stgit', 'stgit-series', 'hg'] as const;
export type PatchFormat = (typeof PATCH_FORMATS)[number];

/** @throws GitError for an unknown format */
export function patchFormat(text: string): PatchFormat {
	const found = PATCH_FORMATS.find((format) => format === text);
	if (!found) throw new GitError(`error: invalid value for '--patch-format': '${text}'`, 129);
	return found;
}

/**
 * Reads patches as mails.
 *
 * @param names files and mail directories; `-` is stdin
 * @param keepsCr keeps carriage returns at line ends
 * @throws GitError if the format cannot be detected
 */
export function readPatchFiles(
	git: Invocation,
	names: readonly string[],
	format: PatchFormat | null,
	keepsCr: boolean
): string[] {
	const [first = '-'] = names;
	const chosen = format ?? detected(git, first);
	if (chosen === null) throw new GitError('Patch format detection failed.', 128);
	const given = chosen === 'stgit-series' ? seriesNames(git, names) : names;
	return given.flatMap((name) => {
		const texts = filesIn(git, name).map(binaryText);
		if (chosen === 'hg') return texts.map(fromHg);
		if (chosen === 'stgit' || chosen === 'stgit-series') return texts.map(fromStgit);
		return texts.flatMap((text) => splitMailbox(text, { keepsCr, isEscaped: chosen === 'mboxrd' }));
	});
}

/**
 * Splits a mailbox or a mail directory into mails.
 *
 * @param allowsBare accepts one mail without the line `From ` of mailboxes
 * @throws GitError for an empty file or one that is not a mailbox
 */
export function readMailbox(git: Invocation, name: string, how: MailboxForm, allowsBare: boolean): string[] {
	if (name !== '-' && !git.context.sync.statOrNull(absolute(name, git.cwd)))
		throw new GitError(`error: cannot stat ${name}: No such file or directory`, 1);
	const isMailbox = name === '-' || !isDirectory(git, name);
	return filesIn(git, name).flatMap((bytes) => {
		const text = binaryText(bytes);
		const mails = splitMailbox(text, how);
		if (mails.length === 0 && name !== '-')
			throw new GitError(`error: empty mbox: '${name}'\nerror: cannot split patches from ${name}`, 1);
		if (isMailbox && !allowsBare && mails[0] !== undefined && mails[0].search(FROM_LINE) !== 0)
			throw new GitError('corrupt mailbox', 1);
		return isMailbox ? mails : [mails.join('')];
	});
}

/** Differences between mailboxes. */
interface MailboxForm {
	/** Keeps carriage returns at line ends. */
	keepsCr: boolean;
	/** Lines like `>From ` in a mail have one more `>` than originally. */
	isEscaped: boolean;
}

const FROM_LINE = /^From [^\n]*\d\d?:\d\d:\d\d [^\n]*\d{4}[^\n]*\n/gm;

/** Splits a mailbox into mails; a single mail stays whole. */
function splitMailbox(text: string, { keepsCr, isEscaped }: MailboxForm): string[] {
	const whole = (keepsCr ? text : text.replaceAll('\r\n', '\n')).replace(/^\s+/, '');
	if (whole === '') return [];
	const starts = whole.startsWith('From ') ? [...whole.matchAll(FROM_LINE)].map(({ index }) => index) : [];
	const mails = starts.length === 0 ? [whole] : starts.map((start, i) => whole.slice(start, starts[i + 1]));
	return isEscaped ? mails.map((mail) => mail.replace(/^>(>*From )/gm, '$1')) : mails;
}

function detected(git: Invocation, name: string): PatchFormat | null {
	if (name === '-' || isDirectory(git, name)) return 'mbox';
	const lines = binaryText(read(git, name)).split(/\r?\n/);
	const start = lines.findIndex((line) => line !== '');
	const [one = '', two = '', three = ''] = start < 0 ? [] : lines.slice(start);
	if (/^From[ :]/.test(one)) return 'mbox';
	if (one.startsWith('# This series applies on GIT commit')) return 'stgit-series';
	if (one === '# HG changeset patch') return 'hg';
	if (one !== '' && two === '' && /^(?:From|Author|Date):/.test(three)) return 'stgit';
	return one !== '' && isMail(lines) ? 'mbox' : null;
}

/** Checks whether all lines up to the first blank one are header fields. */
function isMail(lines: readonly string[]): boolean {
	const start = lines.findIndex((line) => line.trim() !== '');
	for (const line of lines.slice(start)) {
		if (line === '') return true;
		if (!/^[\t ]/.test(line) && !/^[!-9;-~]+:/.test(line)) return false;
	}
	return true;
}

const isDirectory = (git: Invocation, name: string): boolean =>
	git.context.sync.statOrNull(absolute(name, git.cwd))?.kind === 'directory';

function read(git: Invocation, name: string): Uint8Array {
	if (name === '-') return git.input();
	const bytes = missingAsNull(() => git.context.sync.readFile(absolute(name, git.cwd)));
	if (!bytes) throw fatal(`could not open '${name}' for reading: No such file or directory`);
	return bytes;
}

/** Contents of the file, or of the files of a mail directory. */
function filesIn(git: Invocation, name: string): Uint8Array[] {
	if (name === '-' || !isDirectory(git, name)) return [read(git, name)];
	const { sync } = git.context;
	const directory = absolute(name, git.cwd);
	return ['cur', 'new'].flatMap((part) => {
		const path = `${directory}/${part}`;
		if (sync.statOrNull(path)?.kind !== 'directory') return [];
		const names = sync.readdir(path).map((entry) => entry.name);
		return names
			.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
			.map((one) => sync.readFile(`${path}/${one}`));
	});
}

function seriesNames(git: Invocation, names: readonly string[]): string[] {
	if (names.length !== 1) throw fatal('Only one StGIT patch series can be applied at once');
	const [name = ''] = names;
	const lines = binaryText(read(git, name)).split('\n');
	return lines
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => `${dirname(absolute(name, git.cwd))}/${line}`);
}

/** Converts an StGit patch to a mail: its first line is the subject. */
function fromStgit(text: string): string {
	const head: string[] = [];
	const lines = text.split('\n');
	let hasSubject = false;
	let at = 0;
	for (; at < lines.length; at++) {
		const line = lines[at]!;
		if (line.trim() === '') continue;
		if (line.startsWith('Author:')) head.push(`From:${line.slice('Author:'.length)}`);
		else if (/^(?:From|Date):/.test(line)) head.push(line);
		else if (hasSubject) break;
		else {
			head.push(`Subject: ${line}`);
			hasSubject = true;
		}
	}
	return `${head.join('\n')}\n\n${lines.slice(at).join('\n')}`;
}

/** Converts a Mercurial patch to a mail. */
function fromHg(text: string): string {
	const head: string[] = [];
	const lines = text.split('\n');
	let at = 0;
	for (; at < lines.length; at++) {
		const line = lines[at]!;
		if (line.startsWith('# User ')) head.push(`From: ${line.slice('# User '.length)}`);
		else if (line.startsWith('# Date ')) head.push(`Date: ${hgDate(line.slice('# Date '.length))}`);
		else if (!line.startsWith('#')) break;
	}
	return `${head.join('\n')}\n\n${lines.slice(at).join('\n')}`;
}

/** Converts a date of Mercurial, whose zone is in seconds west of UTC. */
function hgDate(text: string): string {
	const [, seconds, zone] = /^(\d+) (-?\d+)$/.exec(text.trim()) ?? [];
	if (seconds === undefined || zone === undefined) throw fatal(`invalid Date line`);
	const minutes = Math.abs(Number(zone)) / 60;
	const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
	return `${seconds} ${Number(zone) > 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)}`;
}
