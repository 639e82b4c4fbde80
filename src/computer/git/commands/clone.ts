import { absolute } from '#computer/abi/paths.ts';
import { isBundleAt } from '../bundle/bundle-file.ts';
import { encode } from '../bytes.ts';
import { userSettings } from '../config/config.ts';
import { withoutPlace } from '../discover.ts';
import { fatal, GitError } from '../errors.ts';
import { Invocation, type Command } from '../invocation.ts';
import { createGitDirectory } from '../new-repository.ts';
import { initialBranch, templateOf } from './init.ts';
import { repack } from './repack.ts';
import { parseOptions, type Options } from '../options.ts';
import { localPath } from '../remote/remote-address.ts';
import { directoryFor } from '../remote/clone-name.ts';
import { borrowFrom, isBorrowing, stopBorrowing, type Reference } from '../remote/clone-alternates.ts';
import { isCut } from '../remote/fetch-pack.ts';
import { joinedFilter } from '../history/filter-spec.ts';
import { registerPromisor } from '../remote/partial-clone.ts';
import { CUT_OPTIONS, cutBy } from '../remote/history-cut.ts';
import { cloneRefs, settleHead, type CloneKind } from '../remote/clone-refs.ts';
import { FAMILY_OPTIONS, reachingBy } from '../remote/reaching-options.ts';
import { remoteNamed } from '../remote/remote-settings.ts';
import { isRefName } from '../refs/ref-format.ts';
import { Repository, repositoryAt } from '../repository.ts';
import { ROOT_ONLY } from '../worktree/cone-patterns.ts';
import { recordSparseMode } from '../worktree/sparse-mode.ts';

const OPTIONS = {
	...CUT_OPTIONS,
	branch: '-b --branch =',
	progress: '--progress',
	quiet: '-q --quiet',
	single: '--single-branch',
	allBranches: '--no-single-branch',
	noCheckout: '-n --no-checkout',
	origin: '-o --origin =',
	noTags: '--no-tags',
	filter: '--filter = !',
	filtersModules: '--also-filter-submodules !',
	verbose: '-v --verbose',
	bare: '--bare',
	mirror: '--mirror',
	setting: '-c --config =',
	template: '--template =',
	separate: '--separate-git-dir =',
	// Objects that are not shared are always copied, over one connection at a time.
	local: '-l --local --no-hardlinks',
	notLocal: '--no-local',
	shared: '-s --shared !',
	jobs: '-j --jobs =',
	reference: '--reference = !',
	referenceIfAble: '--reference-if-able = !',
	dissociate: '--dissociate !',
	...FAMILY_OPTIONS,
	program: '-u --upload-pack =',
	rejectShallow: '--reject-shallow !',
	recurse: '--recurse-submodules --recursive ? !',
	sparse: '--sparse !',
	shallowModules: '--shallow-submodules !',
	remoteModules: '--remote-submodules !'
};

export type CloneOptions = Options<keyof typeof OPTIONS>;

/** Steps to run at the top of the new worktree. Returns the exit code. */
type AfterClone = (root: string, options: CloneOptions) => Promise<number>;

export const clone: Command = (git, args) => cloneAnd(git, args, () => Promise.resolve(0));

/** Clones a repository, then runs further steps unless it is bare or nothing is checked out. */
export async function cloneAnd(git: Invocation, args: string[], after: AfterClone): Promise<number> {
	const options = parseOptions('clone [<options>] [--] <repo> [<dir>]', args, OPTIONS);
	const [given, directory, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (given === undefined) throw fatal('You must specify a repository to clone.');
	if (more.length > 0) throw new GitError('fatal: Too many arguments.\n', 129);
	const isBare = options.has('bare') || options.has('mirror');
	if (isBare && options.has('separate'))
		throw fatal("options '--bare' and '--separate-git-dir' cannot be used together");
	const remote = options.get('origin') ?? userSettings(git.surroundings).get('clone.defaultremotename') ?? 'origin';
	if (!isRefName(`refs/remotes/${remote}/test`)) throw fatal(`'${remote}' is not a valid remote name`);
	requireFilter(options);
	const url = cloneUrl(git, given);
	const name = (directory ?? directoryFor(given, isBare)).replace(/(.)\/+$/, '$1');
	const place = placeOf(git, name, options, isBare);
	const made = place.directories.filter((path) => git.surroundings.files.statOrNull(path) === null);
	requireFree(git, name, place.directories);
	const kind = options.has('mirror') ? 'mirror' : isBare ? 'bare' : 'usual';
	if (!options.has('quiet')) git.err(`Cloning into ${isBare ? 'bare repository ' : ''}'${name}'...\n`);
	for (const path of place.directories) git.surroundings.files.mkdir(path, { recursive: true });
	try {
		await fill(git, {
			url,
			remote,
			kind,
			options,
			place,
			isLocal: isLocal(git, url) && !options.has('notLocal')
		});
	} catch (error) {
		for (const path of place.directories) empty(git, path, made.includes(path));
		throw error;
	}
	return isBare || options.has('noCheckout') ? 0 : after(place.root, options);
}

/** @throws GitError for an invalid filter, or if submodules are filtered without one or not cloned */
function requireFilter(options: CloneOptions): void {
	joinedFilter(options.all('filter'));
	if (!options.has('filtersModules')) return;
	const required = options.has('filter') ? 'recurse' : 'filter';
	if (!options.has(required))
		throw fatal(
			`the option '--also-filter-submodules' requires '--${required === 'filter' ? 'filter' : 'recurse-submodules'}'`
		);
}

/** Paths of a new clone. */
interface ClonePlace {
	root: string;
	gitDir: string;
	/** Value of `core.worktree`, if the worktree is separate from the repository. */
	worktree: string | undefined;
	/** Directories that must be empty or missing. */
	directories: string[];
}

function placeOf(git: Invocation, name: string, options: CloneOptions, isBare: boolean): ClonePlace {
	const top = absolute(name, git.cwd);
	const given = git.env['GIT_WORK_TREE'];
	const separate = options.get('separate');
	if (separate !== undefined) {
		const gitDir = absolute(separate, git.cwd);
		return { root: top, gitDir, worktree: undefined, directories: [top, gitDir] };
	}
	if (given !== undefined && !isBare) {
		const root = absolute(given, git.cwd);
		return { root, gitDir: top, worktree: root, directories: [top, root] };
	}
	return { root: top, gitDir: isBare ? top : `${top}/.git`, worktree: undefined, directories: [top] };
}

/** @throws GitError if one of the paths exists and is not an empty directory */
function requireFree(git: Invocation, name: string, directories: readonly string[]): void {
	const { files } = git.surroundings;
	for (const [at, path] of directories.entries()) {
		const stat = files.statOrNull(path);
		if (stat && (stat.kind !== 'directory' || files.readdir(path).length > 0)) {
			if (at > 0) throw fatal(`repository path '${path}' already exists and is not an empty directory.`);
			throw fatal(`destination path '${name}' already exists and is not an empty directory.`);
		}
	}
}

/** Removes what a failed clone created. */
function empty(git: Invocation, path: string, isWhole: boolean): void {
	const { files } = git.surroundings;
	if (isWhole) files.remove(path, { recursive: true, force: true });
	else for (const { name } of files.readdir(path)) files.remove(`${path}/${name}`, { recursive: true, force: true });
}

/** Returns whether an address is the path of a repository, and of no bundle. */
const isLocal = (git: Invocation, url: string): boolean =>
	localPath(url) === url && !isBundleAt(git.surroundings, absolute(url, git.cwd));

/** A clone in progress. */
interface Cloning {
	url: string;
	remote: string;
	kind: CloneKind;
	options: CloneOptions;
	place: ClonePlace;
	/** The source is a path of this volume. */
	isLocal: boolean;
}

async function fill(git: Invocation, { url, remote, kind, options, place, isLocal }: Cloning): Promise<void> {
	const filter = joinedFilter(options.all('filter'));
	const asked = cutBy(options, git.surroundings.files.now());
	for (const [name, spelling] of [
		['depth', '--depth'],
		['since', '--shallow-since'],
		['without', '--shallow-exclude'],
		['filter', '--filter']
	] as const)
		if (isLocal && options.has(name))
			git.err(`warning: ${spelling} is ignored in local clones; use file:// instead.\n`);
	const repository = createClone(git, place, kind !== 'usual', options);
	borrowFrom(git, repository, referencesOf(git, options, isLocal ? url : null));
	const wanted = options.get('branch');
	const fetched = await cloneRefs(git, repository, {
		url,
		source: remoteNamed(repository, url).urls[0]!,
		remote,
		kind,
		wanted,
		isSingle: options.has('single') || (isCut(asked) && !options.has('allBranches')),
		noTags: options.has('noTags'),
		usual: initialBranch(undefined, git.env, repository.config),
		...(isLocal ? {} : asked),
		tracedAs: 'clone',
		...reachingBy(options, repository.config.get(`remote.${remote}.uploadpack`)),
		filter: isLocal ? null : filter,
		isPromised: filter !== null,
		progress: (options.has('progress') || git.context.sync.isTerminal(2)) && !options.has('quiet')
	});
	const isRefused =
		options.has('rejectShallow') ||
		(!options.isTakenBack('rejectShallow') && repository.config.flag('clone.rejectshallow', false));
	if (isRefused && !isCut(asked) && repository.shallowCommits().size > 0)
		throw fatal('source repository is shallow, reject to clone.');
	if (isLocal && !options.has('quiet')) git.err('done.\n');
	if (filter) registerPromisor(repository, remote, filter);
	if (options.has('dissociate')) await dissociate(git, repository, options);
	settleHead(git, repository, {
		...fetched,
		url,
		remote,
		kind,
		checksOut: kind === 'usual' && !options.has('noCheckout')
	});
}

/** Repositories that the clone borrows objects from. @param local source on this volume, which may be shared */
function referencesOf(git: Invocation, options: CloneOptions, local: string | null): Reference[] {
	const references = options
		.inOrder('reference', 'referenceIfAble')
		.map(({ name, value }) => ({ path: value, isRequired: name === 'reference' }));
	if (local === null || !options.has('shared')) return references;
	const source = repositoryAt(git.surroundings, absolute(local, git.cwd));
	if (source && source.shallowCommits().size > 0) {
		git.err('warning: source repository is shallow, ignoring --local\n');
		return references;
	}
	return source ? [...references, { path: source.commonDir, isRequired: true }] : references;
}

/** Copies borrowed objects, so that the clone no longer depends on other repositories. */
async function dissociate(git: Invocation, repository: Repository, options: CloneOptions): Promise<void> {
	if (!isBorrowing(repository)) {
		if (!options.has('shared')) git.err('warning: --dissociate given, but there is no --reference\n');
		return;
	}
	const env = { ...withoutPlace(git.env), GIT_DIR: repository.gitDir };
	const nested = new Invocation(git.context, repository.root, git.surroundings.overrides, env);
	const code = await repack(nested, ['-a', '-d', '-q']);
	nested.flush();
	if (code !== 0) throw fatal('cannot repack to clean up');
	stopBorrowing(repository);
}

/** Creates the repository, without a remote. */
function createClone(git: Invocation, place: ClonePlace, isBare: boolean, options: CloneOptions): Repository {
	const { root, gitDir, worktree } = place;
	const { files } = git.surroundings;
	const config = userSettings(git.surroundings);
	createGitDirectory(files, gitDir, {
		branch: initialBranch(undefined, git.env, config),
		bare: isBare,
		worktree,
		template: templateOf(git, options.get('template'), config)
	});
	if (!isBare && worktree === undefined && gitDir !== `${root}/.git`)
		files.writeFile(`${root}/.git`, encode(`gitdir: ${gitDir}\n`));
	const repository = new Repository({ ...git.surroundings, env: withoutPlace(git.env), cwd: root }, root, gitDir, {
		isBare
	});
	// Settings from `-c`: `key=value`, or only a key, which is then true.
	for (const text of options.all('setting')) {
		const [, key = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
		repository.config.set(`${repository.commonDir}/config`, key, value, true);
	}
	if (options.has('sparse') && !isBare) restrictToTop(repository);
	if (options.has('recurse') && repository.config.flag('submodule.stickyrecursiveclone', false))
		repository.config.set(`${repository.commonDir}/config`, 'submodule.recurse', 'true');
	for (const path of options.all('recurse'))
		repository.config.set(`${repository.commonDir}/config`, 'submodule.active', path === '' ? '.' : path, true);
	return repository;
}

/** Enables sparse checkout of the files at the top only. */
function restrictToTop(repository: Repository): void {
	recordSparseMode(repository, 'cone');
	repository.sparse.write(ROOT_ONLY);
}

/** URL as it is stored: a path of this volume becomes absolute. @throws GitError if the path has no repository */
function cloneUrl(git: Invocation, given: string): string {
	const { files } = git.surroundings;
	const isThere = files.statOrNull(absolute(given, git.cwd)) !== null;
	// An existing path is never parsed as `<host>:<path>`, even if it has colons.
	const path = isThere ? given : localPath(given);
	if (path === null) return given;
	const full = absolute(path, git.cwd);
	if (!given.startsWith('file://')) {
		const bundle = [`${full}.bundle`, full].find((file) => isBundleAt(git.surroundings, file));
		if (bundle !== undefined && files.statOrNull(full)?.kind !== 'directory') return bundle;
	}
	if (!repositoryAt(git.surroundings, full)) throw fatal(`repository '${given}' does not exist`);
	if (given.startsWith('file://')) return given;
	// As typed, even with dots: relative addresses of submodules are resolved against it.
	return given.startsWith('/') ? given : `${git.cwd}/${given}`;
}
