import { absolute } from '#computer/abi/paths.ts';
import { decode, encode, equalBytes } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { fatal, GitError } from '../errors.ts';
import {
	cleanedUp,
	cleanMessage,
	CLEANUPS,
	commentMark,
	isEmptyMessage,
	aboveScissors,
	type Cleanup
} from '../history/commit-message.ts';
import { TrailerEditor } from '../history/trailer-edit.ts';
import { configuredTrailers, signOff, withTrailer } from '../history/trailers.ts';
import { runHook } from '../hooks.ts';
import type { Invocation } from '../invocation.ts';
import { decodeAs } from '../encoded-text.ts';
import { bodyOf, newEncoding, subjectOf } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

export const MESSAGE_OPTIONS = {
	message: '-m --message =',
	file: '-F --file =',
	edit: '-e --edit',
	noEdit: '--no-edit',
	reuse: '-C --reuse-message =',
	reedit: '-c --reedit-message =',
	fixup: '--fixup =',
	squash: '--squash =',
	template: '-t --template =',
	signoff: '-s --signoff',
	noSignoff: '--no-signoff',
	trailer: '--trailer =',
	cleanup: '--cleanup =',
	amend: '--amend',
	verbose: '-v --verbose',
	allowEmptyMessage: '--allow-empty-message'
};

export type MessageOptions = Options<keyof typeof MESSAGE_OPTIONS>;

/** Initial text of a message. */
interface Draft {
	text: string;
	/** Source of the text, as arguments of the hook `prepare-commit-msg`. */
	source: string[];
	/** Opens an editor unless options say otherwise. */
	isEdited: boolean;
	/** The text is a template, which has to be edited. */
	isTemplate?: boolean;
}

/** @throws GitError for options that exclude each other */
export function checkMessageOptions(options: MessageOptions): void {
	if (options.has('fixup') && options.has('squash'))
		throw fatal("options '--squash' and '--fixup' cannot be used together");
	const spellings = { reuse: '-C', reedit: '-c', file: '-F', fixup: '--fixup', message: '-m' } as const;
	for (const names of [
		['reuse', 'reedit', 'file', 'fixup'] as const,
		['message', 'reedit', 'reuse', 'file'] as const
	]) {
		const given = names.filter((name) => options.has(name)).map((name) => spellings[name]);
		if (given.length > 1) throw fatal(`options '${given[0]}' and '${given[1]}' cannot be used together`);
	}
	const kind = amendKind(options);
	if (kind !== undefined && options.has('message'))
		throw fatal(`options '-m' and '--fixup:${kind}' cannot be used together`);
}

/** Kind of `--fixup` that replaces the message of another commit. */
const amendKind = (options: MessageOptions): string | undefined =>
	/^(amend|reword):/.exec(options.get('fixup') ?? '')?.[1];

/** Options of {@link newMessage}. */
interface MessageHow {
	/** Runs the hook `commit-msg`. */
	verifies: boolean;
	/** Comments that explain the commit in the editor. */
	notes: (mode: Cleanup, mark: string) => string;
}

/**
 * Message of a new commit from the options, hooks and the editor; null if a hook rejects it.
 *
 * @throws GitError if the message is empty, or if an editor is needed and none is configured
 */
export function newMessage(git: Invocation, options: MessageOptions, draft: Draft, how: MessageHow): string | null {
	const { repository } = git;
	const mode = cleanupOf(repository, options);
	const mark = markFor(repository, draft.text);
	const isEdited = options.has('edit') || (draft.isEdited && !options.has('noEdit'));
	const editor = isEdited ? chosenEditor(git) : null;
	if (isEdited && editor === null && draft.text === '')
		throw new GitError('error: there is no editor here; give the message with -m "..." or -F <file>', 1);
	const begun = withTrailers(git, options, mode === 'verbatim' ? draft.text : cleanMessage(draft.text));
	const path = `${repository.gitDir}/COMMIT_EDITMSG`;
	repository.files.writeFile(path, encode(editor === null ? begun : `${begun}${how.notes(mode, mark)}`));
	if (!runHook(git, 'prepare-commit-msg', ['.git/COMMIT_EDITMSG', ...draft.source])) return null;
	if (editor !== null) editFile(git, editor, 'COMMIT_EDITMSG');
	if (how.verifies && !runHook(git, 'commit-msg', ['.git/COMMIT_EDITMSG'])) return null;
	const left = decode(repository.files.readFile(path));
	const shown = options.has('verbose') ? aboveScissors(left, mark) : left;
	// The list of conflicts is commented out, even if the message was not edited.
	const isCommented = editor !== null || (isEdited && draft.source[0] === 'merge');
	const message = cleanedUp(shown, mode, isCommented, mark);
	const isUntouched =
		draft.isTemplate && editor !== null && addsNothing(message, cleanedUp(draft.text, mode, true, mark));
	if (isUntouched && !options.has('allowEmptyMessage'))
		throw new GitError('Aborting commit; you did not edit the message.', 1);
	// With `verbatim`, a message of whitespace is allowed.
	const isEmpty = mode === 'verbatim' ? message === '' : isEmptyMessage(message);
	if (isEmpty && !options.has('allowEmptyMessage'))
		throw new GitError('Aborting commit due to empty commit message.', 1);
	const isAmend = amendKind(options) !== undefined && message.startsWith('amend! ');
	if (isAmend && bodyOf(message).trim() === '' && !options.has('allowEmptyMessage'))
		throw new GitError('Aborting commit due to empty commit message body.', 1);
	return message;
}

/** Returns whether a message adds nothing to a template except a sign-off. */
const addsNothing = (message: string, template: string): boolean =>
	message.startsWith(template) && isEmptyMessage(message.slice(template.length));

/** Comment characters; `core.commentChar=auto` selects the first one with which no line begins. */
const MARKS = '#;@!$%^&|:';

function markFor({ config }: Repository, text: string): string {
	if (config.get('core.commentchar')?.toLowerCase() !== 'auto') return commentMark(config);
	const starts = new Set(text.split('\n').map((line) => line[0]));
	const mark = [...MARKS].find((letter) => !starts.has(letter));
	if (mark === undefined)
		throw fatal('unable to select a comment character that is not used\nin the current commit message');
	return mark;
}

function cleanupOf({ config }: Repository, options: MessageOptions): Cleanup {
	const given = options.get('cleanup') ?? config.get('commit.cleanup') ?? 'default';
	const mode = CLEANUPS.find((one) => one === given);
	if (mode === undefined) throw fatal(`Invalid cleanup mode ${given}`);
	return mode;
}

function withTrailers(git: Invocation, options: MessageOptions, text: string): string {
	const { repository } = git;
	// Trailers go before a list of conflicts at the end.
	const [, said = text, conflicts = ''] = /^(.*?)(\n(?:# )?Conflicts:\n(?:#?\t.*\n?)*)$/s.exec(text) ?? [];
	const isSigned = options.has('signoff') && !options.has('noSignoff');
	const signed = isSigned ? withTrailer(said, signOff(repository), configuredTrailers(repository)) : said;
	const given = options.all('trailer').map((one) => ({ text: one, rules: {} }));
	return (given.length === 0 ? signed : new TrailerEditor(git).add(signed, given)) + conflicts;
}

/** Initial text of a message. @throws GitError if a file or commit does not exist */
export function draftOf(git: Invocation, options: MessageOptions): Draft {
	const squashed = options.get('squash');
	const draft = plainDraft(git, options);
	if (squashed === undefined) return draft;
	const { repository } = git;
	const isSame = (options.get('reuse') ?? options.get('reedit')) === squashed;
	const { message } = repository.commit(resolveCommit(repository, squashed));
	return { ...draft, text: `squash! ${isSame ? '' : `${subjectOf(message)}\n\n`}${draft.text}`, isTemplate: false };
}

function plainDraft(git: Invocation, options: MessageOptions): Draft {
	const { repository } = git;
	const said = options
		.all('message')
		.map((text) => (text.endsWith('\n') ? text : `${text}\n`))
		.join('\n');
	const fixed = options.get('fixup');
	if (fixed !== undefined) return fixupDraft(repository, fixed, said);
	if (options.has('message')) return { text: said, source: ['message'], isEdited: false };
	const file = options.get('file');
	if (file !== undefined) return { text: readText(git, file, 'log file'), source: ['message'], isEdited: false };
	const reused = options.get('reuse') ?? options.get('reedit');
	if (reused !== undefined || options.has('amend')) {
		const id = resolveCommit(repository, reused ?? 'HEAD');
		return {
			text: repository.commit(id).message,
			source: ['commit', reused === undefined ? 'HEAD' : reused],
			isEdited: !options.has('reuse')
		};
	}
	const merge = repository.note('MERGE_MSG');
	const squash = repository.note('SQUASH_MSG');
	if (merge !== null) return { text: (squash ?? '') + merge, source: ['merge'], isEdited: true };
	if (squash !== null) return { text: squash, source: ['squash'], isEdited: true };
	const template = options.get('template') ?? repository.config.get('commit.template');
	if (template === undefined) return { text: '', source: [], isEdited: true };
	const home = git.env['HOME'] ?? '/';
	const text = readText(git, template.replace(/^~(?=\/)/, home), 'template');
	return { text, source: ['template'], isEdited: true, isTemplate: true };
}

/** Message that makes `rebase --autosquash` combine the commit with the commit it fixes. */
function fixupDraft(repository: Repository, fixed: string, said: string): Draft {
	const [, kind, name = fixed] = /^(amend|reword):(.*)$/s.exec(fixed) ?? [];
	const { message } = repository.commit(resolveCommit(repository, name));
	const subject = subjectOf(message);
	if (kind === undefined) {
		const text = `fixup! ${subject}\n${said === '' ? '' : `\n${said}`}`;
		return { text, source: ['message'], isEdited: false };
	}
	// A message that starts with `amend!` repeats the fixed commit's subject; use only its body.
	const more = subject.startsWith('amend!') ? bodyOf(message) : message;
	return { text: `amend! ${subject}\n\n${more}`, source: ['message'], isEdited: true };
}

/** @throws GitError if the file does not exist */
function readText(git: Invocation, name: string, what: string): string {
	const { encoding } = newEncoding(git.repository.config);
	if (name === '-') return decodedMessage(git, encoding, git.input());
	const path = absolute(name, git.cwd);
	if (git.context.sync.statOrNull(path)?.kind !== 'file')
		throw fatal(`could not read ${what} '${name}': No such file or directory`);
	return decodedMessage(git, encoding, git.context.sync.readFile(path));
}

/** Decodes a message. Bytes that should be UTF-8 but are not are decoded as Latin-1, with a warning. */
function decodedMessage(git: Invocation, encoding: string | undefined, bytes: Uint8Array): string {
	if (bytes.includes(0))
		throw new GitError(
			'error: a NUL byte in commit log message not allowed.\nfatal: failed to write commit object',
			128
		);
	if (encoding !== undefined) return decodeAs(encoding, bytes);
	const text = binaryText(bytes).replace(UTF_8_LETTERS, (found) => {
		const letter = decode(binaryBytes(found));
		return NO_LETTER.test(letter) ? found : letter;
	});
	const isProper = equalBytes(encode(text), bytes);
	if (!isProper)
		git.err(
			'Warning: commit message did not conform to UTF-8.\n' +
				'You may want to amend it after fixing the message, or set the config\n' +
				'variable i18n.commitEncoding to the encoding your project uses.\n'
		);
	return text;
}

/** Valid multi-byte UTF-8 sequences, as binary text. */
const UTF_8_LETTERS =
	/[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}/g;
/** Unicode noncharacters. */
const NO_LETTER = /\p{Noncharacter_Code_Point}/u;
