import { absolute } from '#computer/abi/paths.ts';
import { readBundle, requirePrerequisites, writeBundle, type Bundle } from '../bundle/bundle-file.ts';
import { readBundleNames, type BundledName } from '../bundle/bundle-names.ts';
import { decode } from '../bytes.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { dateOf } from '../history/filter.ts';
import { splitNames } from '../history/listed-objects.ts';
import { HistorySelection, SELECTION_OPTIONS } from '../history/selection.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseSignature, subjectOf } from '../objects/commit.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, UsageAsked, type Options } from '../options.ts';
import { referenceNamed } from '../refs/named-ref.ts';
import { resolveRevision } from '../refs/revision.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { isInRepository } from './config.ts';
import { keepThinPack } from './index-pack.ts';
import { packOf } from './pack-objects.ts';

const USAGES = {
	create:
		'bundle create [-q | --quiet | --progress | --all-progress] [--all-progress-implied] [--version=<version>] <file> <git-rev-list-args>',
	verify: 'bundle verify [-q | --quiet] <file>',
	'list-heads': 'bundle list-heads <file> [<refname>...]',
	unbundle: 'bundle unbundle [--progress] <file> [<refname>...]'
};
const USAGE = `usage: git ${Object.values(USAGES).join('\n   or: git ')}\n`;

/** `git bundle`: stores a part of the history in one file. */
export const bundle: Command = (git, args) => {
	const [action, ...rest] = args;
	if (action === '-h') throw new UsageAsked(USAGE);
	if (action === 'create') return create(git, rest);
	if (action === 'verify') return verify(git, rest);
	if (action === 'list-heads') return listHeads(git, rest);
	if (action === 'unbundle') return unbundle(git, rest);
	throw new GitError(
		action === undefined ? `error: need a subcommand\n${USAGE}` : `error: unknown subcommand: \`${action}'\n${USAGE}`,
		129
	);
};

/** Parses the options before the file name, and the file name. */
function fileOf(args: readonly string[], usage: string, spec: Record<string, string>) {
	const at = args.findIndex((arg, i) => (!arg.startsWith('-') || arg === '-') && args[i - 1] !== '--version');
	const options: Options<string> = parseOptions(usage, at < 0 ? args : args.slice(0, at), spec);
	const file = at < 0 ? undefined : args[at];
	if (file === undefined) throw new GitError(`fatal: need a <file> argument\n\nusage: git ${usage}`, 129);
	return { options, file, rest: args.slice(at + 1) };
}

// Ignored: no progress is shown.
const PROGRESS = '-q --quiet --progress --no-progress --all-progress --all-progress-implied';

const CREATE_OPTIONS = { ...SELECTION_OPTIONS, filter: '--filter =' };

function create(git: Invocation, args: readonly string[]): number {
	const { options, file, rest } = fileOf(args, USAGES.create, { progress: PROGRESS, version: '--version =' });
	if (rest.length === 0) throw new GitError(`usage: git ${USAGES.create}`, 129);
	const { repository } = git;
	const names = readBundleNames(git, rest);
	const selection = parseOptions(USAGES.create, names.options, CREATE_OPTIONS);
	const filter = selection.get('filter') ?? null;
	const version = Number(options.get('version') ?? (filter === null ? 2 : 3));
	if (version !== 2 && version !== 3) throw fatal(`unsupported bundle version ${options.get('version') ?? ''}`);
	if (version === 2 && filter !== null) throw fatal('cannot write bundle version 2 with algorithm sha1');
	selection.add('boundary', '');
	const { commits } = splitNames(repository, names.revisions);
	const found = [
		...new HistorySelection(repository, selection, { names: commits, pathspec: new Pathspec(repository, []) })
	];
	const prerequisites = found
		.filter(({ mark }) => mark === '-')
		.map(({ id, commit }) => ({ id, subject: subjectOf(commit.message) }));
	const shown = new Set(found.filter(({ mark }) => mark !== '-').map(({ id }) => id));
	const tips = tipsOf(git, names.included, shown, selection);
	if (tips.references.length === 0) throw fatal('Refusing to create empty bundle.');
	const left = [...names.revisions.filter((name) => name.startsWith('^')), ...prerequisites.map(({ id }) => `^${id}`)];
	const pack = packOf(
		git,
		['--thin', '--delta-base-offset', ...(filter === null ? [] : [`--filter=${filter}`])],
		[...tips.ids, ...left]
	);
	const bytes = writeBundle({ version, filter, prerequisites, references: tips.references, pack });
	if (file === '-') git.out(bytes);
	else git.context.sync.writeFile(absolute(file, git.cwd), bytes);
	return 0;
}

/** Refs of a bundle, and the ids of the objects to pack. */
function tipsOf(
	git: Invocation,
	included: readonly BundledName[],
	shown: ReadonlySet<string>,
	options: Options<keyof typeof CREATE_OPTIONS>
): { references: Bundle['references']; ids: string[] } {
	const { repository } = git;
	const references: Bundle['references'] = [];
	const ids: string[] = [];
	for (const { name, isEnd } of included) {
		const id = resolveRevision(repository, name);
		const type = repository.objects.find(id)?.type;
		const target = isEnd ? repository.peeled(id) : id;
		ids.push(id);
		const ref = referenceNamed(repository, name);
		if (ref === null || repository.refs.resolve(ref) !== id || references.some((one) => one.name === ref)) continue;
		if (type === 'tag' && !isEnd && !isInTime(git, id, options)) {
			ids.pop();
			continue;
		}
		if (repository.objects.find(target)?.type === 'commit' && !shown.has(target)) {
			git.err(`warning: ref '${name}' is excluded by the rev-list options\n`);
			continue;
		}
		// The end of a range is a commit, not the tag that names it.
		if (target === id) references.push({ id, name: name === 'HEAD' ? name : ref });
	}
	return { references, ids };
}

/** Returns whether a tag was created within `--since` and `--until`. */
function isInTime({ repository }: Invocation, id: string, options: Options<'since' | 'until'>): boolean {
	const { objects, files } = repository;
	const tagger = /^tagger (.*)$/m.exec(decode(objects.read(id, 'tag')))?.[1];
	if (tagger === undefined) return true;
	const { seconds } = parseSignature(tagger);
	const [since, until] = [options.get('since'), options.get('until')];
	if (since !== undefined && dateOf(since, files.now()) >= seconds) return false;
	return until === undefined || dateOf(until, files.now()) > seconds;
}

function readFile(git: Invocation, file: string): Bundle {
	const bytes = file === '-' ? git.input() : missingAsNull(() => git.context.sync.readFile(absolute(file, git.cwd)));
	if (!bytes) throw failure(`could not open '${file}'`);
	return readBundle(bytes, file);
}

function verify(git: Invocation, args: readonly string[]): number {
	const { options, file } = fileOf(args, USAGES.verify, { quiet: '-q --quiet' });
	const found = readFile(git, file);
	if (!isInRepository(git)) throw failure('need a repository to verify a bundle');
	requirePrerequisites(git.repository, found);
	if (!options.has('quiet')) {
		const { references, prerequisites, filter } = found;
		git.out(`The bundle contains ${counted(references.length)}:\n`);
		for (const { id, name } of references) git.out(`${id} ${name}\n`);
		if (prerequisites.length === 0) git.out('The bundle records a complete history.\n');
		else git.out(`The bundle requires ${counted(prerequisites.length)}:\n`);
		for (const { id } of prerequisites) git.out(`${id} \n`);
		git.out('The bundle uses this hash algorithm: sha1\n');
		if (filter !== null) git.out(`The bundle uses this filter: ${filter}\n`);
	}
	git.err(`${file} is okay\n`);
	return 0;
}

const counted = (count: number): string => (count === 1 ? 'this ref' : `these ${count} refs`);

function listHeads(git: Invocation, args: readonly string[]): number {
	const { file, rest } = fileOf(args, USAGES['list-heads'], {});
	printReferences(git, readFile(git, file), rest);
	return 0;
}

function printReferences(git: Invocation, { references }: Bundle, names: readonly string[]): void {
	for (const { id, name } of references) if (names.length === 0 || names.includes(name)) git.out(`${id} ${name}\n`);
}

function unbundle(git: Invocation, args: readonly string[]): number {
	const { file, rest } = fileOf(args, USAGES.unbundle, { progress: '--progress' });
	const found = readFile(git, file);
	if (!isInRepository(git)) throw fatal('Need a repository to unbundle.');
	requirePrerequisites(git.repository, found);
	keepThinPack(git, found.pack, found.filter === null ? null : 'from-bundle');
	printReferences(git, found, rest);
	return 0;
}
