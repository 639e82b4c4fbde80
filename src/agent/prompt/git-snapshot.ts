import type { ExecutionEnvironment } from '#environment/contract.ts';
import { ownGit, type GitArguments } from '#environment/own-git.ts';
import { untrusted } from '../untrusted.ts';

/** A slow or missing git must not hold up the start of a session. */
const GIT_TIMEOUT_MS = 3_000;
const COMMITS = 8;
const STATUS = 'status --porcelain';

export interface GitSnapshot {
	/** Absolute; `null` outside a repository. */
	root: string | null;
	/** Empty where it has none, e.g. on a detached head. */
	branch: string;
	/** Text for the prompt; empty outside a repository. */
	text: string;
}

/**
 * Reads the branch, the number of changed files and the last commits (000 §6.4). What git does not report is
 * left out.
 */
export async function gitSnapshot(environment: ExecutionEnvironment): Promise<GitSnapshot> {
	const root = await repositoryRoot(environment);
	if (root === null) return { root, branch: '', text: '' };
	const both = async (): Promise<string | null> =>
		// One command: on a far machine it is one journey, in a tab one shell. Without commits there is only a status.
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

/** A line of the log begins with a hash, one of the status with two letters and a space. */
const isCommit = (row: string): boolean => /^[0-9a-f]{4,} /.test(row);

/** The nearest directory upwards that holds `.git`. */
async function repositoryRoot(environment: ExecutionEnvironment): Promise<string | null> {
	for (let directory = environment.workingDirectory(); ; directory = directory.replace(/\/[^/]*$/, '')) {
		// Above the places the environment opens, it says so with an error: nothing is found there.
		if (await environment.fileExists(`${directory}/.git`).catch(() => false)) return directory || '/';
		if (directory === '') return null;
	}
}

async function headBranch(environment: ExecutionEnvironment, root: string): Promise<string> {
	const head = await environment.readFile(`${root}/.git/HEAD`).catch(() => '');
	const named = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
	if (named !== undefined) return named.trim();
	// A worktree's `.git` is a file that points elsewhere: git knows.
	return (await git(environment, 'branch --show-current'))?.trim() ?? '';
}

/** Output of git; `null` where it fails or is not there. */
async function git(environment: ExecutionEnvironment, ...calls: GitArguments[]): Promise<string | null> {
	const command = ownGit(environment, ...calls);
	const result = await environment.exec(command, { timeoutMs: GIT_TIMEOUT_MS }).catch(() => null);
	return result?.exitCode === 0 ? result.stdout : null;
}
