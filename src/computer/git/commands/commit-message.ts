import { absolute } from '#computer/abi/paths.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { fatal, GitError } from '../errors.ts';
import { cleanMessage } from '../history/commit-message.ts';
import { signOff, withTrailer } from '../history/trailers.ts';
import type { Invocation } from '../invocation.ts';
import { decodeAs, newEncoding, subjectOf, type Commit } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';

export const MESSAGE_OPTIONS = {
	message: '-m --message =',
	file: '-F --file =',
	noEdit: '--no-edit',
	reuse: '-C --reuse-message =',
	fixup: '--fixup =',
	squash: '--squash =',
	signoff: '-s --signoff',
	noSignoff: '--no-signoff',
	trailer: '--trailer =',
	cleanup: '--cleanup ='
};

/**
 * Message of a new commit, according to the options.
 * @param reused the commit `--amend` or `-C` takes it from
 * @throws GitError where git would open an editor: there is none here
 */
export function newMessage(
	git: Invocation,
	options: Options<keyof typeof MESSAGE_OPTIONS>,
	reused: Commit | null
): string {
	const mode = options.get('cleanup') ?? 'whitespace';
	if (!['strip', 'whitespace', 'verbatim', 'scissors', 'default'].includes(mode)) {
		throw fatal(`Invalid cleanup mode ${mode}`);
	}
	const clean = (text: string) => (mode === 'verbatim' ? text : cleanMessage(text, mode === 'strip'));
	let message = clean(rawMessage(git, options, reused));
	const trailers = options.all('trailer').map((text) => text.replace(/^([\w-]+)[=:]\s*/, '$1: '));
	if (options.has('signoff') && !options.has('noSignoff')) {
		trailers.push(signOff(git.repository));
	}
	for (const trailer of trailers) message = withTrailer(message, trailer);
	return message;
}

const EDITOR_HINT = `
# Please enter the commit message for your changes. Lines starting
# with '#' will be ignored, and an empty message aborts the commit.
`;

function rawMessage(git: Invocation, options: Options<keyof typeof MESSAGE_OPTIONS>, reused: Commit | null): string {
	const { repository } = git;
	const given = options.all('message');
	const paragraphs = given.map((text) => text.trimEnd()).join('\n\n');
	const subject = (text: string) => subjectOf(repository.commit(resolveCommit(repository, text)).message);
	const fixup = options.get('fixup');
	if (fixup?.includes(':')) throw fatal(`there is no editor here, and --fixup=${fixup} needs one`);
	if (fixup !== undefined) return `fixup! ${subject(fixup)}\n${given.length > 0 ? `\n${paragraphs}` : ''}`;
	const squash = options.get('squash');
	if (squash !== undefined) return `squash! ${subject(squash)}\n${given.length > 0 ? `\n${paragraphs}` : ''}`;
	if (given.length > 0) return paragraphs;
	const file = options.get('file');
	if (file !== undefined) {
		if (file === '-') return decodeAs(newEncoding(repository.config).encoding, git.input());
		const path = absolute(file, git.cwd);
		if (git.context.sync.statOrNull(path)?.kind !== 'file') {
			throw fatal(`could not read log file '${file}': No such file or directory`);
		}
		return decodeAs(newEncoding(repository.config).encoding, git.context.sync.readFile(path));
	}
	const amends = reused && !options.has('reuse');
	const editor = options.has('noEdit') || (reused && !amends) ? null : chosenEditor(git);
	if (reused && editor === null) return reused.message;
	const prepared = repository.note('MERGE_MSG') ?? repository.note('SQUASH_MSG');
	if (editor !== null) {
		const text = reused?.message ?? prepared ?? '';
		return cleanMessage(editFile(git, editor, 'COMMIT_EDITMSG', `${text.trimEnd()}\n${EDITOR_HINT}`), true);
	}
	// Without an editor git leaves the list of conflicts in, as comments.
	if (prepared !== null) return options.has('noEdit') ? prepared : cleanMessage(prepared, true);
	throw new GitError('error: there is no editor here; give the message with -m "..." or -F <file>', 1);
}
