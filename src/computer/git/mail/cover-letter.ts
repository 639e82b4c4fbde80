import { GitError } from '../errors.ts';
import { subjectOf, type Commit, type Signature } from '../objects/commit.ts';
import { fromField, mailDate, subjectField, type MailHead } from './write-mail.ts';

const COLUMNS = 72;
const INDENT = 2;
const FURTHER_INDENT = 4;
const LONGEST_SUBJECT = 100;

/** Parts of a cover letter that the branch description is used for. */
export const COVER_MODES = ['default', 'none', 'message', 'subject', 'auto'] as const;
export type CoverMode = (typeof COVER_MODES)[number];

/** @throws GitError for an unknown mode */
export function coverMode(text: string): CoverMode {
	const found = COVER_MODES.find((mode) => mode === text);
	if (!found) throw new GitError(`fatal: ${text}: invalid cover from description mode`, 128);
	return found;
}

/**
 * Cover letter: the mail before a series.
 *
 * @param id id to name in its first line
 * @param overview stat and summary of all changes
 */
export function coverLetter(
	id: string,
	commits: readonly Commit[],
	sender: Signature,
	head: MailHead,
	{ description, mode, overview }: { description: string; mode: CoverMode; overview: string }
): string {
	const { subject, body } = textOf(description, mode === 'default' ? 'message' : mode);
	const isPlain = !/[^\x00-\x7f]/.test(subject + body + commits.map(({ message }) => subjectOf(message)).join(''));
	return [
		`From ${id} Mon Sep 17 00:00:00 2001\n`,
		head.thread,
		fromField(sender, head.encodes),
		`Date: ${mailDate(sender)}\n`,
		subjectField(head.label, subject, head.encodes),
		isPlain ? '' : 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n',
		head.fields,
		'\n',
		`${body}\n\n`,
		overviewOf(commits),
		overview === '' ? '' : `${overview}\n`
	].join('');
}

function textOf(description: string, mode: Exclude<CoverMode, 'default'>): { subject: string; body: string } {
	const missing = { subject: '*** SUBJECT HERE ***', body: '*** BLURB HERE ***' };
	if (description === '' || mode === 'none') return missing;
	const [first = '', ...rest] = description.split(/\n\s*\n/);
	const subject = first.replace(/\n/g, ' ');
	const isSubject = mode === 'subject' || (mode === 'auto' && subject.length <= LONGEST_SUBJECT);
	return isSubject ? { subject, body: rest.join('\n\n') } : { ...missing, body: description };
}

/** Subjects of all commits, grouped by author. */
function overviewOf(commits: readonly Commit[]): string {
	const byAuthor = new Map<string, string[]>();
	for (const { author, message } of commits)
		byAuthor.set(author.name, [...(byAuthor.get(author.name) ?? []), subjectOf(message)]);
	const names = [...byAuthor.keys()].sort();
	return names
		.map((name) => {
			const subjects = byAuthor.get(name)!;
			return `${name} (${subjects.length}):\n${subjects.map(wrappedSubject).join('')}\n`;
		})
		.join('');
}

function wrappedSubject(subject: string): string {
	let text = '';
	let line = ' '.repeat(INDENT);
	let isEmpty = true;
	for (const word of subject.split(' ')) {
		if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
			text += `${line}\n`;
			line = ' '.repeat(FURTHER_INDENT);
			isEmpty = true;
		}
		line += isEmpty ? word : ` ${word}`;
		isEmpty = false;
	}
	return `${text}${line}\n`;
}
