import type { ExecutionEnvironment } from '#environment/contract.ts';
import { ownGit, type GitArguments } from '#environment/own-git.ts';
import { untrusted } from '../untrusted.ts';

/** A slow or missing git must not delay the start of a session. */
const GIT_TIMEOUT_MS = 3_000;
const COMMITS = 8;
const STATUS = 'status --porcelain';

export interface GitSnapshot {
	/** Absolute; `null` outside a repository. */
	root: string | null;
	/** Empty if there is none, e.g. with a detached HEAD. */
	branch: string;
	/** Text for the prompt; empty outside a repository. */
	text: string;
}

/**
 * Reads the branch, the number of changed files and the last commits (000 §6.4). Omits anything that git does not
 * report.
 */
export async function gitSnapshot(environment: ExecutionEnvironment): Promise<GitSnapshot> {
	const root = await repositoryRoot(environment);
	if (root === null) return { root, branch: '', text: '' };
	const both = async (): Promise<string | null> =>
		// One command: a single round trip to a remote machine, a single shell in the tab. Without commits there is
		// only a status.
		(await git(environment, STATUS, `log --oneline -n ${COMMITS}`)) ?? (await git(environment, STATUS));
	const [branch, status] = await Promise.all([headBranch(environment, root), both()]);
	const lines = [`Branch: ${branch || 'detached'}`];
	if (status !== null) {
		const rows = status.split('\n').filter(Boolean);
		const commits = rows.filter(isCommit);
		const untracked = rows.filter((row) => row.startsWith('??')).length;
		lines.push(`Status: ${rows.length - commits.length - untracked} modified, ${untracked} untracked`);
		if (commits.length > 0) lines.push('Recent commits:', ...commits);
	}
	// Branch names and commit messages are written by authors of the repository.
	const quoted = untrusted('git', lines.join('\n'));
	return { root, branch, text: `Git at the start of the session (it is not kept up to date here):\n${quoted}` };
}

/** A line of the log starts with a hash, a line of the status with two letters and a space. */
const isCommit = (row: string): boolean => /^[0-9a-f]{4,} /.test(row);

/** Nearest directory at or above the working directory that contains `.git`. */
async function repositoryRoot(environment: ExecutionEnvironment): Promise<string | null> {
	for (let directory = environment.workingDirectory(); ; directory = directory.replace(/\/[^/]*$/, '')) {
		// Above the directories that the environment can access, it throws an error: treated as not found.
		if (await environment.fileExists(`${directory}/.git`).catch(() => false)) return directory || '/';
		if (directory === '') return null;
	}
}

async function headBranch(environment: ExecutionEnvironment, root: string): Promise<string> {
	const head = await environment.readFile(`${root}/.git/HEAD`).catch(() => '');
	const named = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
	if (named !== undefined) return named.trim();
	// A worktree's `.git` is a file that points elsewhere: ask git.
	return (await git(environment, 'branch --show-current'))?.trim() ?? '';
}

/** Output of git; `null` if it fails or is not installed. */
async function git(environment: ExecutionEnvironment, ...calls: GitArguments[]): Promise<string | null> {
	const command = ownGit(environment, ...calls);
	const result = await environment.exec(command, { timeoutMs: GIT_TIMEOUT_MS }).catch(() => null);
	return result?.exitCode === 0 ? result.stdout : null;
}
