import { encode } from '../bytes.ts';
import { booleanOf } from '../config/values.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { NO_DIFF } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import { USUAL_RENAMES, type RenameHow } from '../diff/renames.ts';
import { scoreOf } from '../diff/select.ts';
import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import { ignoredState, type SubmoduleState } from '../worktree/submodules.ts';
import { pathOf, type Change } from '../diff/change.ts';
import type { Command, Invocation } from '../invocation.ts';
import { modeText } from '../objects/tree.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions, type Options } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { aheadBehind } from '../refs/tracking.ts';
import { longStatus, shownName, type LongStatusHow } from '../worktree/long-status.ts';
import { computeStatus, type Status } from '../worktree/status.ts';

export const status: Command = (git, args) => {
	const options = parseOptions('status [<options>] [--] [<pathspec>...]', args, {
		...STATUS_FORMS,
		verbose: '-v --verbose',
		untracked: '-u --untracked-files ?',
		ignored: '--ignored ?',
		renames: '-M --find-renames ?',
		noRenames: '--no-renames',
		aheadBehind: '--ahead-behind',
		noAheadBehind: '--no-ahead-behind',
		ignoreSubmodules: '--ignore-submodules ?',
		stash: '--show-stash',
		noStash: '--no-show-stash'
	});
	const { repository } = git;
	const { config } = repository;
	const given = untrackedMode(repository, options.has('untracked') ? options.get('untracked') || 'all' : undefined);
	const paths = [...options.operands, ...(options.paths ?? [])];
	const ignored = ignoredMode(options.has('ignored') ? options.get('ignored') || 'traditional' : 'no');
	const asked = ignoredState(options.get('ignoreSubmodules'));
	const renames = chosenRenames(config, options);
	const found = computeStatus(repository, { untracked: given, ignored, paths, ignoredState: asked, renames });
	const counts = options.has('porcelain') || config.flag('status.aheadbehind', true);
	const counted = !options.has('noAheadBehind') && (options.has('aheadBehind') || counts);
	const showsStash = !options.has('noStash') && (options.has('stash') || config.flag('status.showstash', false));
	showStatus(git, found, options, given, {
		counted,
		ignoredState: asked,
		verbose: options.all('verbose').length,
		showsStash
	});
	return 0;
};

/** @throws GitError if the mode is unknown */
function ignoredMode(word: string): boolean | 'matching' {
	if (word === 'matching') return word;
	if (word !== 'traditional' && word !== 'no') throw fatal(`Invalid ignored mode '${word}'`);
	return word === 'traditional';
}

/** Settings for rename detection from options, `status.renames` or `diff.renames`; false to disable it. */
export function chosenRenames(
	config: Repository['config'],
	options: Pick<Options<'renames' | 'noRenames'>, 'has' | 'get'>
): RenameHow | false {
	if (options.has('noRenames')) return false;
	const percent = options.get('renames');
	if (percent !== undefined) {
		const score = percent.replace(/^=/, '');
		return score === '' ? USUAL_RENAMES : { ...USUAL_RENAMES, least: scoreOf(score, 'find-renames') };
	}
	const set = config.get('status.renames') ?? config.get('diff.renames');
	return set !== undefined && booleanOf(set) === false ? false : USUAL_RENAMES;
}

/** Mode for showing untracked files, from the option or setting. @throws GitError if it is unknown */
export function untrackedMode({ config }: Repository, asked: string | undefined): 'no' | 'normal' | 'all' {
	const given = asked ?? config.get('status.showuntrackedfiles') ?? 'normal';
	const mode = booleanOf(given) === null ? given : booleanOf(given) ? 'normal' : 'no';
	if (mode !== 'no' && mode !== 'normal' && mode !== 'all')
		throw new GitError(`fatal: Invalid untracked files mode '${given}'`, 128);
	return mode;
}

/** Options for the output format of a status. */
export const STATUS_FORMS = {
	short: '-s --short',
	noShort: '--no-short',
	long: '--long',
	branch: '-b --branch',
	noBranch: '--no-branch',
	porcelain: '--porcelain ?',
	zero: '-z'
};

/** Options of the long format. */
interface ShowHow extends LongStatusHow {
	/** Number of `-v` options: one shows the staged changes, two also the unstaged ones. */
	verbose?: number;
}

/** Prints a status in the requested format. */
export function showStatus(
	git: Invocation,
	found: Status,
	options: Pick<Options<keyof typeof STATUS_FORMS>, 'has' | 'get'>,
	untracked: 'no' | 'normal' | 'all',
	how: ShowHow = {}
): void {
	const { config } = git.repository;
	const version = options.get('porcelain');
	const isMachine = version !== undefined;
	const setting = (name: string) => !isMachine && !how.isCommit && config.flag(name, false);
	const branch = !options.has('noBranch') && (options.has('branch') || setting('status.branch'));
	const isShort = options.has('short') || (setting('status.short') && !options.has('noShort') && !options.has('long'));
	const counted = how.counted ?? true;
	if (version === 'v2' || version === '2') printVersion2(git, found, { branch, zero: options.has('zero'), counted });
	else if (isShort || version !== undefined || (options.has('zero') && !options.has('long'))) {
		if (version !== undefined && !['', 'v1', '1'].includes(version)) {
			throw new GitError(`fatal: unsupported porcelain version '${version}'`, 128);
		}
		const machine = version !== undefined || options.has('zero');
		printShort(git, found, { branch, zero: options.has('zero'), machine, counted });
	} else git.out(binaryBytes(commentedStatus(git, found, untracked, how)));
}

/** Long status followed by the changes, commented out if settings say so. */
function commentedStatus(git: Invocation, found: Status, untracked: 'no' | 'normal' | 'all', how: ShowHow): string {
	const { repository } = git;
	const { config } = repository;
	const text = longStatus(repository, found, untracked, how);
	const changes = how.verbose ? changesBelow(repository, found, how.verbose) : '';
	if (how.isCommit || !config.flag('status.displaycommentprefix', false)) return binaryText(encode(text)) + changes;
	const mark = config.get('core.commentchar') ?? '#';
	if (mark.length > 1 && mark !== 'auto') throw fatal('core.commentChar should only be one ASCII character');
	const lines = text.replace(/\n$/, '').split('\n');
	const commented = lines.map((line) => commentLine(line, mark)).join('');
	return binaryText(encode(commented)) + changes;
}

/** Last lines of a status, which are not commented out. */
const CLOSING = /^(?:no changes added to commit|nothing added to commit|nothing to commit)/;

function commentLine(line: string, mark: string): string {
	if (CLOSING.test(line)) return `${line}\n`;
	return /^$|^\t/.test(line) ? `${mark}${line}\n` : `${mark} ${line}\n`;
}

function changesBelow(repository: Repository, found: Status, verbose: number): string {
	const patch = (changes: readonly Change[], prefixes: readonly [string, string]) =>
		printChanges(repository, changes, { ...NO_DIFF, patch: true, prefixes });
	if (verbose < 2) return patch(found.staged, ['a/', 'b/']);
	const staged = patch(found.staged, ['c/', 'i/']);
	const unstaged = patch(found.unstaged, ['i/', 'w/']);
	return (
		`${staged === '' ? '' : `Changes to be committed:\n${staged}`}` +
		`${unstaged === '' ? '' : `${'-'.repeat(50)}\nChanges not staged for commit:\n${unstaged}`}`
	);
}

interface Line {
	path: string;
	from?: string;
	staged?: Change;
	unstaged?: Change;
}

/** One line per path, combining both sides of the index. */
function linesOf(found: Status): Line[] {
	const lines = new Map<string, Line>();
	for (const change of found.staged) {
		const from = change.status === 'R' || change.status === 'C' ? change.before?.path : undefined;
		lines.set(pathOf(change), { path: pathOf(change), from, staged: change });
	}
	for (const change of found.unstaged) {
		const line = lines.get(pathOf(change));
		if (line) line.unstaged = change;
		else lines.set(pathOf(change), { path: pathOf(change), unstaged: change });
	}
	return [...lines.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function printShort(
	git: Invocation,
	found: Status,
	{ branch, zero, machine, counted }: { branch: boolean; zero: boolean; machine: boolean; counted: boolean }
): void {
	const { repository } = git;
	const named = shownName(repository);
	const end = zero ? '\0' : '\n';
	const name = (path: string): string => {
		if (zero) return path;
		const shown = machine ? quotePath(path) : named(path);
		return shown.includes(' ') && !shown.startsWith('"') ? `"${shown}"` : shown;
	};
	if (branch) git.out(`## ${branchLine(git, counted)}${end}`);
	const rows = [
		...linesOf(found).map((line) => ({
			path: line.path,
			text: shortLine(line, name, zero, machine ? undefined : found.submodules.get(line.path))
		})),
		...found.unmerged.map(({ path, code }) => ({ path, text: `${code} ${name(path)}` }))
	].sort((a, b) => (a.path < b.path ? -1 : 1));
	for (const { text } of rows) git.out(text + end);
	for (const path of found.untracked) git.out(`?? ${name(path)}${end}`);
	for (const path of found.ignored) git.out(`!! ${name(path)}${end}`);
}

/** @param state state of a submodule, whose changes have their own letters */
function shortLine(line: Line, name: (path: string) => string, zero: boolean, state?: SubmoduleState): string {
	const changed = !state || state.isMoved ? (line.unstaged?.status ?? ' ') : state.isModified ? 'm' : '?';
	const code = `${line.staged?.status ?? ' '}${changed}`;
	if (line.from === undefined) return `${code} ${name(line.path)}`;
	return zero ? `${code} ${line.path}\0${line.from}` : `${code} ${name(line.from)} -> ${name(line.path)}`;
}

function branchLine(git: Invocation, counted: boolean): string {
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	if (branch === null) return 'HEAD (no branch)';
	const tracking = aheadBehind(repository, branch);
	const name = repository.head() === null ? `No commits yet on ${branch}` : branch;
	if (!tracking) return name;
	if (!tracking.counts) return `${name}...${tracking.name} [gone]`;
	const { ahead, behind } = tracking.counts;
	if (!counted && (ahead > 0 || behind > 0)) return `${name}...${tracking.name} [different]`;
	const parts = [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])];
	return `${name}...${tracking.name}${parts.length > 0 ? ` [${parts.join(', ')}]` : ''}`;
}

function printVersion2(
	git: Invocation,
	found: Status,
	{ branch, zero, counted }: { branch: boolean; zero: boolean; counted: boolean }
): void {
	const { repository } = git;
	const end = zero ? '\0' : '\n';
	const name = (path: string) => (zero ? path : quotePath(path));
	if (branch) {
		const current = repository.refs.currentBranch();
		const tracking = current === null ? null : aheadBehind(repository, current);
		git.out(`# branch.oid ${repository.head() ?? '(initial)'}${end}# branch.head ${current ?? '(detached)'}${end}`);
		if (tracking) git.out(`# branch.upstream ${tracking.name}${end}`);
		const [ahead, behind] = [tracking?.counts?.ahead ?? 0, tracking?.counts?.behind ?? 0];
		const isKnown = counted || (ahead === 0 && behind === 0);
		if (tracking?.counts) git.out(`# branch.ab +${isKnown ? ahead : '?'} -${isKnown ? behind : '?'}${end}`);
	}
	for (const { path, from, staged, unstaged } of linesOf(found)) {
		const code = `${staged?.status ?? '.'}${unstaged?.status ?? '.'}`;
		const head = staged ? staged.before : unstaged?.before;
		const index = staged ? staged.after : unstaged?.before;
		const worktree = unstaged ? unstaged.after : index;
		const modes = [head, index, worktree].map((side) => modeText(side?.mode ?? 0)).join(' ');
		const ids = `${head?.id ?? NULL_ID} ${index?.id ?? NULL_ID}`;
		const sub = submoduleField(found, path, [head?.mode, index?.mode, worktree?.mode]);
		if (from === undefined) git.out(`1 ${code} ${sub} ${modes} ${ids} ${name(path)}${end}`);
		else
			git.out(
				`2 ${code} ${sub} ${modes} ${ids} R${staged?.similarity ?? 0} ${name(path)}${zero ? '\0' : '\t'}${name(from)}${end}`
			);
	}
	for (const { path, code } of found.unmerged) {
		const stages = [1, 2, 3].map((stage) => repository.index.get(path, stage));
		const modes = stages.map((entry) => modeText(entry?.mode ?? 0)).join(' ');
		const ids = stages.map((entry) => entry?.id ?? NULL_ID).join(' ');
		const now = repository.files.statOrNull(repository.absolute(path));
		git.out(`u ${code} N... ${modes} ${modeText(now?.mode ?? 0)} ${ids} ${name(path)}${end}`);
	}
	for (const path of found.untracked) git.out(`? ${name(path)}${end}`);
	for (const path of found.ignored) git.out(`! ${name(path)}${end}`);
}

/** Submodule field of porcelain v2: `S`, then letters for a new commit, modifications and untracked files. */
function submoduleField(found: Status, path: string, modes: readonly (number | undefined)[]): string {
	if (!modes.includes(Mode.commit)) return 'N...';
	const state = found.submodules.get(path);
	return `S${state?.isMoved ? 'C' : '.'}${state?.isModified ? 'M' : '.'}${state?.hasUntracked ? 'U' : '.'}`;
}
