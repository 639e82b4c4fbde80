import { isObjectId } from '../objects/object-id.ts';
import { UsageAsked } from '../options.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { newEntry, type IndexEntry } from '../index/index-file.ts';
import type { Command, Invocation } from '../invocation.ts';
import { Mode } from '#environment/mode.ts';
import { NULL_ID } from '../objects/object.ts';
import { inputPaths } from '../input-lines.ts';
import { unquotePath } from '../unquote-path.ts';
import { pathOf } from '../diff/change.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { changedFile } from '../worktree/file-state.ts';
import { stageFile } from '../worktree/staging.ts';
import { isWorktreePath } from '../worktree/verify-path.ts';
import { Pathspec } from '../worktree/pathspec.ts';

/** Effect of the options so far on the paths after them. */
interface Mood {
	add: boolean;
	remove: boolean;
	forceRemove: boolean;
	replace: boolean;
	infoOnly: boolean;
	zero: boolean;
	quiet: boolean;
	verbose: boolean;
	ignoreMissing: boolean;
	unmerged: boolean;
	chmod: '+x' | '-x' | null;
	/** Does not remove entries that are marked skip-worktree when their files are missing. */
	keepsSkipped: boolean;
	mark: Partial<Pick<IndexEntry, 'assumeUnchanged' | 'skipWorktree'>> | null;
	code: number;
}

const USAGE = 'usage: git update-index [<options>] [--] [<file>...]';

/** Options that only change the state for later paths. */
const MOODS: Record<string, Partial<Mood>> = {
	'--add': { add: true },
	'--remove': { remove: true },
	'--force-remove': { forceRemove: true },
	'--replace': { replace: true },
	'--info-only': { infoOnly: true },
	'-z': { zero: true },
	'-q': { quiet: true },
	'--verbose': { verbose: true },
	'--ignore-missing': { ignoreMissing: true },
	'--unmerged': { unmerged: true },
	'--chmod=+x': { chmod: '+x' },
	'--chmod=-x': { chmod: '-x' },
	'--assume-unchanged': { mark: { assumeUnchanged: true } },
	'--no-assume-unchanged': { mark: { assumeUnchanged: false } },
	'--skip-worktree': { mark: { skipWorktree: true } },
	'--no-skip-worktree': { mark: { skipWorktree: false } },
	'--ignore-skip-worktree-entries': { keepsSkipped: true },
	'--no-ignore-skip-worktree-entries': { keepsSkipped: false }
};

/** Ignored options, mostly for index optimizations that are not supported. */
const WITHOUT_MEANING =
	/^--(?:no-)?(?:split-index|untracked-cache|test-untracked-cache|force-untracked-cache|fsmonitor|force-write-index|ignore-submodules|fsmonitor-valid)$/;

/** `git update-index`: processes options and paths in order. */
export const updateIndex: Command = (git, args) => {
	const mood: Mood = {
		...{ add: false, remove: false, forceRemove: false, replace: false, infoOnly: false, zero: false },
		...{ quiet: false, verbose: false, ignoreMissing: false, unmerged: false },
		...{ chmod: null, mark: null, keepsSkipped: false, code: 0 }
	};
	const left = [...args];
	if (args.length === 1 && args[0] === '-h') throw new UsageAsked(`${USAGE}\n`);
	const { index } = git.repository;
	for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
		if (arg === '--') {
			for (const path of left.splice(0)) updatePath(git, mood, path);
		} else if (MOODS[arg]) Object.assign(mood, MOODS[arg]);
		else if (arg === '--chmod') mood.chmod = left.shift() === '-x' ? '-x' : '+x';
		else if (arg === '--refresh' || arg === '--really-refresh') refresh(git, mood);
		else if (arg === '--cacheinfo') addInfo(git, mood, left);
		else if (arg.startsWith('--cacheinfo=')) addInfo(git, mood, [arg.slice('--cacheinfo='.length)]);
		else if (arg === '--index-info') readIndexInfo(git, mood);
		else if (arg === '--stdin') for (const path of inputPaths(git, mood.zero)) updatePath(git, mood, path);
		else if (arg === '--again' || arg === '-g') updateAgain(git, mood, left.splice(0));
		else if (arg === '--index-version') left.shift();
		else if (arg === '--show-index-version') git.out('2\n');
		else if (arg === '-h') {
			git.out(`${USAGE}\n`);
			return 129;
		} else if (arg.startsWith('-') && !WITHOUT_MEANING.test(arg) && !/^--index-version=/.test(arg))
			throw new GitError(`error: unknown option \`${arg.replace(/^-+/, '')}'\n${USAGE}`, 129);
		else if (!arg.startsWith('-')) updatePath(git, mood, arg);
	}
	index.save();
	return mood.code;
};

function updatePath(git: Invocation, mood: Mood, given: string): void {
	const { repository } = git;
	const { index } = repository;
	const path = repository.fromCwd(given);
	if (path === '' || !isWorktreePath(path)) {
		git.err(`Ignoring path ${given}\n`);
		return;
	}
	const say = (verb: string) => {
		if (mood.verbose) git.out(`${verb} '${given}'\n`);
	};
	if (mood.mark) {
		const entry = index.get(path);
		if (!entry) throw fatal(`Unable to mark file ${given}`);
		Object.assign(entry, mood.mark);
		index.touch();
		return;
	}
	const stat = lstatOrNull(repository, repository.absolute(path));
	if (!mood.forceRemove && mood.keepsSkipped && index.get(path)?.skipWorktree) return;
	if (mood.forceRemove || (!stat && mood.remove)) {
		index.remove(path);
		say('remove');
		return;
	}
	if (!stat || stat.kind === 'directory') {
		if (!stat && mood.ignoreMissing) return;
		const why = stat
			? `error: ${given}: is a directory - add files inside instead`
			: `error: ${given}: does not exist and --remove not passed`;
		if (stat && mood.remove && index.has(path)) return index.remove(path);
		throw new GitError(`${why}\nfatal: Unable to process path ${given}`, 128);
	}
	requireRoom(git, mood, path, given);
	stageFile(repository, path, stat);
	say('add');
	if (mood.chmod) changeMode(git, mood, mood.chmod, path, given);
}

/** @throws GitError if a path would add an entry without `--add`, or replace a directory or file without `--replace` */
function requireRoom(git: Invocation, mood: Mood, path: string, given: string): void {
	const { index } = git.repository;
	if (!index.has(path) && !mood.add)
		throw new GitError(
			`error: ${given}: cannot add to the index - missing --add option?\nfatal: Unable to process path ${given}`,
			128
		);
	const inWay = index.inWayOf(path);
	if (inWay.length > 0 && !mood.replace && !index.has(path)) {
		const stillThere = inWay.some((entry) => git.repository.files.statOrNull(git.repository.absolute(entry.path)));
		if (stillThere)
			throw new GitError(
				`error: '${given}' appears as both a file and as a directory\nerror: ${given}: cannot add to the index\nfatal: Unable to process path ${given}`,
				128
			);
	}
}

function changeMode(git: Invocation, mood: Mood, chmod: '+x' | '-x', path: string, given: string): void {
	const entry = git.repository.index.get(path);
	if (!entry || (entry.mode !== Mode.file && entry.mode !== Mode.executable))
		throw fatal(`git update-index: cannot chmod ${chmod} '${given}'`);
	git.repository.index.set({ ...entry, mode: chmod === '+x' ? Mode.executable : Mode.file });
	if (mood.verbose) git.out(`chmod ${chmod} '${given}'\n`);
}

/** Adds an entry given as `<mode>,<object>,<path>` in one argument, or as three arguments. */
function addInfo(git: Invocation, mood: Mood, left: string[]): void {
	const [mode, id, path] = left[0]?.includes(',') ? splitInfo(left.shift()!) : left.splice(0, 3);
	if (mode === undefined || id === undefined || path === undefined)
		throw new GitError("error: option 'cacheinfo' expects <mode>,<sha1>,<path>", 129);
	addEntry(git, mood, { mode, id, path, stage: 0 });
	if (mood.verbose) git.out(`add '${path}'\n`);
}

function splitInfo(text: string): string[] {
	const [, mode = '', id = '', path = ''] = /^([^,]*),([^,]*),(.*)$/s.exec(text) ?? [];
	return [mode, id, path];
}

function addEntry(
	git: Invocation,
	mood: Pick<Mood, 'add' | 'replace'>,
	given: { mode: string; id: string; path: string; stage: number }
): void {
	const { index } = git.repository;
	const { id, path, stage } = given;
	const mode = Number.parseInt(given.mode, 8);
	const kind = mode & 0o170000;
	if (
		![Mode.file & 0o170000, Mode.symlink, Mode.commit].includes(kind) ||
		!isObjectId(id) ||
		id === NULL_ID ||
		!isWorktreePath(path, mode)
	)
		throw new GitError(`error: Invalid path '${path}'\nfatal: git update-index: --cacheinfo cannot add ${path}`, 128);
	if (!mood.add && !index.has(path))
		throw new GitError(
			`error: ${path}: cannot add to the index - missing --add option?\nfatal: git update-index: --cacheinfo cannot add ${path}`,
			128
		);
	if (stage === 0 && !mood.replace && index.inWayOf(path).length > 0)
		throw new GitError(
			`error: '${path}' appears as both a file and as a directory\nerror: ${path}: cannot add to the index\nfatal: git update-index: --cacheinfo cannot add ${path}`,
			128
		);
	const canonical = kind === (Mode.file & 0o170000) ? (mode & 0o100 ? Mode.executable : Mode.file) : mode;
	const entry = newEntry(path, { mode: canonical, id }, stage);
	if (stage === 0) index.set(entry);
	else index.setStage(entry);
}

/** Reads lines `mode SP id TAB path`, `mode SP type SP id TAB path` or `mode SP id SP stage TAB path`. */
function readIndexInfo(git: Invocation, mood: Mood): void {
	for (const line of decode(git.input()).split(mood.zero ? '\0' : '\n')) {
		if (line === '') continue;
		const [, mode, id, stage, raw] =
			/^([0-7]+) (?:(?:blob|tree|commit) )?([0-9a-f]{40})(?: ([0-3]))?\t(.*)$/s.exec(line) ?? [];
		if (mode === undefined || id === undefined || raw === undefined) throw fatal(`malformed index info ${line}`);
		const path = raw.startsWith('"') && !mood.zero ? unquotePath(raw) : raw;
		if (Number.parseInt(mode, 8) === 0) git.repository.index.remove(path);
		else addEntry(git, { add: true, replace: true }, { mode, id, path, stage: Number(stage ?? 0) });
	}
}

/** Refreshes the stat data of all entries, and prints those whose files differ. */
function refresh(git: Invocation, mood: Mood): void {
	const { repository } = git;
	const { index } = repository;
	for (const entry of index.entries()) {
		if (entry.stage > 0) {
			if (mood.unmerged) continue;
			if (!mood.quiet) git.out(`${entry.path}: needs merge\n`);
			mood.code = 1;
			continue;
		}
		const stat = lstatOrNull(repository, repository.absolute(entry.path));
		if (entry.mode === Mode.commit || (!stat && mood.ignoreMissing) || entry.skipWorktree) continue;
		if (stat && stat.kind !== 'directory' && !changedFile(repository, entry, stat)) continue;
		if (entry.assumeUnchanged) continue;
		if (!mood.quiet) git.out(`${entry.path}: needs update\n`);
		mood.code = mood.quiet ? mood.code : 1;
	}
}

/** Updates the paths whose entries differ from HEAD (`--again`). */
function updateAgain(git: Invocation, mood: Mood, given: readonly string[]): void {
	const { repository } = git;
	const pathspec = new Pathspec(repository, given.length === 0 && repository.prefix !== '' ? ['.'] : given);
	for (const path of changedSinceHead(git))
		if (pathspec.matches(path)) updatePath(git, { ...mood, add: true }, `${rootedAt(git)}${path}`);
}

const rootedAt = ({ repository }: Invocation): string => '../'.repeat(repository.prefix.split('/').length - 1);

/** Paths of index entries that differ from HEAD or are not in it. */
function changedSinceHead({ repository }: Invocation): string[] {
	return treeToIndex(repository, headTree(repository))
		.filter(({ status }) => status !== 'D')
		.map(pathOf);
}
