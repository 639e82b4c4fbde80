import { GitError } from '../errors.ts';
import { pathOf, type Change } from '../diff/change.ts';
import type { Command, Invocation } from '../invocation.ts';
import { modeText } from '../objects/tree.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions, type Options } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { aheadBehind } from '../refs/tracking.ts';
import { longStatus, type LongStatusHow } from '../worktree/long-status.ts';
import { computeStatus, type Status } from '../worktree/status.ts';

export const status: Command = (git, args) => {
	const options = parseOptions('status [<options>] [--] [<pathspec>...]', args, {
		...STATUS_FORMS,
		untracked: '-u --untracked-files ?',
		ignored: '--ignored ?',
		noRenames: '--no-renames',
		aheadBehind: '--ahead-behind --no-ahead-behind'
	});
	const { repository } = git;
	const given = untrackedMode(repository, options.has('untracked') ? options.get('untracked') || 'all' : undefined);
	const paths = [...options.operands, ...(options.paths ?? [])];
	const found = computeStatus(repository, { untracked: given, ignored: options.has('ignored'), paths });
	showStatus(git, found, options, given);
	return 0;
};

/** Mode for the untracked files that a status names, by option or setting. @throws GitError for a word that is none */
export function untrackedMode({ config }: Repository, asked: string | undefined): 'no' | 'normal' | 'all' {
	const given = asked ?? config.get('status.showuntrackedfiles') ?? 'normal';
	if (given !== 'no' && given !== 'normal' && given !== 'all')
		throw new GitError(`fatal: Invalid untracked files mode '${given}'`, 128);
	return given;
}

/** Options that say in which form a status is printed. */
export const STATUS_FORMS = {
	short: '-s --short',
	long: '--long',
	branch: '-b --branch',
	porcelain: '--porcelain ?',
	zero: '-z'
};

/** Prints a status in the form that options ask for. */
export function showStatus(
	git: Invocation,
	found: Status,
	options: Pick<Options<keyof typeof STATUS_FORMS>, 'has' | 'get'>,
	untracked: 'no' | 'normal' | 'all',
	how: LongStatusHow = {}
): void {
	const version = options.get('porcelain');
	if (version === 'v2' || version === '2') printVersion2(git, found, options.has('branch'), options.has('zero'));
	else if (options.has('short') || version !== undefined || options.has('zero')) {
		const machine = version !== undefined || options.has('zero');
		if (version !== undefined && !['', 'v1', '1'].includes(version)) {
			throw new GitError(`fatal: unsupported porcelain version '${version}'`, 128);
		}
		printShort(git, found, options.has('branch'), options.has('zero'), machine);
	} else git.out(longStatus(git.repository, found, untracked, how));
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
		const from = change.status === 'R' ? change.before?.path : undefined;
		lines.set(pathOf(change), { path: pathOf(change), from, staged: change });
	}
	for (const change of found.unstaged) {
		const line = lines.get(pathOf(change));
		if (line) line.unstaged = change;
		else lines.set(pathOf(change), { path: pathOf(change), unstaged: change });
	}
	return [...lines.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function printShort(git: Invocation, found: Status, branch: boolean, zero: boolean, machine: boolean): void {
	const { repository } = git;
	const end = zero ? '\0' : '\n';
	const name = (path: string): string => {
		if (zero) return path;
		const shown = quotePath(machine ? path : repository.toCwd(path));
		return shown.includes(' ') && !shown.startsWith('"') ? `"${shown}"` : shown;
	};
	if (branch) git.out(`## ${branchLine(git)}${end}`);
	const rows = [
		...linesOf(found).map((line) => ({ path: line.path, text: shortLine(line, name, zero) })),
		...found.unmerged.map(({ path, code }) => ({ path, text: `${code} ${name(path)}` }))
	].sort((a, b) => (a.path < b.path ? -1 : 1));
	for (const { text } of rows) git.out(text + end);
	for (const path of found.untracked) git.out(`?? ${name(path)}${end}`);
	for (const path of found.ignored) git.out(`!! ${name(path)}${end}`);
}

function shortLine(line: Line, name: (path: string) => string, zero: boolean): string {
	const code = `${line.staged?.status ?? ' '}${line.unstaged?.status ?? ' '}`;
	if (line.from === undefined) return `${code} ${name(line.path)}`;
	return zero ? `${code} ${line.path}\0${line.from}` : `${code} ${name(line.from)} -> ${name(line.path)}`;
}

function branchLine(git: Invocation): string {
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	if (branch === null) return 'HEAD (no branch)';
	const tracking = aheadBehind(repository, branch);
	const name = repository.head() === null ? `No commits yet on ${branch}` : branch;
	if (!tracking) return name;
	if (!tracking.counts) return `${name}...${tracking.name} [gone]`;
	const { ahead, behind } = tracking.counts;
	const parts = [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])];
	return `${name}...${tracking.name}${parts.length > 0 ? ` [${parts.join(', ')}]` : ''}`;
}

function printVersion2(git: Invocation, found: Status, branch: boolean, zero: boolean): void {
	const { repository } = git;
	const end = zero ? '\0' : '\n';
	const name = (path: string) => (zero ? path : quotePath(path));
	if (branch) {
		const current = repository.refs.currentBranch();
		const tracking = current === null ? null : aheadBehind(repository, current);
		git.out(`# branch.oid ${repository.head() ?? '(initial)'}${end}# branch.head ${current ?? '(detached)'}${end}`);
		if (tracking) git.out(`# branch.upstream ${tracking.name}${end}`);
		if (tracking?.counts) git.out(`# branch.ab +${tracking.counts.ahead} -${tracking.counts.behind}${end}`);
	}
	for (const { path, from, staged, unstaged } of linesOf(found)) {
		const code = `${staged?.status ?? '.'}${unstaged?.status ?? '.'}`;
		const head = staged ? staged.before : unstaged?.before;
		const index = staged ? staged.after : unstaged?.before;
		const worktree = unstaged ? unstaged.after : index;
		const modes = [head, index, worktree].map((side) => modeText(side?.mode ?? 0)).join(' ');
		const ids = `${head?.id ?? NULL_ID} ${index?.id ?? NULL_ID}`;
		if (from === undefined) git.out(`1 ${code} N... ${modes} ${ids} ${name(path)}${end}`);
		else
			git.out(
				`2 ${code} N... ${modes} ${ids} R${staged?.similarity ?? 0} ${name(path)}${zero ? '\0' : '\t'}${name(from)}${end}`
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
