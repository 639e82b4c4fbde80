import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { fatal, GitError } from '../errors.ts';
import { cleanMessage, commentMark } from '../history/commit-message.ts';
import { formatDate } from '../history/dates.ts';
import type { Invocation } from '../invocation.ts';
import { serializeSignature, subjectOf } from '../objects/commit.ts';
import type { Options } from '../options.ts';
import { isRefName } from '../refs/ref-format.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** Options of `git tag` for creating a tag. */
export const TAG_CREATION_OPTIONS = {
	annotate: '-a --annotate',
	message: '-m --message =',
	file: '-F --file =',
	edit: '-e --edit',
	cleanup: '--cleanup =',
	force: '-f --force',
	sign: '-s --sign',
	noSign: '--no-sign',
	key: '-u --local-user =',
	createLog: '--create-reflog'
};

type CreationOptions = Options<keyof typeof TAG_CREATION_OPTIONS>;

/** Cleanup modes for the message of a tag. */
const CLEANUPS = ['strip', 'verbatim', 'whitespace'];

/** Creates a tag. @throws GitError if the name is invalid or already exists */
export function createTag(git: Invocation, options: CreationOptions): void {
	const { repository } = git;
	const { refs, config } = repository;
	const text = givenMessage(git, options);
	const [name = '', target = 'HEAD', more] = options.operands;
	if (more !== undefined) throw fatal('too many arguments');
	const object = findRevision(repository, target);
	if (object === null) throw fatal(`Failed to resolve '${target}' as a valid ref.`);
	const ref = `refs/tags/${name}`;
	if (name.startsWith('-') || !isRefName(ref)) throw fatal(`'${name}' is not a valid tag name.`);
	const before = refs.resolve(ref);
	if (before !== null && !options.has('force')) throw fatal(`tag '${name}' already exists`);
	const cleanup = options.get('cleanup') ?? 'strip';
	if (!CLEANUPS.includes(cleanup)) throw fatal(`Invalid cleanup mode ${cleanup}`);
	const signsAlways = config.flag('tag.gpgsign', false) && !options.has('noSign');
	const isSigned = options.has('sign') || options.has('key') || signsAlways;
	const isAnnotated = options.has('annotate') || text !== null || isSigned;
	const id = isAnnotated ? writeTag(git, { name, object, target, text, before, cleanup, isSigned }, options) : object;
	if (options.has('createLog')) refs.startReflog(ref);
	refs.update(ref, id, reflogText(git, object));
	if (before !== null && before !== id)
		git.out(`Updated tag '${name}' (was ${repository.objects.abbreviate(before)})\n`);
}

function givenMessage(git: Invocation, options: CreationOptions): string | null {
	const file = options.get('file');
	if (options.has('message') && file !== undefined) throw fatal("options '-F' and '-m' cannot be used together");
	if (options.has('message')) return options.all('message').join('\n\n');
	if (file === undefined) return null;
	if (file === '-') return decode(git.input());
	const path = absolute(file, git.cwd);
	const kind = git.context.sync.statOrNull(path)?.kind;
	if (kind !== 'file')
		throw fatal(
			`could not open or read '${file}': ${kind === 'directory' ? 'Is a directory' : 'No such file or directory'}`
		);
	return decode(git.context.sync.readFile(path));
}

interface NewTag {
	name: string;
	object: string;
	/** Name of the tagged object, as given. */
	target: string;
	/** Given message; null if there is none. */
	text: string | null;
	/** Previous target of the tag; null if the tag is new. */
	before: string | null;
	cleanup: string;
	isSigned: boolean;
}

function writeTag(git: Invocation, made: NewTag, options: CreationOptions): string {
	const { repository } = git;
	const { name, object, target, text, cleanup } = made;
	const type = repository.objects.find(object)?.type;
	if (type === undefined) throw fatal('bad object type.');
	if (type === 'tag' && repository.config.flag('advice.nestedtag', true)) git.err(nestedAdvice(name, target));
	const mark = commentMark(repository.config);
	const isEdited = text === null || options.has('edit');
	const whole = isEdited ? edited(git, made, mark) : text;
	const message = cleanup === 'verbatim' ? whole : cleanMessage(whole, cleanup === 'strip', mark);
	if (text === null && message === '') throw fatal('no tag message?');
	if (made.isSigned) throw new GitError('error: gpg failed to sign the data\nerror: unable to sign the tag', 128);
	const who = serializeSignature(repository.committer());
	const head = `object ${object}\ntype ${type}\ntag ${name}\ntagger ${who}\n\n`;
	const id = repository.objects.write('tag', encode(head + message));
	if (isEdited) repository.files.remove(`${repository.gitDir}/TAG_EDITMSG`, { force: true });
	return id;
}

/** Text from the editor, which starts with the given message or the message of the replaced tag. */
function edited(git: Invocation, { name, text, before, cleanup }: NewTag, mark: string): string {
	const editor = chosenEditor(git);
	if (editor === null) throw fatal('there is no editor here; give the message with -m "..."');
	const fate = cleanup === 'strip' ? 'ignored.' : 'kept; you may remove them yourself if you want to.';
	const hints = ['', ' Write a message for tag:', `   ${name}`, ` Lines starting with '${mark}' will be ${fate}`];
	const template = `\n${hints.map((line) => `${mark}${line}\n`).join('')}`;
	const old = before === null ? null : messageOf(git.repository, before);
	try {
		return editFile(git, editor, 'TAG_EDITMSG', text ?? old ?? (before === null ? template : ''));
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw new GitError(`${error.message}\nPlease supply the message using either -m or -F option.`, 1);
	}
}

/** Message of a tag object without its signature; null if the object is not a tag. */
function messageOf(repository: Repository, id: string): string | null {
	const object = repository.objects.find(id);
	if (object?.type !== 'tag') return null;
	const content = decode(object.content);
	const message = content.slice(content.indexOf('\n\n') + 2);
	const signature = message.search(/^-----BEGIN [A-Z]+ (?:SIGNATURE|MESSAGE)-----$/m);
	return signature < 0 ? message : message.slice(0, signature);
}

const nestedAdvice = (name: string, target: string): string =>
	[
		'You have created a nested tag. The object referred to by your new tag is',
		'already a tag. If you meant to tag the object that it points to, use:',
		'',
		`\tgit tag -f ${name} ${target}^{}`,
		'Disable this message with "git config advice.nestedTag false"'
	]
		.map((line) => `hint: ${line}\n`)
		.join('');

function reflogText({ repository, env }: Invocation, id: string): string {
	const action = env['GIT_REFLOG_ACTION'] ?? `tag: tagging ${repository.objects.abbreviate(id)}`;
	const type = repository.objects.find(id)?.type;
	if (type === 'commit') {
		const { message, committer } = repository.commit(id);
		return `${action} (${subjectOf(message)}, ${formatDate({ ...committer, offsetMinutes: 0 }, 'short', 0)})`;
	}
	return `${action} (${type === 'tag' ? 'other tag' : type} object)`;
}
