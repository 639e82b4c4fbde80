import { basename } from '#computer/abi/paths.ts';
import { GitError, fatal } from '../errors.ts';
import { commitGraphFaults, graphedIds, writeCommitGraph } from '../history/commit-graph.ts';
import { inputLines } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { isObjectId } from '../objects/object-id.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, UsageAsked } from '../options.ts';

const USAGES = {
	verify: 'commit-graph verify [--object-dir <dir>] [--shallow] [--[no-]progress]',
	write:
		'commit-graph write [--object-dir <dir>] [--append] [--reachable | --stdin-packs | --stdin-commits] [--[no-]progress]'
};
const USAGE = `usage: git ${USAGES.verify}\n   or: git ${USAGES.write}\n`;

/** `git commit-graph`: writes and verifies the file that speeds up walking large histories in other versions of git. */
export const commitGraph: Command = (git, args) => {
	const [action, ...rest] = args;
	if (action === '-h') throw new UsageAsked(USAGE);
	if (action === 'verify') return verify(git, rest);
	if (action === 'write') return write(git, rest);
	const fault = action === undefined ? 'need a subcommand' : `unknown subcommand: \`${action}'`;
	throw new GitError(`error: ${fault}\n${USAGE}`, 129);
};

const fileOf = ({ repository }: Invocation): string => `${repository.objects.directory}/info/commit-graph`;

function verify(git: Invocation, args: readonly string[]): number {
	const options = parseOptions(USAGES.verify, args, {
		objectDir: '--object-dir =',
		// Ignored: split commit-graphs are not supported.
		shallow: '--shallow',
		progress: '--progress !'
	});
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGES.verify}`, 129);
	const file = missingAsNull(() => git.repository.files.readFile(fileOf(git)));
	if (!file) return 0;
	const faults = commitGraphFaults(git.repository, file);
	for (const fault of faults) git.err(`error: ${fault}\n`);
	return faults.length === 0 ? 0 : 1;
}

function write(git: Invocation, args: readonly string[]): number {
	const options = parseOptions(USAGES.write, args, {
		objectDir: '--object-dir =',
		append: '--append',
		reachable: '--reachable',
		stdinPacks: '--stdin-packs',
		stdinCommits: '--stdin-commits',
		progress: '--progress !'
	});
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGES.write}`, 129);
	const kinds = (['reachable', 'stdinPacks', 'stdinCommits'] as const).filter((name) => options.has(name));
	if (kinds.length > 1) throw fatal('use at most one of --reachable, --stdin-commits, or --stdin-packs');
	const starts = [...startsOf(git, kinds[0]), ...(options.has('append') ? written(git) : [])];
	// In a shallow repository, the file would become wrong when the history is deepened.
	if (starts.length === 0 || git.repository.shallowCommits().size > 0) return 0;
	const { files, objects } = git.repository;
	files.mkdir(`${objects.directory}/info`, { recursive: true });
	files.remove(fileOf(git), { force: true });
	files.writeFile(fileOf(git), writeCommitGraph(git.repository, [...new Set(starts)]), { mode: 0o444 });
	return 0;
}

/** Requested commits; without a kind, all commits in packs. */
function startsOf(git: Invocation, kind: 'reachable' | 'stdinPacks' | 'stdinCommits' | undefined): string[] {
	const { repository } = git;
	const { objects, refs } = repository;
	const isCommit = (id: string) => objects.find(id)?.type === 'commit';
	if (kind === 'reachable') {
		const head = repository.head();
		const tips = [...refs.list('refs/').map(({ id }) => repository.peeled(id)), ...(head === null ? [] : [head])];
		return tips.filter(isCommit);
	}
	if (kind === 'stdinCommits')
		return [...inputLines(git)]
			.map((line) => {
				if (!isObjectId(line)) throw new GitError(`error: unexpected non-hex object ID: ${line}`, 1);
				const id = repository.peeled(line);
				if (!objects.has(line)) throw new GitError(`error: invalid object: ${line}`, 1);
				return id;
			})
			.filter(isCommit);
	const names = kind === 'stdinPacks' ? [...inputLines(git)] : null;
	const packs =
		names === null
			? objects.packs
			: names.map((name) => {
					const pack = objects.packs.find(({ path }) => basename(path).replace(/pack$/, 'idx') === name);
					if (!pack) throw new GitError(`error: error adding pack ${objects.directory}/pack/${name}`, 1);
					return pack;
				});
	return packs.flatMap(({ index }) => index.idsWithPrefix('')).filter(isCommit);
}

/** Commits in the existing file. */
function written(git: Invocation): string[] {
	const { files, objects } = git.repository;
	const file = missingAsNull(() => files.readFile(fileOf(git)));
	return file ? graphedIds(file).filter((id) => objects.find(id)?.type === 'commit') : [];
}
