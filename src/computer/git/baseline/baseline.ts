import { GitError } from '../errors.ts';
import { encode } from '../bytes.ts';
import { serializeIndex, type IndexEntry } from '../index/index-file.ts';
import { buildTrees } from '../index/write-tree.ts';
import { createGitDirectory } from '../new-repository.ts';
import { serializeCommit, serializeSignature } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { scanWorktree } from '../worktree/scan.ts';
import { modeOf } from '../worktree/file-state.ts';
import { comparePaths } from '../bytes.ts';
import { withContents } from '#computer/process/contents.ts';
import type { Invocation } from '../invocation.ts';
import { PackWriter } from './pack-writer.ts';

const BASELINE_AUTHOR = { name: 'Sandglass', email: 'sandglass@localhost' };

/**
 * `git-baseline`: turns the current directory into a repository with one commit of all files that
 * are not ignored, in one pack (one more for each 48 MB), without creating loose objects.
 */
export function baseline(git: Invocation, args: string[]): number {
	const options = parseOptions('git-baseline [--message <text>] [--branch <name>]', args, {
		message: '--message -m =',
		branch: '--branch -b ='
	});
	const { context, cwd } = git;
	const files = context.sync;
	const gitDir = `${cwd}/.git`;
	if (files.statOrNull(gitDir)) throw new GitError('fatal: there is a repository here already', 128);
	const branch = options.get('branch') ?? 'main';
	const scan = scanWorktree(files, cwd);
	const paths = [...scan.visible].sort(comparePaths);
	const total = paths.reduce((sum, path) => sum + scan.files.get(path)!.size, 0);
	createGitDirectory(files, gitDir, { branch });
	const writer = new PackWriter(({ name, pack, index }) => {
		files.writeFile(`${gitDir}/objects/pack/${name}.pack`, pack, { mode: 0o444 });
		files.writeFile(`${gitDir}/objects/pack/${name}.idx`, index, { mode: 0o444 });
	}, total);
	const entries: IndexEntry[] = [];
	const found = paths.map((name) => ({ name, path: `${cwd}/${name}`, stat: scan.files.get(name)! }));
	for (const [{ name, path: full, stat }, content] of withContents(files, found)) {
		const id = writer.add(
			'blob',
			content ?? (stat.kind === 'symlink' ? encode(files.readlink(full)) : files.readFile(full))
		);
		const { size, modifiedMs } = stat;
		entries.push({ path: name, mode: modeOf(stat), id, stage: 0, size, modifiedMs, intentToAdd: false });
	}
	const tree = buildTrees(entries, (content) => writer.add('tree', content));
	const seconds = Math.floor(files.now() / 1000);
	const author = { ...BASELINE_AUTHOR, seconds, offsetMinutes: 0 };
	const message = `${(options.get('message') ?? 'Imported').trimEnd()}\n`;
	const commit = writer.add(
		'commit',
		serializeCommit({ tree: tree.id, parents: [], author, committer: author, message })
	);
	writer.finish();
	files.writeFile(`${gitDir}/index`, serializeIndex(entries, tree));
	const log = encode(`${NULL_ID} ${commit} ${serializeSignature(author)}\tcommit (initial): ${message}`);
	for (const name of [`logs/refs/heads/${branch}`, `refs/heads/${branch}`]) {
		files.mkdir(`${gitDir}/${name.slice(0, name.lastIndexOf('/'))}`, { recursive: true });
	}
	files.writeFile(`${gitDir}/logs/refs/heads/${branch}`, log);
	files.writeFile(`${gitDir}/logs/HEAD`, log);
	files.writeFile(`${gitDir}/refs/heads/${branch}`, encode(`${commit}\n`));
	git.out(`${commit}\n`);
	return 0;
}
