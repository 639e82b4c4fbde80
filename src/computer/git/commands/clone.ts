import { absolute } from '#computer/abi/paths.ts';
import { fatal } from '../errors.ts';
import { fetchFrom } from '../remote/transfer.ts';
import type { Command } from '../invocation.ts';
import { createGitDirectory } from '../new-repository.ts';
import { parseOptions } from '../options.ts';
import { Repository } from '../repository.ts';
import { checkOutFirst } from '../worktree/first-checkout.ts';

export const clone: Command = async (git, args) => {
	const options = parseOptions('clone [<options>] [--] <repo> [<dir>]', args, {
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
		verbose: '-v --verbose'
	});
	const [url, directory] = [...options.operands, ...(options.paths ?? [])];
	if (url === undefined) throw fatal('You must specify a repository to clone.');
	const { files } = git.surroundings;
	const name = directory ?? nameOf(url);
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
	if (!options.has('quiet')) git.err(`Cloning into '${name}'...\n`);
	const remote = options.get('origin') ?? 'origin';
	files.mkdir(root, { recursive: true });
	try {
		createGitDirectory(files, `${root}/.git`, 'main');
		const repository = new Repository(git.surroundings, root);
		const config = `${repository.gitDir}/config`;
		const single = options.has('single') || (depth !== undefined && !options.has('allBranches'));
		const wanted = options.get('branch');
		const fetchedBranches = single && wanted !== undefined ? wanted : '*';
		const spec = `+refs/heads/${fetchedBranches}:refs/remotes/${remote}/${fetchedBranches}`;
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

/** Last part of an address, without `.git`. */
function nameOf(url: string): string {
	const parts = url
		.replace(/\/+$/, '')
		.replace(/\.git$/, '')
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
