import { sha1 } from '#environment/sha1.ts';
import { decode, encode, toHex } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { FsckObjects, FSCK_CODES } from '../history/fsck-objects.ts';
import { indexedIds } from '../history/reachable-objects.ts';
import type { Command, Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision } from '../refs/revision.ts';
import { linkedTrees } from '../worktree/linked.ts';
import { findPackFault } from './verify-pack.ts';

const USAGE =
	'fsck [--tags] [--root] [--unreachable] [--cache] [--no-reflogs] [--[no-]full] [--strict] [--verbose] [--lost-found] ' +
	'[--[no-]dangling] [--[no-]progress] [--connectivity-only] [--[no-]name-objects] [<object>...]';

const OPTIONS = {
	tags: '--tags !',
	root: '--root !',
	unreachable: '--unreachable !',
	cache: '--cache !',
	reflogs: '--reflogs !',
	// Ignored: all packs are always checked.
	full: '--full !',
	strict: '--strict !',
	verbose: '-v --verbose !',
	lostFound: '--lost-found !',
	dangling: '--dangling !',
	progress: '--progress !',
	connectivity: '--connectivity-only !',
	names: '--name-objects !'
};

type FsckOptions = Options<keyof typeof OPTIONS>;

/** `git fsck`: checks that objects are valid and that all objects named by them and by refs exist. */
export const fsck: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const { repository } = git;
	repository.objects.fetchNothing();
	const checking = new FsckObjects(repository, git, {
		isStrict: options.has('strict'),
		isConnectivityOnly: options.has('connectivity'),
		isNamed: options.has('names'),
		showsRoots: options.has('root'),
		showsTags: options.has('tags')
	});
	checkHeads(git, checking);
	checkPacks(git, checking);
	checking.check();
	const named = [...options.operands, ...(options.paths ?? [])];
	for (const name of named) reachNamed(git, checking, name);
	if (named.length === 0) {
		reachReferences(git, checking);
		if (!options.isTakenBack('reflogs')) reachReflogs(git, checking);
	}
	checkIndexFile(git);
	if (named.length === 0 || options.has('cache'))
		for (const { id, path } of indexedIds(repository)) checking.reach(id, `:${path}`, path === '' ? 'tree' : 'blob');
	checking.printMissing();
	printUnreachable(git, checking, options);
	return checking.code;
};

function reachNamed(git: Invocation, checking: FsckObjects, name: string): void {
	const id = findRevision(git.repository, name);
	if (id === null) {
		git.err(`error: invalid parameter: expected sha1, got '${name}'\n`);
		checking.code |= FSCK_CODES.object;
	} else if (checking.has(id)) checking.reach(id, name);
	else if (!checking.isPromised(id)) {
		git.err(`error: ${id}: object missing\n`);
		checking.code |= FSCK_CODES.object;
	}
}

/** Checks HEAD of each worktree. */
function checkHeads(git: Invocation, checking: FsckObjects): void {
	const { repository } = git;
	const { files, objects } = repository;
	for (const { gitDir, branch } of linkedTrees(repository)) {
		const isOwn = gitDir === repository.gitDir;
		const name = isOwn
			? 'HEAD'
			: gitDir === repository.commonDir
				? 'main-worktree/HEAD'
				: `worktrees/${gitDir.slice(gitDir.lastIndexOf('/') + 1)}/HEAD`;
		const text = decode(missingAsNull(() => files.readFile(`${gitDir}/HEAD`)) ?? new Uint8Array(0)).trim();
		const fail = (message: string, code: number): void => {
			git.err(`error: ${message}\n`);
			checking.code |= code;
		};
		if (branch !== null && !branch.startsWith('refs/heads/'))
			fail(`${name} points to something strange (${branch})`, FSCK_CODES.refs);
		else if (branch !== null) {
			if (repository.refs.resolve(branch) === null && isOwn)
				git.err(`notice: ${name} points to an unborn branch (${branch.slice('refs/heads/'.length)})\n`);
		} else if (text === NULL_ID) fail(`${name}: detached HEAD points at nothing`, FSCK_CODES.refs);
		else if (!objects.has(text) && !checking.isPromised(text))
			fail(`${name}: invalid sha1 pointer ${text}`, FSCK_CODES.reachable);
	}
}

function reachReferences(git: Invocation, checking: FsckObjects): void {
	const { repository } = git;
	const refs = repository.refs.list('refs/');
	for (const { name, id } of refs) {
		if (!checking.has(id)) {
			if (checking.isPromised(id)) continue;
			git.err(`error: ${name}: invalid sha1 pointer ${id}\n`);
			checking.code |= FSCK_CODES.reachable;
			continue;
		}
		if (name.startsWith('refs/heads/') && checking.typeOf(id) !== 'commit') {
			git.err(`error: ${name}: not a commit\n`);
			checking.code |= FSCK_CODES.refs;
		}
		checking.reach(id, name);
	}
	for (const { head } of linkedTrees(repository)) if (head !== null && checking.has(head)) checking.reach(head, 'HEAD');
	if (refs.length === 0) git.err('notice: No default references\n');
}

function reachReflogs(git: Invocation, checking: FsckObjects): void {
	const { refs } = git.repository;
	for (const name of refs.reflogNames()) {
		refs.reflog(name).forEach(({ from, to }, place) => {
			for (const [id, number] of [
				[to, place],
				[from, place + 1]
			] as const) {
				if (id === NULL_ID) continue;
				if (checking.has(id)) checking.reach(id, `${name}@{${number}}`);
				else if (!checking.isPromised(id)) {
					git.err(`error: ${name}: invalid reflog entry ${id}\n`);
					checking.code |= FSCK_CODES.reachable;
				}
			}
		});
	}
}

function checkPacks(git: Invocation, checking: FsckObjects): void {
	for (const { path } of git.repository.objects.packs) {
		const fault = findPackFault(git, path);
		if (fault === null) continue;
		git.err(`error: ${fault}\n`);
		checking.code |= FSCK_CODES.pack;
	}
}

/** Verifies the checksum of the index, which is not done when the index is read. */
function checkIndexFile(git: Invocation): void {
	const { files, indexPath } = git.repository;
	const bytes = missingAsNull(() => files.readFile(indexPath));
	if (!bytes || bytes.length < 20) return;
	const digest = toHex(bytes.subarray(-20));
	if (digest === NULL_ID || digest === toHex(sha1(bytes.subarray(0, -20)))) return;
	git.err('error: bad index file sha1 signature\nfatal: index file corrupt\n');
	throw new GitError('', 128);
}

function printUnreachable(git: Invocation, checking: FsckObjects, options: FsckOptions): void {
	const { all, dangling } = checking.unreachable();
	if (options.has('unreachable')) for (const { id, type } of all) git.out(`unreachable ${type} ${id}\n`);
	else if (!options.isTakenBack('dangling')) for (const { id, type } of dangling) git.out(`dangling ${type} ${id}\n`);
	if (!options.has('lostFound')) return;
	const { files, gitDir, objects } = git.repository;
	for (const { id, type } of dangling) {
		const directory = `${gitDir}/lost-found/${type === 'commit' ? 'commit' : 'other'}`;
		files.mkdir(directory, { recursive: true });
		files.writeFile(`${directory}/${id}`, type === 'blob' ? objects.read(id, 'blob') : encode(`${id}\n`));
	}
}
