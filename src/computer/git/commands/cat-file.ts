import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { modeText, parseTree, typeOfMode } from '../objects/tree.ts';
import { OBJECT_TYPES } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision, peel, notAnObject } from '../refs/revision.ts';
import { batchObjects } from './cat-file-batch.ts';
import { mappedHeads, worktreeForm, type ContentForm } from './object-content.ts';

const USAGE = 'cat-file (-t | -s | -e | -p | <type> | --textconv | --filters) <object>';
const BATCH_MODES = ['batch', 'batchCheck', 'batchCommand'] as const;
const SPELLINGS = { type: '-t', size: '-s', exists: '-e', print: '-p', textconv: '--textconv', filters: '--filters' };
type Mode = keyof typeof SPELLINGS;
const MODES = Object.keys(SPELLINGS) as Mode[];

const misuse = (text: string): GitError => new GitError(`fatal: ${text}\n\nusage: git ${USAGE}`, 129);

/** `git cat-file`: prints objects as they are stored, either one by name or those requested on stdin. */
export const catFile: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		...SPELLINGS,
		path: '--path =',
		batch: '--batch ?',
		batchCheck: '--batch-check ?',
		batchCommand: '--batch-command ?',
		all: '--batch-all-objects',
		buffer: '--buffer !',
		unordered: '--unordered',
		follow: '--follow-symlinks',
		zero: '-z',
		mailmap: '--mailmap --use-mailmap !',
		allowsUnknown: '--allow-unknown-type'
	});
	const operands = [...options.operands, ...(options.paths ?? [])];
	const modes = MODES.filter((mode) => options.has(mode));
	const [mode] = modes;
	const isAll = options.has('all');
	const named = [...modes.map((one) => SPELLINGS[one]), ...(isAll ? ['--batch-all-objects'] : [])];
	if (named.length > 1) throw new GitError(`error: ${named[1]} is incompatible with ${named[0]}`, 129);
	const isConverted = mode === 'textconv' || mode === 'filters';
	const path = options.get('path');
	if (path !== undefined && !isConverted) throw misuse("'--path=<path|tree-ish>' needs '--filters' or '--textconv'");
	const allowsUnknown = options.has('allowsUnknown');
	if (allowsUnknown && mode !== 'type' && mode !== 'size')
		throw fatal('git cat-file --allow-unknown-type: use with -s or -t');
	const batches = BATCH_MODES.filter((one) => options.has(one));
	const isMapped = options.has('mailmap');
	if (batches.length > 1) throw new GitError('error: only one batch option may be specified', 129);
	const [batch] = batches;
	if (batch === undefined) {
		for (const [name, spelling] of [
			['follow', '--follow-symlinks'],
			['buffer', '--buffer'],
			['all', '--batch-all-objects'],
			['zero', '-z']
		] as const)
			if (options.has(name)) throw misuse(`'${spelling}' requires a batch mode`);
		return showOne(git, mode, operands, { path, isMapped, allowsUnknown });
	}
	if (mode !== undefined && !isConverted) throw misuse(`'${SPELLINGS[mode]}' is incompatible with batch mode`);
	if (operands.length > 0) throw misuse('batch modes take no arguments');
	return batchObjects(git, {
		shows: batch === 'batch' ? 'contents' : batch === 'batchCheck' ? 'info' : 'commanded',
		format: options.get(batch) || null,
		form: isConverted ? mode : isMapped ? 'mapped' : 'plain',
		isAll,
		isBuffered: options.isTakenBack('buffer') ? false : options.has('buffer') || isAll,
		followsLinks: options.has('follow'),
		end: options.has('zero') ? '\0' : '\n'
	});
};

function showOne(
	git: Invocation,
	mode: Mode | undefined,
	operands: readonly string[],
	{ path, isMapped, allowsUnknown }: { path: string | undefined; isMapped: boolean; allowsUnknown: boolean }
): number {
	const [first, second] = operands;
	if (mode === undefined) {
		if (first === undefined) throw new GitError(`usage: git ${USAGE}`, 129);
		if (second === undefined || operands.length > 2)
			throw misuse(`only two arguments allowed in <type> <object> mode, not ${operands.length}`);
		return showTyped(git, first, second, isMapped);
	}
	if (first === undefined)
		throw misuse(
			mode === 'textconv' || mode === 'filters'
				? `<rev> required with '${SPELLINGS[mode]}'`
				: `<object> required with '${SPELLINGS[mode]}'`
		);
	if (operands.length > 1) throw misuse('too many arguments');
	const { objects } = git.repository;
	const id = findRevision(git.repository, first);
	if (id === null) throw notAnObject(git.repository, first);
	if (mode === 'exists') return objects.has(id) || objects.find(id) ? 0 : 1;
	const missing =
		mode === 'type' || mode === 'size' ? 'git cat-file: could not get object info' : `Not a valid object name ${first}`;
	const object = unknownObject(git, id, allowsUnknown, missing) ?? objects.find(id);
	if (!object) throw fatal(missing);
	if (mode === 'type') git.out(`${object.type}\n`);
	else if (mode === 'size') git.out(`${object.content.length}\n`);
	else if (mode === 'print') printObject(git, id, isMapped);
	else printConverted(git, id, mode, path ?? pathNamed(first));
	return 0;
}

/** Length that the header of a loose object has to stay below, unless unknown types are allowed. */
const HEAD_BYTES = 32;

/** Loose object of an unknown type; null for any other object. @throws GitError if unknown types are not allowed */
function unknownObject(git: Invocation, id: string, allowsUnknown: boolean, missing: string) {
	const raw = git.repository.objects.rawLoose(id);
	if (!raw || OBJECT_TYPES.some((known) => known === raw.type)) return null;
	if (allowsUnknown) return raw;
	if (`${raw.type} ${raw.content.length}`.length < HEAD_BYTES) throw fatal('invalid object type');
	throw new GitError(`error: header for ${id} too long, exceeds ${HEAD_BYTES} bytes\nfatal: ${missing}`, 128);
}

/** Path in `<rev>:<path>`. @throws GitError if the name has no path */
function pathNamed(name: string): string {
	const [, path] = /^[^:]*:(.+)$/s.exec(name) ?? [];
	if (path === undefined) throw fatal(`<object>:<path> required, only <object> '${name}' given`);
	return path;
}

function printConverted(git: Invocation, id: string, form: ContentForm, path: string): void {
	if (git.repository.objects.find(id)?.type === 'blob') git.out(worktreeForm(git.repository, id, path, form));
	else printObject(git, id, false);
}

function printObject(git: Invocation, id: string, isMapped: boolean): void {
	const { type, content } = git.repository.objects.find(id)!;
	if (type !== 'tree') {
		git.out(isMapped ? mappedHeads(git.repository, type, content) : content);
		return;
	}
	for (const { mode, name, id: entry } of parseTree(content))
		git.out(`${modeText(mode)} ${typeOfMode(mode)} ${entry}\t${quotePath(name)}\n`);
}

/** Prints an object as the given type, peeling it if necessary: a commit to its tree, for example. */
function showTyped(git: Invocation, type: string, name: string, isMapped: boolean): number {
	const { repository } = git;
	const wanted = OBJECT_TYPES.find((known) => known === type);
	if (!wanted) throw fatal(`invalid object type "${type}"`);
	const id = findRevision(repository, name);
	if (id === null) throw notAnObject(repository, name);
	const found = repository.objects.find(id);
	const target = found?.type === wanted || wanted === 'tag' ? id : found && peel(repository, id, wanted);
	const object = target === null ? null : repository.objects.find(target);
	if (object?.type !== wanted) throw fatal(`git cat-file ${name}: bad file`);
	git.out(isMapped ? mappedHeads(repository, wanted, object.content) : object.content);
	return 0;
}
