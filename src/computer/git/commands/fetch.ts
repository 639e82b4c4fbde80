import { absolute } from '#computer/abi/paths.ts';
import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { isAncestor } from '../history/walk.ts';
import { parseOptions } from '../options.ts';
import { type FetchedRef, fetchLocal, shortName } from '../remote/fetch-local.ts';
import { fetchFrom, type Fetched, localPath } from '../remote/transfer.ts';
import { type Repository, repositoryAt } from '../repository.ts';

export const fetch: Command = async (git, args) => {
	const options = parseOptions('fetch [<options>] [<repository> [<refspec>...]]', args, {
		depth: '--depth =',
		unshallow: '--unshallow',
		all: '--all',
		tags: '-t --tags',
		noTags: '--no-tags',
		prune: '-p --prune',
		quiet: '-q --quiet',
		verbose: '-v --verbose',
		progress: '--progress',
		force: '-f --force'
	});
	const { config } = git.repository;
	const given = options.operands[0];
	const other = given === undefined ? null : repositoryNamed(git, given);
	if (other !== null && given !== undefined) {
		const fetched = fetchLocal(git.repository, other, given, options.operands.slice(1));
		if (!options.has('quiet')) git.err(summaryOf(given, fetched));
		return 0;
	}
	const remotes = options.has('all') ? config.subsections('remote') : [given ?? defaultRemote(git)];
	for (const remote of remotes) {
		await fetchRemote(git, remote, {
			branch: options.operands[1],
			depth: options.has('unshallow')
				? 2147483647
				: options.get('depth') === undefined
					? undefined
					: Number(options.get('depth')),
			prune: options.has('prune'),
			quiet: options.has('quiet'),
			tags: !options.has('noTags'),
			progress: options.has('progress')
		});
	}
	return 0;
};

/** The repository of this volume that an operand names by its path; null for the name of a remote and for any other address. */
export function repositoryNamed(git: Invocation, text: string): Repository | null {
	const path = git.repository.config.get(`remote.${text}.url`) === undefined ? localPath(text) : null;
	return path === null ? null : repositoryAt(git.surroundings, absolute(path, git.cwd));
}

/** Lines that say what was fetched by path, in git's words. */
export function summaryOf(url: string, fetched: readonly FetchedRef[]): string {
	const lines = fetched.map(({ source, target }) => {
		const kind = source.startsWith('refs/tags/') ? 'tag' : 'branch';
		return ` * ${kind.padEnd(17)} ${shortName(source).padEnd(10)} -> ${target === null ? 'FETCH_HEAD' : shortName(target)}\n`;
	});
	return `From ${url}\n${lines.join('')}`;
}

/** The remote of the current branch, or `origin`. */
export function defaultRemote(git: Invocation): string {
	const { repository } = git;
	const branch = repository.refs.currentBranch();
	const remotes = repository.config.subsections('remote');
	const named = branch === null ? undefined : repository.config.get(`branch.${branch}.remote`);
	return named ?? (remotes.length === 1 ? remotes[0]! : 'origin');
}

interface FetchHow {
	branch?: string;
	depth?: number;
	prune: boolean;
	quiet: boolean;
	tags: boolean;
	progress: boolean;
}

/** Fetches and says which refs changed, on stderr as git does. */
export async function fetchRemote(git: Invocation, remote: string, how: FetchHow): Promise<Fetched & { url: string }> {
	const { repository } = git;
	const { refs, objects } = repository;
	const url = repository.config.get(`remote.${remote}.url`);
	if (url === undefined) {
		throw fatal(
			`'${remote}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n` +
				'Please make sure you have the correct access rights\nand the repository exists.'
		);
	}
	const state = () =>
		new Map([...refs.list(`refs/remotes/${remote}/`), ...refs.list('refs/tags/')].map(({ name, id }) => [name, id]));
	const before = state();
	const fetched = await fetchFrom(git, repository, { remote, url, ...how });
	const after = state();
	const lines: string[] = [];
	const line = (mark: string, what: string, from: string, to: string, note = '') =>
		lines.push(` ${mark} ${what.padEnd(17)} ${from.padEnd(10)} -> ${to}${note}\n`);
	for (const [name, id] of after) {
		const old = before.get(name);
		if (old === id || name.endsWith('/HEAD')) continue;
		const isTag = name.startsWith('refs/tags/');
		const short = name.replace(isTag ? 'refs/tags/' : `refs/remotes/${remote}/`, '');
		const shown = isTag ? short : `${remote}/${short}`;
		if (old === undefined) line('*', isTag ? '[new tag]' : '[new branch]', short, shown);
		else {
			const forward = isAncestor(repository, old, id);
			const range = `${objects.abbreviate(old)}${forward ? '..' : '...'}${objects.abbreviate(id)}`;
			line(forward ? ' ' : '+', range, short, shown, forward ? '' : '  (forced update)');
		}
	}
	for (const name of before.keys()) if (!after.has(name)) line('-', '[deleted]', '(none)', name.slice(13));
	if (lines.length > 0 && !how.quiet) git.err(`From ${url.replace(/\.git$/, '')}\n${lines.join('')}`);
	return { ...fetched, url };
}
