import { capturedOutput } from '../captured-output.ts';
import { absolute } from '#computer/abi/paths.ts';
import { binaryBytes, binaryText, nameText } from '../diff/lines.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { cleanMessage, commentMark } from '../history/commit-message.ts';
import { inputLines } from '../input-lines.ts';
import { Invocation, type Command } from '../invocation.ts';
import { noteContent, overwrite } from '../notes/combine.ts';
import { openNotes, readNotes, type NotesTree } from '../notes/notes-tree.ts';
import { fullNotesRef, notesRef } from '../notes/notes-refs.ts';
import { copyRewrittenNotes } from '../notes/rewrite-notes.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision } from '../refs/revision.ts';
import { notesMerge } from './notes-merge.ts';
import { show } from './show.ts';

const USAGE = 'notes [--ref <notes-ref>] [list [<object>]]';

/** `git notes`: manages texts attached to objects and stored separately. */
export const notes: Command = (git, args) => {
	const left = [...args];
	let ref: string | undefined;
	while (left[0]?.startsWith('--ref')) {
		const [, value] = /^--ref=(.*)$/s.exec(left[0]) ?? [];
		if (value === undefined && left[0] !== '--ref') break;
		ref = value ?? left[1];
		left.splice(0, value === undefined ? 2 : 1);
		if (ref === undefined) throw new GitError("error: option `ref' requires a value", 129);
	}
	const [word, ...rest] = left;
	const env = ref === undefined ? git.env : { ...git.env, GIT_NOTES_REF: fullNotesRef(ref) };
	const named =
		env === git.env ? git : new Invocation(git.context, git.cwd, git.surroundings.overrides, env, git.isBareAsked);
	const command = SUBCOMMANDS[word ?? 'list'];
	if (!command) {
		if (word?.startsWith('-')) parseOptions(USAGE, left, { ref: '--ref =' });
		throw new GitError(`error: unknown subcommand: \`${word}'\nusage: git ${USAGE}`, 129);
	}
	const code = command(named, rest);
	named.flush();
	return code;
};

const SUBCOMMANDS: Record<string, Command> = {
	list: (git, args) => list(git, args),
	add: (git, args) => add(git, args),
	copy: (git, args) => copy(git, args),
	append: (git, args) => change(git, 'append', args),
	edit: (git, args) => change(git, 'edit', args),
	show: (git, args) => showNote(git, args),
	merge: notesMerge,
	remove: (git, args) => remove(git, args),
	prune: (git, args) => prune(git, args),
	'get-ref': (git, args) => {
		operandsOf(parseOptions('notes get-ref', args, {}), 'notes get-ref', 0);
		git.out(`${notesRef(git.repository)}\n`);
		return 0;
	}
};

const CONTENT_OPTIONS = {
	message: '-m --message =',
	file: '-F --file =',
	reedit: '-c --reedit-message =',
	reuse: '-C --reuse-message =',
	allowEmpty: '--allow-empty',
	force: '-f --force'
};
type ContentOptions = Options<keyof typeof CONTENT_OPTIONS>;

function operandsOf(options: { operands: string[]; paths: string[] | null }, usage: string, most: number): string[] {
	const given = [...options.operands, ...(options.paths ?? [])];
	if (given.length > most) throw new GitError(`error: too many arguments\nusage: git ${usage}`, 129);
	return given;
}

/** @throws GitError if the name does not resolve to an object */
function objectNamed({ repository }: Invocation, name: string): string {
	const id = findRevision(repository, name);
	if (id === null) throw fatal(`failed to resolve '${name}' as a valid ref.`);
	return id;
}

/** Notes of the selected ref. @throws GitError if the ref is outside `refs/notes/` */
function notesFor({ repository }: Invocation, verb: string, isChanged: boolean): NotesTree {
	const ref = notesRef(repository);
	const found = isChanged ? openNotes(repository, ref) : readNotes(repository, ref);
	if (!ref.startsWith('refs/notes/')) throw fatal(`refusing to ${verb} notes in ${ref} (outside of refs/notes/)`);
	return found;
}

function list(git: Invocation, args: string[]): number {
	const [name] = operandsOf(parseOptions(USAGE, args, {}), USAGE, 1);
	const found = notesFor(git, 'list', false);
	if (name === undefined) {
		for (const [object, note] of found.entries()) git.out(`${note} ${object}\n`);
		return 0;
	}
	git.out(`${noteOn(git, found, name)}\n`);
	return 0;
}

function showNote(git: Invocation, args: string[]): number | Promise<number> {
	const [name = 'HEAD'] = operandsOf(parseOptions('notes show [<object>]', args, {}), 'notes show [<object>]', 1);
	objectNamed(git, name);
	return show(git, [noteOn(git, notesFor(git, 'show', false), name)]);
}

/** @throws GitError if the object has no note */
function noteOn(git: Invocation, found: NotesTree, name: string): string {
	const object = objectNamed(git, name);
	const note = found.get(object);
	if (note === undefined) throw failure(`no note found for object ${object}.`);
	return note;
}

function add(git: Invocation, args: string[]): number {
	const usage = 'notes add [<options>] [<object>]';
	const options = parseOptions(usage, args, CONTENT_OPTIONS);
	const given = givenText(git, options);
	const [name = 'HEAD'] = operandsOf(options, usage, 1);
	const object = objectNamed(git, name);
	const found = notesFor(git, 'add', true);
	const old = found.get(object);
	if (old !== undefined && !options.has('force')) {
		if (given === null) return change(git, 'edit', args);
		throw failure(`Cannot add notes. Found existing notes for object ${object}. Use '-f' to overwrite existing notes`);
	}
	if (old !== undefined) git.err(`Overwriting existing notes for object ${object}\n`);
	const text = finalText(git, options, object, given, old);
	keep(git, found, { object, text, verb: 'add', isEmptyKept: options.has('allowEmpty') });
	return 0;
}

/** Runs `append` or `edit`. */
function change(git: Invocation, verb: 'append' | 'edit', args: string[]): number {
	const usage = verb === 'edit' ? 'notes edit [<object>]' : 'notes append [<options>] [<object>]';
	const { force: _, ...spec } = CONTENT_OPTIONS;
	const options = parseOptions(usage, args, spec);
	const given = givenText(git, options);
	const [name = 'HEAD'] = operandsOf(options, usage, 1);
	if (given !== null && verb === 'edit')
		git.err(
			"The -m/-F/-c/-C options have been deprecated for the 'edit' subcommand.\nPlease use 'git notes add -f -m/-F/-c/-C' instead.\n"
		);
	const object = objectNamed(git, name);
	const found = notesFor(git, verb, true);
	const old = found.get(object);
	const added = finalText(git, options, object, given, verb === 'edit' ? old : undefined);
	const before = old !== undefined && verb === 'append' ? noteContent(git.repository.objects, old) : null;
	const text = before ? `${binaryText(before)}${added === '' ? '' : `\n${added}`}` : added;
	keep(git, found, { object, text, verb, isEmptyKept: options.has('allowEmpty') });
	return 0;
}

/** Stores a note, or removes it if the text is empty. */
function keep(
	git: Invocation,
	found: NotesTree,
	{ object, text, verb, isEmptyKept }: { object: string; text: string; verb: string; isEmptyKept: boolean }
): void {
	if (text === '' && !isEmptyKept) {
		git.err(`Removing note for object ${object}\n`);
		found.remove(object);
		found.commit(`Notes removed by 'git notes ${verb}'`);
		return;
	}
	found.add(object, git.repository.objects.write('blob', binaryBytes(text)), overwrite);
	found.commit(`Notes added by 'git notes ${verb}'`);
}

/** Text given by the options, as binary text; null if none. @throws GitError if a file or note cannot be read */
function givenText(git: Invocation, options: Omit<ContentOptions, 'force'>): string | null {
	let text: string | null = null;
	for (const { name, value } of options.inOrder('message', 'file', 'reedit', 'reuse')) {
		const before: string = text === null || text === '' ? '' : `${text}\n`;
		if (name === 'message') text = cleanMessage(before + nameText(value));
		else if (name === 'file') text = cleanMessage(before + binaryText(fileContent(git, value)));
		else text = before + binaryText(noteNamed(git, value));
	}
	return text;
}

function fileContent(git: Invocation, file: string): Uint8Array {
	if (file === '-') return git.input();
	const path = absolute(file, git.cwd);
	if (git.context.sync.statOrNull(path)?.kind !== 'file')
		throw fatal(`could not open or read '${file}': No such file or directory`);
	return git.context.sync.readFile(path);
}

function noteNamed(git: Invocation, name: string): Uint8Array {
	const object = git.repository.objects.find(objectNamed(git, name));
	if (!object) throw fatal(`failed to read object '${name}'.`);
	if (object.type !== 'blob') throw fatal(`cannot read note data from non-blob object '${name}'.`);
	return object.content;
}

/**
 * Text of a note, from the editor if none is given or it is to be edited.
 *
 * @throws GitError if no editor is configured
 */
function finalText(
	git: Invocation,
	options: Omit<ContentOptions, 'force'>,
	object: string,
	given: string | null,
	old: string | undefined
): string {
	if (given !== null && !options.has('reedit')) return given;
	const { repository } = git;
	const editor = chosenEditor(git);
	const missing = fatal('please supply the note contents using either -m or -F option');
	if (editor === null) throw missing;
	const mark = commentMark(repository.config);
	const start =
		given ?? (old === undefined ? '' : binaryText(noteContent(repository.objects, old) ?? new Uint8Array()));
	const comment = (text: string) => text.replace(/^(?!$)/gm, `${mark} `).replace(/^$(?=\n)/gm, mark);
	const about = comment(`\nWrite/edit the notes for the following object:\n\n${shownObject(git, object)}`);
	const path = `${repository.gitDir}/NOTES_EDITMSG`;
	repository.files.writeFile(path, binaryBytes(`${start}\n${about}`));
	try {
		editFile(git, editor, 'NOTES_EDITMSG');
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw new GitError(`${error.message}\n${missing.message}`, missing.code);
	}
	const edited = binaryText(repository.files.readFile(path));
	repository.files.remove(path, { force: true });
	return cleanMessage(edited, true, mark);
}

/** Output of `show` for an object with a diffstat, as binary text. */
const shownObject = (git: Invocation, object: string): string =>
	capturedOutput(git, show, ['--stat', '--no-notes', object]);

function copy(git: Invocation, args: string[]): number {
	const usage = 'notes copy [<options>] <from-object> <to-object>';
	const options = parseOptions(usage, args, { force: '-f --force', stdin: '--stdin', rewrite: '--for-rewrite =' });
	const isRead = options.has('stdin') || options.has('rewrite');
	const [from, to = 'HEAD'] = operandsOf(options, usage, isRead ? 0 : 2);
	if (isRead) return copyFromInput(git, options.get('rewrite') ?? null, options.has('force'));
	if (from === undefined) throw new GitError(`error: too few arguments\nusage: git ${usage}`, 129);
	const source = objectNamed(git, from);
	const object = objectNamed(git, to);
	const found = notesFor(git, 'copy', true);
	if (found.get(object) !== undefined) {
		if (!options.has('force'))
			throw failure(
				`Cannot copy notes. Found existing notes for object ${object}. Use '-f' to overwrite existing notes`
			);
		git.err(`Overwriting existing notes for object ${object}\n`);
	}
	const note = found.get(source);
	if (note === undefined) throw failure(`missing notes on source object ${source}. Cannot copy.`);
	found.add(object, note, overwrite);
	found.commit("Notes added by 'git notes copy'");
	return 0;
}

/**
 * Copies notes between pairs of objects read from stdin, one pair per line.
 *
 * @param rewrite command whose `notes.rewrite` settings apply
 */
function copyFromInput(git: Invocation, rewrite: string | null, isForced: boolean): number {
	const pairs: { line: string; pair: [string, string] }[] = [];
	for (const line of inputLines(git)) {
		const [from = '', to] = line.trimEnd().split(' ');
		if (to === undefined) throw fatal(`malformed input line: '${line}'.`);
		pairs.push({ line: `'${from}' to '${to}'`, pair: [objectNamed(git, from), objectNamed(git, to)] });
	}
	const message = "Notes added by 'git notes copy'";
	if (rewrite !== null) {
		const rewritten = pairs.map(({ pair }) => pair);
		copyRewrittenNotes(git.repository, rewrite, rewritten, message);
		return 0;
	}
	const found = openNotes(git.repository, notesRef(git.repository));
	let code = 0;
	for (const { line, pair } of pairs) {
		const [from, to] = pair;
		const note = found.get(from);
		if (found.get(to) !== undefined && !isForced) {
			git.err(`error: failed to copy notes from ${line}\n`);
			code = 1;
		} else if (note !== undefined) found.add(to, note, overwrite);
		else if (found.get(to) !== undefined) found.remove(to);
	}
	found.commit(message);
	return code;
}

function remove(git: Invocation, args: string[]): number {
	const options = parseOptions('notes remove [<object>]', args, {
		ignoreMissing: '--ignore-missing',
		stdin: '--stdin'
	});
	const given = [...options.operands, ...(options.paths ?? [])];
	const found = notesFor(git, 'remove', true);
	let code = 0;
	const take = (name: string): void => {
		const id = findRevision(git.repository, name);
		if (id === null) {
			git.err(`error: Failed to resolve '${name}' as a valid ref.\n`);
			code = 1;
		} else if (found.remove(id)) git.err(`Removing note for object ${name}\n`);
		else {
			git.err(`Object ${name} has no note\n`);
			if (!options.has('ignoreMissing')) code = 1;
		}
	};
	if (given.length === 0 && !options.has('stdin')) take('HEAD');
	for (const name of given) take(name);
	if (options.has('stdin')) for (const line of inputLines(git)) take(line.trimEnd());
	if (code === 0) found.commit("Notes removed by 'git notes remove'");
	return code;
}

/** Removes notes of objects that no longer exist. */
function prune(git: Invocation, args: string[]): number {
	const usage = 'notes prune [<options>]';
	const options = parseOptions(usage, args, { dryRun: '-n --dry-run', verbose: '-v --verbose' });
	operandsOf(options, usage, 0);
	const found = notesFor(git, 'prune', true);
	const gone = found.entries().filter(([object]) => !git.repository.objects.has(object));
	for (const [object] of gone.reverse()) {
		if (options.has('verbose') || options.has('dryRun')) git.out(`${object}\n`);
		found.remove(object);
	}
	if (!options.has('dryRun')) found.commit("Notes removed by 'git notes prune'");
	return 0;
}
