import { absolute } from '#computer/abi/paths.ts';
import { fatal, GitError } from '../errors.ts';
import { fetchFrom, localPath } from '../remote/transfer.ts';
import type { Command, Invocation } from '../invocation.ts';
import { createGitDirectory } from '../new-repository.ts';
import { parseOptions } from '../options.ts';
import { Repository, repositoryAt } from '../repository.ts';
import { checkOutFirst } from '../worktree/first-checkout.ts';
import { withoutPlace } from '../discover.ts';

const OPTIONS = {
	depth: '--depth =',
	branch: '-b --branch =',
	progress: '--progress',
	quiet: '-q --quiet',
	single: '--single-branch',
	allBranches: '--no-single-branch',
	noCheckout: '-n --no-checkout',
	origin: '-o --origin =',
	noTags: '--no-tags',
	filter: '--filter =',
	verbose: '-v --verbose',
	bare: '--bare',
	mirror: '--mirror',
	setting: '-c --config =',
	local: '-l --local --no-local --no-hardlinks --no-shallow-submodules',
	shared: '-s --shared',
	template: '--template =',
	jobs: '-j --jobs ='
};

export const clone: Command = async (git, args) => {
	const options = parseOptions('clone [<options>] [--] <repo> [<dir>]', args, OPTIONS);
	const [given, directory, ...more] = [...options.operands, ...(options.paths ?? [])];
	if (given === undefined) throw fatal('You must specify a repository to clone.');
	if (more.length > 0) throw new GitError('fatal: Too many arguments.\n', 129);
	const { files } = git.surroundings;
	const url = cloneUrl(git, given);
	const isBare = options.has('bare') || options.has('mirror');
	const name = directory ?? (isBare ? `${nameOf(given)}.git` : nameOf(given));
	const root = absolute(name, git.cwd);
	const before = files.statOrNull(root);
	if (before && (before.kind !== 'directory' || files.readdir(root).length > 0)) {
		throw fatal(`destination path '${name}' already exists and is not an empty directory.`);
	}
	const depth = parseDepth(options.get('depth'));
	const filter = options.get('filter');
	// What is left out is not fetched later, so there must be no need for it.
	if (filter !== undefined && (filter !== 'blob:none' || !options.has('noCheckout')))
		throw fatal('here --filter can only be blob:none, together with --no-checkout');
	if (!options.has('quiet')) git.err(`Cloning into ${isBare ? 'bare repository ' : ''}'${name}'...\n`);
	const remote = options.get('origin') ?? 'origin';
	files.mkdir(root, { recursive: true });
	try {
		const repository = createClone(git, root, isBare, options.all('setting'));
		const config = `${repository.commonDir}/config`;
		const single = options.has('single') || (depth !== undefined && !options.has('allBranches'));
		const wanted = options.get('branch');
		const fetchedBranches = single && wanted !== undefined ? wanted : '*';
		const target = isBare ? 'refs/heads' : `refs/remotes/${remote}`;
		const spec = `+refs/heads/${fetchedBranches}:${target}/${fetchedBranches}`;
		repository.config.set(config, `remote.${remote}.url`, url);
		repository.config.set(config, `remote.${remote}.fetch`, spec);
		const fetched = await fetchFrom(git, repository, {
			remote,
			url,
			branch: single ? (wanted ?? 'HEAD') : undefined,
			depth,
			tags: !options.has('noTags') && !single,
			prune: false,
			withoutContents: filter !== undefined,
			progress: (options.has('progress') || git.context.sync.isTerminal(2)) && !options.has('quiet')
		});
		if (isBare) {
			settleBare(repository, remote, wanted ?? fetched.defaultBranch, options.has('mirror'));
			return 0;
		}
		if (fetched.head === null) {
			git.err('warning: You appear to have cloned an empty repository.\n');
			return 0;
		}
		const branch = wanted ?? fetched.defaultBranch?.replace('refs/heads/', '') ?? 'main';
		checkOut(repository, remote, branch, fetched, url, !options.has('noCheckout'));
	} catch (error) {
		if (before)
			for (const { name: entry } of files.readdir(root))
				files.remove(`${root}/${entry}`, { recursive: true, force: true });
		else files.remove(root, { recursive: true, force: true });
		throw error;
	}
	return 0;
};

/** Makes the repository, without a remote yet. @param settings of `-c`: `key=value`, or a key that is true */
function createClone(git: Invocation, root: string, isBare: boolean, settings: readonly string[]): Repository {
	const gitDir = isBare ? root : `${root}/.git`;
	const branchOfNothing = git.env['GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME'] ?? 'main';
	createGitDirectory(git.surroundings.files, gitDir, { branch: branchOfNothing, bare: isBare });
	const repository = new Repository({ ...git.surroundings, env: withoutPlace(git.env), cwd: root }, root, gitDir, {
		isBare
	});
	for (const text of settings) {
		const [, key = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
		repository.config.set(`${repository.commonDir}/config`, key, value, true);
	}
	return repository;
}

/** The address as it is stored: a path of this volume becomes absolute. @throws GitError when nothing is there */
function cloneUrl(git: Invocation, given: string): string {
	const path = localPath(given);
	if (path === null) return given;
	const full = absolute(path, git.cwd);
	if (!repositoryAt(git.surroundings, full)) throw fatal(`repository '${given}' does not exist`);
	if (given.startsWith('file://')) return given;
	const isThere = git.surroundings.files.statOrNull(full) !== null;
	return isThere ? full.replace(/\/$/, '') : `${full}.git`;
}

/** Lets a bare repository's HEAD be the other's, and keeps what it fetched from only as an address. */
function settleBare(repository: Repository, remote: string, branch: string | null, mirrors: boolean): void {
	const { refs, config, gitDir } = repository;
	if (branch !== null) refs.setSymbolic('HEAD', branch.startsWith('refs/') ? branch : `refs/heads/${branch}`);
	if (!mirrors) config.set(`${gitDir}/config`, `remote.${remote}.fetch`, null);
	else {
		config.set(`${gitDir}/config`, `remote.${remote}.fetch`, '+refs/*:refs/*');
		config.set(`${gitDir}/config`, `remote.${remote}.mirror`, 'true');
	}
}

/** Last part of an address, without `.git`. */
function nameOf(url: string): string {
	const parts = url
		.replace(/(?:\/+\.git)?\/*$/, '')
		.replace(/\.(?:git|bundle)$/, '')
		.split('/');
	return parts.at(-1)!;
}

function parseDepth(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const depth = Number(text);
	if (!(Number.isInteger(depth) && depth > 0)) throw fatal(`depth ${text} is not a positive number`);
	return depth;
}

function checkOut(
	repository: Repository,
	remote: string,
	branch: string,
	fetched: { head: string | null; defaultBranch: string | null },
	url: string,
	write: boolean
): void {
	const { refs, config, gitDir } = repository;
	const main = fetched.defaultBranch?.replace('refs/heads/', '');
	if (
		main !== undefined &&
		refs.resolve(`refs/remotes/${remote}/${main}`) === null &&
		fetched.head !== null &&
		main === branch
	) {
		refs.note(`refs/remotes/${remote}/${main}`, fetched.head);
	}
	const id = refs.resolve(`refs/remotes/${remote}/${branch}`);
	const tag = id === null ? refs.resolve(`refs/tags/${branch}`) : null;
	if (id === null && tag === null) throw fatal(`Remote branch ${branch} not found in upstream ${remote}`);
	if (main !== undefined) refs.setSymbolic(`refs/remotes/${remote}/HEAD`, `refs/remotes/${remote}/${main}`);
	const commit = repository.peeled(id ?? tag!);
	if (id !== null) {
		refs.setSymbolic('HEAD', `refs/heads/${branch}`);
		config.set(`${gitDir}/config`, `branch.${branch}.remote`, remote);
		config.set(`${gitDir}/config`, `branch.${branch}.merge`, `refs/heads/${branch}`);
		refs.update('HEAD', commit, `clone: from ${url}`);
	} else refs.moveHead({ id: commit }, `clone: from ${url}`);
	if (!write) return;
	checkOutFirst(repository, repository.commit(commit).tree);
	repository.index.save();
}
