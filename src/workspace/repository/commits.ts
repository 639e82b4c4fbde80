import { runGit, type GitEnvironment } from './run-git.ts';

/** A name that points to a commit. */
export interface CommitRef {
	kind: 'branch' | 'remote' | 'tag';
	name: string;
	/** Set if HEAD is on this branch. */
	current: boolean;
}

/** One commit of the repository. */
export interface Commit {
	/** Hexadecimal. */
	id: string;
	/** Empty for the first commit, and for the oldest one of a shallow clone. */
	parents: readonly string[];
	author: { name: string; email: string };
	/** Milliseconds since the epoch, from the author's clock. */
	time: number;
	/** First line of the message. */
	subject: string;
	/** The rest of the message, without blank lines around it; may be empty. */
	body: string;
	refs: readonly CommitRef[];
	/** Set for the commit that HEAD points to. */
	head: boolean;
}

const FIELDS = ['%H', '%P', '%an', '%ae', '%at', '%D', '%s', '%b'] as const;
const FORMAT = ['--decorate=full', `--format=${FIELDS.map((field) => `${field}%x00`).join('')}`];

/**
 * Reads the commits reachable from branches, remote branches, tags and HEAD, children before their parents.
 *
 * @param limit maximum number of commits to read
 * @returns an empty list for a repository without commits. Rejects with git's error message if there is no repository
 */
export async function readCommits(environment: GitEnvironment, limit: number): Promise<Commit[]> {
	if (!(await hasCommit(environment))) {
		// Distinguishes a new repository from a missing one.
		await runGit(environment, 'rev-parse', '--git-dir');
		return [];
	}
	const names = ['--branches', '--remotes', '--tags', 'HEAD'];
	return parse(await runGit(environment, 'log', '--topo-order', `--max-count=${limit}`, ...FORMAT, ...names));
}

/** Reads the commit that HEAD points to; `null` if there is none. */
export async function readHeadCommit(environment: GitEnvironment): Promise<Commit | null> {
	if (!(await hasCommit(environment))) return null;
	return parse(await runGit(environment, 'log', '--max-count=1', ...FORMAT, 'HEAD'))[0] ?? null;
}

const hasCommit = (environment: GitEnvironment): Promise<boolean> =>
	runGit(environment, 'rev-parse', '-q', '--verify', 'HEAD').then(
		() => true,
		() => false
	);

/** Messages and names can contain any character except NUL, which therefore ends each field. */
function parse(listed: string): Commit[] {
	const fields = listed.split('\0');
	const commits: Commit[] = [];
	for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
		const [id = '', parents = '', name = '', email = '', seconds = '', refs = '', subject = '', body = ''] =
			fields.slice(at, at + FIELDS.length);
		const commit = id.trim();
		if (!/^[0-9a-f]{40,64}$/.test(commit)) break;
		commits.push({
			id: commit,
			parents: parents.split(' ').filter((parent) => parent !== ''),
			author: { name, email },
			time: (Number(seconds) || 0) * 1000,
			subject,
			body: body.trim(),
			refs: refs.split(', ').flatMap(refOf),
			head: /^HEAD(?:,| ->|$)/.test(refs)
		});
	}
	return commits;
}

/** Parses a decoration such as `HEAD -> refs/heads/main`; skips the remote's own HEAD. */
function refOf(decoration: string): CommitRef[] {
	const [, onHead, full = ''] = /^(HEAD -> )?(?:tag: )?(.*)$/.exec(decoration) ?? [];
	const [, space, name = ''] = /^refs\/(heads|remotes|tags)\/(.+)$/.exec(full) ?? [];
	if (space === undefined || (space === 'remotes' && name.endsWith('/HEAD'))) return [];
	const kind = space === 'heads' ? 'branch' : space === 'tags' ? 'tag' : 'remote';
	return [{ kind, name, current: onHead !== undefined }];
}
