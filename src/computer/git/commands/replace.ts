import { decode } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { failure, fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { requireFormat } from '../objects/object-format.ts';
import { objectId, type ObjectType } from '../objects/object.ts';
import { missingAsNull } from '../objects/store.ts';
import { taggedId } from '../objects/tag.ts';
import { modeText, serializeTree, typeOfMode } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { graftPath, replaceBase } from '../refs/replacements.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { parseTreeLine } from './mktree.ts';

const USAGE = `git replace [-f] <object> <replacement>
   or: git replace [-f] --edit <object>
   or: git replace [-f] --graft <commit> [<parent>...]
   or: git replace [-f] --convert-graft-file
   or: git replace -d <object>...
   or: git replace [--format=<format>] [-l [<pattern>]]`;
const MODES = ['list', 'delete', 'edit', 'graft', 'convert'] as const;
const SPELLINGS = { list: '-l', delete: '-d', edit: '-e', graft: '-g', convert: '--convert-graft-file' };

const misuse = (text: string): GitError => new GitError(`fatal: ${text}\n\nusage: ${USAGE}\n`, 129);

/** `git replace`: makes git read other objects in place of some. */
export const replace: Command = (git, args) => {
	const options = parseOptions(USAGE.slice('git '.length), args, {
		list: '-l --list',
		delete: '-d --delete',
		edit: '-e --edit',
		graft: '-g --graft',
		convert: '--convert-graft-file',
		force: '-f --force',
		raw: '--raw',
		format: '--format ='
	});
	const given = [...options.operands, ...(options.paths ?? [])];
	const [named, other] = MODES.filter((one) => options.has(one));
	if (named !== undefined && other !== undefined)
		throw failure(`${SPELLINGS[other]} is incompatible with ${SPELLINGS[named]}`, 129);
	const mode = named ?? (given.length === 0 ? 'list' : 'replace');
	if (options.has('format') && mode !== 'list') throw misuse('--format cannot be used when not listing');
	if (options.has('force') && (mode === 'list' || mode === 'delete'))
		throw misuse('-f only makes sense when writing a replacement');
	if (options.has('raw') && mode !== 'edit') throw misuse('--raw only makes sense with --edit');
	const isForced = options.has('force');
	const [first = '', second = ''] = given;
	switch (mode) {
		case 'list':
			if (given.length > 1) throw misuse('only one pattern can be given with -l');
			return list(git, given[0] ?? '*', options.get('format') ?? 'short');
		case 'delete':
			if (given.length === 0) throw misuse('-d needs at least one argument');
			return deleteAll(git, given);
		case 'edit':
			if (given.length !== 1) throw misuse('-e needs exactly one argument');
			return edit(git, first, isForced, options.has('raw'));
		case 'graft':
			if (given.length === 0) throw misuse('-g needs at least one argument');
			return graft(git, first, given.slice(1), { isForced, isGentle: false });
		case 'convert':
			if (given.length > 0) throw misuse('--convert-graft-file takes no argument');
			return convertGrafts(git, isForced);
		case 'replace':
			if (given.length !== 2) throw misuse('bad number of arguments');
			return replaceBy(
				git,
				[first, existing(git, first, unresolved)],
				[second, existing(git, second, unresolved)],
				isForced
			);
	}
};

const unresolved = (name: string): string => `failed to resolve '${name}' as a valid ref`;
const notAName = (name: string): string => `not a valid object name: '${name}'`;

/** Id of a named object. @throws GitError with a fault if there is none */
function existing({ repository }: Invocation, name: string, fault = notAName): string {
	const id = findRevision(repository, name);
	if (id === null) throw failure(fault(name), 255);
	return id;
}

const typeOf = ({ repository }: Invocation, id: string): string => repository.objects.find(id)?.type ?? '(null)';

function list(git: Invocation, pattern: string, format: string): number {
	if (format !== '' && !['short', 'medium', 'long'].includes(format))
		throw failure(`invalid replace format '${format}'\nvalid formats are 'short', 'medium' and 'long'`, 255);
	const base = replaceBase(git.repository);
	const isChosen = wildmatch(pattern, true);
	for (const { name, id } of git.repository.refs.list(base)) {
		const replaced = name.slice(base.length);
		if (!isChosen.test(replaced)) continue;
		if (format === 'medium') git.out(`${replaced} -> ${id}\n`);
		else if (format === 'long') git.out(`${replaced} (${typeOf(git, replaced)}) -> ${id} (${typeOf(git, id)})\n`);
		else git.out(`${replaced}\n`);
	}
	return 0;
}

function deleteAll(git: Invocation, names: readonly string[]): number {
	const { repository } = git;
	let code = 0;
	for (const name of names) {
		const id = findRevision(repository, name);
		const ref = `${replaceBase(repository)}${id ?? ''}`;
		if (id === null) git.err(`error: ${unresolved(name)}\n`);
		else if (repository.refs.resolve(ref) === null) git.err(`error: replace ref '${id}' not found\n`);
		else {
			repository.refs.delete(ref);
			git.out(`Deleted replace ref '${id}'\n`);
			continue;
		}
		code = 1;
	}
	return code;
}

/** @throws GitError if the object is replaced already, unless forced */
function requireUnreplaced({ repository }: Invocation, id: string, isForced: boolean): string {
	const ref = `${replaceBase(repository)}${id}`;
	if (!isForced && repository.refs.resolve(ref) !== null) throw failure(`replace ref '${ref}' already exists`, 255);
	return ref;
}

type Named = readonly [name: string, id: string];

/** Stores a replacement. @throws GitError if the types of the objects differ, unless forced */
function replaceBy(git: Invocation, [name, id]: Named, [newName, newId]: Named, isForced: boolean): number {
	const [type, newType] = [typeOf(git, id), typeOf(git, newId)];
	if (!isForced && type !== newType)
		throw failure(
			`Objects must be of the same type.\n'${name}' points to a replaced object of type '${type}'\n` +
				`while '${newName}' points to a replacement object of type '${newType}'.`,
			255
		);
	git.repository.refs.note(requireUnreplaced(git, id, isForced), newId);
	return 0;
}

/** Lets the user edit an object, and replaces it by the result. @param isRaw does not show a tree as lines */
function edit(git: Invocation, name: string, isForced: boolean, isRaw: boolean): number {
	const { repository } = git;
	const id = existing(git, name);
	const object = repository.objects.find(id);
	if (!object) throw failure(`unable to get object type for ${id}`, 255);
	requireUnreplaced(git, id, isForced);
	const isLines = object.type === 'tree' && !isRaw;
	const editor = chosenEditor(git);
	if (editor === null) throw fatal('Terminal is dumb, but EDITOR unset');
	const path = `${repository.gitDir}/REPLACE_EDITOBJ`;
	repository.files.writeFile(path, isLines ? binaryBytes(treeLines(git, id)) : object.content);
	try {
		editFile(git, editor, 'REPLACE_EDITOBJ');
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw new GitError(`${error.message}\nerror: editing object file failed`, 255);
	}
	const edited = repository.files.readFile(path);
	const content = isLines ? treeOfLines(git, decode(edited)) : edited;
	const newId = writeChecked(git, object.type, content);
	if (newId === id) throw failure(`new object is the same as the old one: '${id}'`, 255);
	return replaceBy(git, [name, id], ['replacement', newId], isForced);
}

const treeLines = ({ repository }: Invocation, id: string): string =>
	repository.objects
		.tree(id)
		.map(({ mode, id: entry, name }) => `${modeText(mode)} ${typeOfMode(mode)} ${entry}\t${quotePath(name)}\n`)
		.join('');

const treeOfLines = (git: Invocation, text: string): Uint8Array =>
	serializeTree(
		text
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => parseTreeLine(git, line, false, false))
	);

/** Writes an object. @throws GitError if its content is malformed */
function writeChecked({ repository }: Invocation, type: ObjectType, content: Uint8Array): string {
	requireFormat(type, content);
	return repository.objects.write(type, content);
}

/** Replaces a commit by one with other parents. @param isGentle accepts parents that the commit has already */
function graft(
	git: Invocation,
	name: string,
	parents: readonly string[],
	{ isForced, isGentle }: { isForced: boolean; isGentle: boolean }
): number {
	const { repository } = git;
	const id = peel(repository, existing(git, name), 'commit');
	if (id === null) throw failure(`could not parse ${name}`, 255);
	const ids = parents.map((parent) => {
		const found = peel(repository, existing(git, parent), 'commit');
		if (found === null) throw failure(`could not parse ${parent} as a commit`, 255);
		return found;
	});
	const text = binaryText(repository.objects.read(id, 'commit'));
	requireMergedTags(git, text, name, parents);
	const replaced = text.replace(/^(tree .*\n)(?:parent .*\n)*/, (_, tree: string) =>
		[tree, ...ids.map((parent) => `parent ${parent}\n`)].join('')
	);
	const unsigned = withoutSignature(replaced);
	if (unsigned !== replaced) {
		repository.warn(`the original commit '${name}' has a gpg signature`);
		repository.warn('the signature will be removed in the replacement commit!');
	}
	const newId = repository.objects.write('commit', binaryBytes(unsigned));
	if (newId !== id) return replaceBy(git, [name, id], ['replacement', newId], isForced);
	if (!isGentle) throw failure(`new commit is the same as the old one: '${id}'`, 255);
	repository.warn(`graft for '${id}' unnecessary`);
	return 0;
}

/** Header of a commit: its lines before the message. */
const headOf = (text: string): string => text.slice(0, text.indexOf('\n\n') + 1);

function withoutSignature(text: string): string {
	const head = headOf(text);
	return head.replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/gm, '') + text.slice(head.length);
}

/** @throws GitError if the commit quotes a tag whose target would not be a parent any more */
function requireMergedTags(git: Invocation, text: string, name: string, parents: readonly string[]): void {
	for (const [, first = '', more = ''] of headOf(text).matchAll(/^mergetag (.*\n)((?: .*\n)*)/gm)) {
		const tag = binaryBytes(first + more.replace(/^ /gm, ''));
		const target = taggedId(tag);
		if (parents.some((parent) => existing(git, parent) === target)) continue;
		const id = objectId('tag', tag);
		throw failure(
			`original commit '${name}' contains mergetag '${id}' that is discarded; use --edit instead of --graft`,
			255
		);
	}
}

/** Replaces commits as the file of grafts says, and removes it. */
function convertGrafts(git: Invocation, isForced: boolean): number {
	const { repository } = git;
	const path = graftPath(repository);
	const bytes = missingAsNull(() => repository.files.readFile(path));
	if (!bytes) {
		repository.warn(`unable to access '${path}': No such file or directory`);
		return 1;
	}
	const failed: string[] = [];
	for (const line of decode(bytes).split('\n')) {
		const [id, ...parents] = line.split(' ').filter(Boolean);
		if (line.startsWith('#') || id === undefined) continue;
		try {
			graft(git, id, parents, { isForced, isGentle: true });
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			git.err(`${error.message}\n`);
			failed.push(line);
		}
	}
	if (failed.length === 0) {
		repository.files.unlink(path);
		return 0;
	}
	repository.warn(`could not convert the following graft(s):\n${failed.map((line) => `\n\t${line}`).join('')}`);
	return 1;
}
