import { runGit, type GitEnvironment } from './run-git.ts';

/** A local branch. */
export interface Branch {
	name: string;
	current: boolean;
	/** Its last commit, hexadecimal. */
	commit: string;
}

/** Branches, and the one HEAD is on. */
export interface Branches {
	/** `null` if HEAD is detached. */
	current: string | null;
	/** Most recently used first. */
	local: readonly Branch[];
	/** Remote branches without a local branch of the same name, such as `origin/topic`. */
	remote: readonly string[];
}

/** Reads the branches. The current one is in `local` only once it has a commit. */
export async function readBranches(environment: GitEnvironment): Promise<Branches> {
	const current = await runGit(environment, 'symbolic-ref', '-q', '--short', 'HEAD').catch(() => '');
	const format = ['%(refname)', '%(objectname)', '%(symref)'].join('%09');
	const listed = await runGit(
		environment,
		...['for-each-ref', '--sort=-committerdate', `--format=${format}`, 'refs/heads', 'refs/remotes']
	);
	const local: Branch[] = [];
	const remote: string[] = [];
	for (const line of listed.split('\n')) {
		const [full = '', commit = '', symbolic = ''] = line.split('\t');
		const name = full.replace(/^refs\/(?:heads|remotes)\//, '');
		if (full.startsWith('refs/heads/')) local.push({ name, current: name === current.trim(), commit });
		else if (name !== '' && symbolic === '') remote.push(name);
	}
	const own = new Set(local.map(({ name }) => name));
	return {
		current: current.trim() === '' ? null : current.trim(),
		local,
		remote: remote.filter((name) => !own.has(name.slice(name.indexOf('/') + 1)))
	};
}

/** Checks whether git-check-ref-format accepts a name for a branch. */
export function isBranchName(name: string): boolean {
	return (
		name !== '' &&
		name !== '@' &&
		name !== 'HEAD' &&
		// Control characters, space and ~^:?*[\ ; `..`, `@{` and `//`; a dot or dash first, `.`, `/` or `.lock` last.
		!/[\0- \x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|(?:^|\/)\.|[./]$|\.lock(?:\/|$)/.test(name)
	);
}

/** Creates a branch and switches to it. @param start defaults to HEAD */
export async function createBranch(environment: GitEnvironment, name: string, start?: string): Promise<void> {
	requireName(name);
	await runGit(environment, 'switch', '-q', '-c', name, ...(start === undefined ? [] : [start]));
}

/**
 * Switches to a local branch; uncommitted changes are kept. Rejects without changing anything if the branch differs in
 * a file with uncommitted changes.
 */
export async function switchBranch(environment: GitEnvironment, name: string): Promise<void> {
	requireName(name);
	await runGit(environment, 'switch', '-q', name);
}

/** Creates a local branch that tracks a remote one and switches to it, such as `origin/topic`. */
export async function followBranch(environment: GitEnvironment, remote: string): Promise<void> {
	requireName(remote);
	const [, host = '', name = ''] = /^([^/]+)\/(.+)$/.exec(remote) ?? [];
	await runGit(environment, 'switch', '-q', '-c', name, '--no-track', remote);
	// Set explicitly: `--track` needs the remote's own settings, which git run for Sandglass does not always read.
	await runGit(environment, 'config', `branch.${name}.remote`, host);
	await runGit(environment, 'config', `branch.${name}.merge`, `refs/heads/${name}`);
}

/** Deletes a local branch, even if its commits are on no other branch and thus become unreachable by name. */
export async function deleteBranch(environment: GitEnvironment, name: string): Promise<void> {
	requireName(name);
	await runGit(environment, 'branch', '-q', '-D', name);
	// A later branch of this name must not track anything. Rejects if this branch did not track anything.
	await runGit(environment, 'config', '--remove-section', `branch.${name}`).catch(() => undefined);
}

/** Throws for a name that git would take for an option or a revision. */
function requireName(name: string): void {
	if (!isBranchName(name)) throw new RangeError(`“${name}” cannot be the name of a branch.`);
}
