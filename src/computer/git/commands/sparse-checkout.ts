import { normalize } from '#computer/abi/paths.ts';
import { fatal, GitError } from '../errors.ts';
import { inputLines, pathOfLine } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { setWorktreeSetting } from '../config/worktree-settings.ts';
import { ConePatterns, patternLines, ROOT_ONLY } from '../worktree/cone-patterns.ts';
import { applySparsity, removeOutsideCone, sparsityWarnings } from '../worktree/apply-sparsity.ts';
import { recordSparseMode } from '../worktree/sparse-mode.ts';
import { SparsePatterns } from '../worktree/sparse-patterns.ts';

const MODES = {
	cone: '--cone',
	noCone: '--no-cone',
	sparseIndex: '--sparse-index',
	fullIndex: '--no-sparse-index'
};
const INPUT = { skipChecks: '--skip-checks', stdin: '--stdin' };
const USAGE = 'sparse-checkout (init | list | set | add | reapply | disable) [<options>]';

/** `git sparse-checkout`: selects the part of the tracked files that is checked out. */
export const sparseCheckout: Command = (git, args) => {
	const [action, ...rest] = args;
	if (action === undefined) throw new GitError(`error: need a subcommand\nusage: git ${USAGE}\n`, 129);
	const run = ACTIONS[action];
	if (run) return run(git, rest);
	if (action === '-h') parseOptions(USAGE, args, {});
	const what = action.startsWith('-') ? 'unknown option' : 'unknown subcommand:';
	throw new GitError(`error: ${what} \`${action.replace(/^-+/, '')}'\nusage: git ${USAGE}\n`, 129);
};

const ACTIONS: Record<string, Command> = { init, list, set, add, reapply, disable };

function list(git: Invocation, args: string[]): number {
	const { sparse } = git.repository;
	if (!sparse.isActive) throw fatal('this worktree is not sparse');
	parseOptions('sparse-checkout list', args, {});
	const text = sparse.text();
	if (text === null) {
		git.repository.warn('this worktree is not sparse (sparse-checkout file may not exist)');
		return 0;
	}
	const patterns = sparse.parse(text);
	const lines = patterns instanceof ConePatterns ? patterns.directories().map(quotePath) : patternLines(text);
	git.out(lines.map((line) => `${line}\n`).join(''));
	return 0;
}

function init(git: Invocation, args: string[]): number {
	const options = parseOptions('sparse-checkout init [--cone] [--[no-]sparse-index]', args, MODES);
	updateModes(git, options);
	const { sparse } = git.repository;
	if (sparse.text() !== null) return update(git);
	if (git.repository.head() !== null) return replacePatterns(git, ROOT_ONLY);
	sparse.write(ROOT_ONLY);
	return 0;
}

function set(git: Invocation, args: string[]): number {
	const usage = 'sparse-checkout set [--[no-]cone] [--[no-]sparse-index] [--skip-checks] (--stdin | <patterns>)';
	const options = parseOptions(usage, args, { ...MODES, ...INPUT });
	updateModes(git, options);
	const operands = [...options.operands, ...(options.paths ?? [])];
	const isDefault = !git.repository.sparse.isCone && operands.length === 0;
	const given = isDefault ? ROOT_ONLY : checkedPaths(git, operands, options.has('skipChecks'));
	const lines = options.has('stdin') ? [...inputLines(git)] : given;
	if (!git.repository.sparse.isCone) return replacePatterns(git, lines);
	return replacePatterns(git, coneOf(lines, options.has('stdin')).lines());
}

function add(git: Invocation, args: string[]): number {
	const { sparse } = git.repository;
	if (!sparse.isActive) throw fatal('no sparse-checkout to add to');
	const options = parseOptions('sparse-checkout add [--skip-checks] (--stdin | <patterns>)', args, INPUT);
	const operands = [...options.operands, ...(options.paths ?? [])];
	const given = checkedPaths(git, operands, options.has('skipChecks'));
	const lines = options.has('stdin') ? [...inputLines(git)] : given;
	const text = sparse.text();
	if (!sparse.isCone) {
		if (text === null) throw fatal('unable to load existing sparse-checkout patterns');
		return replacePatterns(git, [...patternLines(text), ...lines]);
	}
	const cone = coneOf(lines, options.has('stdin'));
	if (text === null) throw fatal('unable to load existing sparse-checkout patterns');
	const existing = sparse.parse(text);
	if (!(existing instanceof ConePatterns)) throw fatal('existing sparse-checkout patterns do not use cone mode');
	cone.addAll(existing);
	return replacePatterns(git, cone.lines());
}

function reapply(git: Invocation, args: string[]): number {
	if (!git.repository.sparse.isActive) throw fatal('must be in a sparse-checkout to reapply sparsity patterns');
	updateModes(git, parseOptions('sparse-checkout reapply [--[no-]cone] [--[no-]sparse-index]', args, MODES));
	return update(git);
}

function disable(git: Invocation, args: string[]): number {
	parseOptions('sparse-checkout disable', args, {});
	git.repository.sparse.use(new SparsePatterns('/*\n'));
	update(git);
	recordSparseMode(git.repository, 'all');
	return 0;
}

/** Enables sparse checkout, in the mode given or the one used before. */
function updateModes(git: Invocation, options: Options<keyof typeof MODES>): void {
	const { repository } = git;
	const given = options.latest('cone', 'noCone');
	if (given !== undefined || !repository.sparse.isActive)
		recordSparseMode(repository, given === 'noCone' ? 'patterns' : 'cone');
	const form = options.latest('sparseIndex', 'fullIndex');
	// Only recorded for other programs: here an index always has an entry per file, which is correct with both values.
	if (form !== undefined) setWorktreeSetting(repository, 'index.sparse', String(form === 'sparseIndex'));
}

/** Directories of arguments, or of lines, which may be quoted. @throws GitError for a path outside the worktree */
function coneOf(lines: readonly string[], areLines: boolean): ConePatterns {
	const cone = new ConePatterns();
	for (const line of lines) {
		if (areLines && /^"(?:[^"\\]|\\.)*$/s.test(line)) throw fatal(`unable to unquote C-style string '${line}'`);
		const text = (areLines ? pathOfLine(line) : line).trim();
		if (isAboveTop(text)) throw fatal(`could not normalize path ${text}`);
		const path = normalize(`/${text}`);
		if (path !== '/') cone.add(path);
	}
	return cone;
}

function isAboveTop(path: string): boolean {
	let depth = 0;
	for (const part of path.split('/').filter((one) => one !== '' && one !== '.')) {
		depth += part === '..' ? -1 : 1;
		if (depth < 0) return true;
	}
	return false;
}

/** Arguments relative to the top. @throws GitError for patterns in cone mode, and for files */
function checkedPaths(git: Invocation, given: readonly string[], areUnchecked: boolean): readonly string[] {
	const { repository } = git;
	const { sparse, prefix, index } = repository;
	const paths = prefix !== '' && sparse.isCone ? given.map((path) => repository.fromCwd(path)) : given;
	if (areUnchecked || given.length === 0) return paths;
	if (prefix !== '' && !sparse.isCone) throw fatal('please run from the toplevel directory in non-cone mode');
	for (const path of sparse.isCone ? paths : []) {
		const refusal = 'specify directories rather than patterns';
		if (path.startsWith('/')) throw fatal(`${refusal} (no leading slash)`);
		if (path.startsWith('!')) throw fatal(`${refusal}.  If your directory starts with a '!', pass --skip-checks`);
		if (/[*?[\]]/.test(path))
			throw fatal(`${refusal}.  If your directory really has any of '*?[]\\' in it, pass --skip-checks`);
	}
	for (const path of paths.filter((one) => index.get(one) !== undefined)) {
		if (sparse.isCone)
			throw fatal(`'${path}' is not a directory; to treat it as a directory anyway, rerun with --skip-checks`);
		repository.warn(
			`pass a leading slash before paths such as '${path}' if you want a single file (see NON-CONE PROBLEMS in the git-sparse-checkout manual).`
		);
	}
	return paths;
}

/** Applies new patterns and stores them. @throws GitError if another program holds the lock */
function replacePatterns(git: Invocation, lines: readonly string[]): number {
	const { repository } = git;
	const { sparse, files } = repository;
	if (!sparse.isActive) recordSparseMode(repository, 'patterns');
	if (files.statOrNull(`${sparse.path}.lock`) !== null)
		throw fatal(`Unable to create '${sparse.path}.lock': File exists.`);
	sparse.use(sparse.parse(lines.map((line) => `${line}\n`).join('')));
	const code = update(git);
	sparse.write(lines);
	return code;
}

/** Makes the worktree follow the patterns. */
function update(git: Invocation): number {
	const { repository } = git;
	const { index } = repository;
	if (repository.isBare) throw fatal('this operation must be run in a work tree');
	// Before the first checkout there is nothing to update.
	if (index.writtenMs === 0) return 0;
	if (repository.files.statOrNull(`${repository.indexPath}.lock`) !== null)
		throw fatal(`Unable to create '${repository.indexPath}.lock': File exists.`);
	git.err(sparsityWarnings(applySparsity(repository)));
	index.save();
	removeOutsideCone(repository);
	return 0;
}
