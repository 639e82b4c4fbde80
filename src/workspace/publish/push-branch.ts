import type { ExecResult, ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import type { PathDifference } from '../contract.ts';
import { PublishError } from './errors.ts';
import { authorVariables, type Author } from '../repository/author.ts';
import { isBranchName } from '../repository/branches.ts';
import { failureOf } from './failure-of.ts';
import { shellWord } from '#environment/shell-word.ts';

/** Number of path arguments of one command. */
const PATHS_AT_ONCE = 200;

export type BranchToPush = NewCommit & BranchBase;

interface NewCommit {
	/** Address of the repository, as git clones it. */
	url: string;
	branch: string;
	message: string;
	author?: Author;
	/** Changes since the import or the last push. */
	differences: readonly PathDifference[];
	readBlob: (id: string) => Promise<Uint8Array>;
}

/** The branch that the pushed one is based on. */
type BranchBase =
	/** Defaults to the repository's default branch. */
	| { again: false; target?: string }
	/** The branch was pushed from here before: new commits are added on top of it, and its base is known. */
	| { again: true; target: string };

export type PushStep = 'fetching' | 'committing' | 'pushing';

/**
 * Pushes the differences as one commit on top of the host's current branch. Works in a separate folder, so the
 * project's files, index and branches stay unchanged, and the history is the host's own however much of it was
 * imported.
 *
 * @returns the base branch, and the new commit
 * @throws PublishError `publish_…`
 */
export async function pushBranch(
	environment: ExecutionEnvironment,
	push: BranchToPush,
	options: { onStep?: (step: PushStep) => void; onPush?: (commit: string) => void; signal?: AbortSignal } = {}
): Promise<{ target: string; commit: string }> {
	if (!isBranchName(push.branch)) throw new PublishError('publish_name', push.branch);
	if (push.differences.length === 0) throw new PublishError('publish_nothing');
	const folder = `/tmp/publish-${crypto.randomUUID()}`;
	const env = {
		FOLDER: folder,
		URL: push.url,
		BRANCH: push.branch,
		TARGET: push.target ?? '',
		MESSAGE: push.message,
		...authorVariables(push.author)
	};
	const run = (command: string): Promise<ExecResult> =>
		environment.exec(command, { env, ...(options.signal && { signal: options.signal }) });
	const must = async (command: string, code: 'fetch' | 'commit' | 'push'): Promise<string> => {
		const result = await run(command);
		options.signal?.throwIfAborted();
		if (result.exitCode !== 0) throw failureOf(result.stderr || result.stdout, code);
		return result.stdout;
	};
	try {
		options.onStep?.('fetching');
		const from = push.again ? ' --branch "$BRANCH"' : push.target === undefined ? '' : ' --branch "$TARGET"';
		// The new commit needs none of the host's contents, so a part of a repository that is too large for the tab
		// can be pushed too.
		await must(`git clone -q -n --depth 1 --filter=blob:none${from} "$URL" "$FOLDER"`, 'fetch');
		const defaultBranch = (await must('cd "$FOLDER" && git rev-parse --abbrev-ref HEAD', 'fetch')).trim();
		const target = push.target ?? defaultBranch;
		// The host has all objects of the base: only new objects are sent.
		await must(
			`cd "$FOLDER" && git symbolic-ref refs/remotes/origin/HEAD ${shellWord(`refs/remotes/origin/${defaultBranch}`)}`,
			'fetch'
		);
		if (target === push.branch) throw new PublishError('publish_branch_exists');
		if (!push.again && (await run('cd "$FOLDER" && git fetch -q --depth 1 origin "$BRANCH"')).exitCode === 0)
			throw new PublishError('publish_branch_exists');
		options.onStep?.('committing');
		await must('cd "$FOLDER" && git reset -q', 'commit');
		await stage(environment, folder, push, (command) => must(`cd "$FOLDER" && ${command}`, 'commit'));
		const switching = push.again ? 'true' : 'git symbolic-ref HEAD "refs/heads/$BRANCH"';
		const begin = push.again ? '' : 'git update-ref "refs/heads/$BRANCH" HEAD && ';
		await must(`cd "$FOLDER" && ${begin}${switching}`, 'commit');
		await must('cd "$FOLDER" && git commit -q -m "$MESSAGE"', 'commit');
		options.onStep?.('pushing');
		const commit = (await must('cd "$FOLDER" && git rev-parse HEAD', 'commit')).trim();
		options.onPush?.(commit);
		await must('cd "$FOLDER" && git push -q origin "$BRANCH"', 'push');
		return { target, commit };
	} finally {
		await environment.exec('rm -rf "$FOLDER"', { env: { FOLDER: folder } });
	}
}

/** Stages the differences, unless the host's branch has changed these paths since. */
async function stage(
	environment: ExecutionEnvironment,
	folder: string,
	{ differences, readBlob }: BranchToPush,
	git: (command: string) => Promise<string>
): Promise<void> {
	const there = new Map<string, string>();
	for (const part of inParts(differences)) {
		const listed = await git(`git ls-tree -r -z HEAD -- ${part.map(({ path }) => shellWord(path)).join(' ')}`);
		for (const line of listed.split('\0')) {
			const entry = /^\d+ blob ([0-9a-f]+)\t([\s\S]+)$/.exec(line);
			if (entry?.[1] && entry[2] !== undefined) there.set(entry[2], entry[1]);
		}
	}
	const moved = differences.filter(({ path, before, after }) => {
		const now = there.get(path);
		return now !== before?.blob && now !== after?.blob;
	});
	if (moved.length > 0) throw new PublishError('publish_moved', moved.map(({ path }) => path).join(', '));
	const written = differences.filter(({ after }) => after !== null);
	async function* contents(): AsyncIterable<LoadEntry> {
		for (const { path, after } of written)
			if (after) yield { path, mode: after.mode, bytes: await readBlob(after.blob) };
	}
	await environment.load(contents(), { root: folder, restored: true });
	for (const part of inParts(written)) await git(`git add -f -- ${part.map(({ path }) => shellWord(path)).join(' ')}`);
	const gone = differences.filter(({ path, after }) => after === null && there.has(path));
	for (const part of inParts(gone))
		await git(`git rm -q --cached -- ${part.map(({ path }) => shellWord(path)).join(' ')}`);
	if ((await git('git diff --cached --no-renames --name-only')).trim() === '')
		throw new PublishError('publish_nothing');
}

function* inParts<T>(list: readonly T[]): Generator<readonly T[]> {
	for (let at = 0; at < list.length; at += PATHS_AT_ONCE) yield list.slice(at, at + PATHS_AT_ONCE);
}
