import { COLOR_RESET, slotColor } from '../color-choice.ts';
import { writeMail } from '../mail/write-mail.ts';
import { decodeAs, encodeAs } from '../encoded-text.ts';
import { subjectOf, type Signature } from '../objects/commit.ts';
import { encode } from '../bytes.ts';
import type { Repository } from '../repository.ts';
import { CommitPlaceholders } from './commit-placeholders.ts';
import { formatDate } from './dates.ts';
import type { LogFormat } from './commit-format.ts';
import { decorationsOf } from './decorations.ts';
import { highlighted } from './highlight.ts';
import { mailmapOf } from './mailmap.ts';
import { expandFormat } from './placeholders.ts';
import { isNamed } from './pretty-name.ts';
import type { Revision } from './walk.ts';

/** Formats a commit's header and message, without the final newline. */
export function formatCommit(repository: Repository, revision: Revision, format: LogFormat): string {
	const { id, commit } = revision;
	if (!isNamed(format.name)) return expanded(repository, revision, format);
	const notes = format.notes?.text(id) ?? '';
	if (isMail(format)) return `${mailText(revision, format).replace(/\n$/, '')}${notes === '' ? '' : `\n---\n${notes}`}`;
	const short = (one: string) => (format.abbreviate ? repository.objects.abbreviate(one, format.digits) : one);
	const mark = format.markOf?.(revision) ?? '';
	const parents = format.showsParents ? commit.parents.map((parent) => ` ${short(parent)}`).join('') : '';
	const [color, reset] = format.isColored ? [slotColor(repository, 'diff', 'commit', 'yellow'), COLOR_RESET] : ['', ''];
	const isOneline = format.name === 'oneline';
	const from = revision.from === undefined ? '' : ` (from ${short(revision.from)})`;
	const shown = `${mark === '' ? '' : `${mark} `}${short(id)}${parents}${from}`;
	const source = format.sourceOf?.(id);
	const decorations = format.decorate ? (format.decorations ?? decorationsOf(repository)) : null;
	const names =
		(source === undefined ? '' : `\t${source}`) +
		(decorations?.text(id, format.isColored ?? false, { before: ' (', between: ', ', after: ')' }) ?? '');
	const title = `${color}${isOneline ? '' : 'commit '}${shown}${reset}${names}`;
	const reflog = revision.reflog ? `${revision.reflog.ref}@{${revision.reflog.place}}` : null;
	const below = notes === '' ? '' : `\n${notes}`;
	if (isOneline) {
		const line = reflog === null ? subjectOf(commit.message) : `${reflog}: ${revision.reflog!.message}`;
		return `${title} ${line}${below === '' ? '' : `${notes}\n`}`;
	}
	const history =
		reflog === null
			? []
			: [`Reflog: ${reflog} (${personText(revision.reflog!.who)})`, `Reflog message: ${revision.reflog!.message}`];
	const text = [...headLines(repository, revision, format), ...messageLines(format, commit.message)].join('\n');
	const size = format.showsSize ? [`log size ${encode(text).length + 1}`] : [];
	return [title, ...history, ...size, text].join('\n') + below;
}

/** Formats a commit's header and message without the line of its id, as `rev-list` shows it. */
export function commitText(repository: Repository, revision: Revision, format: LogFormat): string {
	if (!isNamed(format.name)) return expanded(repository, revision, format);
	if (format.name === 'oneline') return subjectOf(revision.commit.message);
	if (isMail(format)) return mailText(revision, format).replace(/^From .*\n/, '');
	const lines = [...headLines(repository, revision, format), ...messageLines(format, revision.commit.message)];
	return `${lines.join('\n')}\n`;
}

const isMail = ({ name }: LogFormat): boolean => name === 'email' || name === 'mboxrd';

/** Formats a commit as a mail; `mboxrd` escapes message lines that look like the start of a mail. */
function mailText({ id, commit }: Revision, { name }: LogFormat): string {
	return writeMail(id, commit, {
		...{ label: '[PATCH]', thread: '', fields: '', sender: null, namesAuthor: false, encodes: true },
		...{ escapesFrom: name === 'mboxrd', boundary: null, keepsLines: false }
	});
}

function expanded(repository: Repository, revision: Revision, format: LogFormat): string {
	const room = { isColored: format.isColored ?? false, columns: format.columns ?? 80 };
	return expandFormat(format.name, new CommitPlaceholders(repository, revision, format), room);
}

const personText = ({ name, email }: Signature): string => `${name} <${email}>`;

/** Lines between the id and the message. */
function headLines(repository: Repository, { id, commit }: Revision, format: LogFormat): string[] {
	if (format.name === 'raw') return rawHead(repository, id, format);
	const who = (person: Signature, patterns: readonly RegExp[] = []) => {
		const text = personText(format.isMapped ? mailmapOf(repository).mapped(person) : person);
		return format.highlight ? highlighted(text, patterns, format.highlight) : text;
	};
	const date = (person: Signature) => formatDate(person, format.date, repository.files.now()) ?? '';
	const isFuller = format.name === 'fuller';
	const gap = isFuller ? '    ' : '';
	const merged = commit.parents.map((parent) => repository.objects.abbreviate(parent, format.digits));
	return [
		...(commit.parents.length > 1 ? [`Merge: ${merged.join(' ')}`] : []),
		`Author: ${gap}${who(commit.author, format.highlight?.authors)}`,
		...(isFuller ? [`AuthorDate: ${date(commit.author)}`] : []),
		...(format.name === 'full' || isFuller
			? [`Commit: ${gap}${who(commit.committer, format.highlight?.committers)}`]
			: []),
		...(isFuller ? [`CommitDate: ${date(commit.committer)}`] : []),
		...(format.name === 'medium' ? [`Date:   ${date(commit.author)}`] : [])
	];
}

/** Header of a commit as stored. */
function rawHead(repository: Repository, id: string, format: LogFormat): string[] {
	const content = repository.objects.read(id, 'commit');
	const text = decodeAs(repository.commit(id).encoding, content);
	const lines = text.slice(0, Math.max(0, text.indexOf('\n\n'))).split('\n');
	// The header names the encoding that the text was converted to.
	return lines.flatMap((line) =>
		line.startsWith('encoding ') ? (format.encoding === undefined ? [] : [`encoding ${format.encoding}`]) : [line]
	);
}

function messageLines(format: LogFormat, message: string): string[] {
	const whole = message.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
	const text = format.name === 'short' ? whole.split(/\n[ \t]*\n/, 1)[0]! : whole;
	const tabs = format.tabs ?? (['medium', 'full', 'fuller'].includes(format.name) ? 8 : 0);
	const lines = text === '' ? [] : (tabs > 0 ? expandTabs(text, tabs) : text).split('\n');
	const { highlight } = format;
	const shown = (line: string) => (highlight ? highlighted(line, highlight.messages, highlight) : line);
	return lines.length === 0 ? [] : ['', ...lines.map((line) => `    ${shown(line.trimEnd())}`)];
}

/** Expands tabs to blanks. */
function expandTabs(text: string, width: number): string {
	if (!text.includes('\t')) return text;
	const expand = (line: string): string => {
		let shown = '';
		for (const letter of line) shown += letter === '\t' ? ' '.repeat(width - ([...shown].length % width)) : letter;
		return shown;
	};
	return text.split('\n').map(expand).join('\n');
}

/** Output encoding of logs; undefined for UTF-8. */
export function outputEncoding({ config }: Repository, asked?: string): string | undefined {
	const name = asked ?? config.get('i18n.logoutputencoding') ?? config.get('i18n.commitencoding') ?? 'UTF-8';
	return /^utf-?8$|^none$|^$/i.test(name) ? undefined : name;
}

/** Encodes a log; falls back to UTF-8 if the encoding lacks a character. */
export function encodeLog(encoding: string | undefined, text: string): Uint8Array {
	return (encoding === undefined ? null : encodeAs(encoding, text)) ?? encode(text);
}
