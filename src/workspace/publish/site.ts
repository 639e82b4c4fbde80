import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import type { ReadonlyTree, Tree } from '../checkpoint-store.ts';
import { authorVariables, type Author } from '../repository/author.ts';
import { zipOf } from '../zip.ts';
import { PublishError } from './errors.ts';
import { failureOf } from './failure-of.ts';
import type { PushStep } from './push-branch.ts';

/** Folders that builds of static sites write to, the likeliest first. */
const BUILT = ['dist', 'build', 'out', '_site', 'public', 'docs', 'site', 'www'];

/** A folder with a page that can be published as it is. */
export interface Site {
	/** Relative to the working directory; empty for the project itself. */
	folder: string;
	files: number;
	bytes: number;
}

/** Finds folders with an `index.html`: those that builds write to, then the project itself. */
export async function findSites(environment: ExecutionEnvironment): Promise<Site[]> {
	const { entries } = await environment.snapshot();
	const sites: Site[] = [];
	for (const folder of [...BUILT, '']) {
		const prefix = prefixOf(folder);
		if (!entries.has(`${prefix}index.html`)) continue;
		const files = filesIn(entries, folder);
		const sizes = await Promise.all([...files.keys()].map((path) => environment.stat(prefix + path)));
		sites.push({ folder, files: files.size, bytes: sizes.reduce((sum, { size }) => sum + size, 0) });
	}
	return sites;
}

/** A zip of the site's files, with `index.html` at its top. */
export async function zipSite(environment: ExecutionEnvironment, folder: string): Promise<Uint8Array> {
	return zipOf(await siteFiles(environment, folder), ({ blob }) => environment.readBlob(blob));
}

async function siteFiles(environment: ExecutionEnvironment, folder: string): Promise<Tree> {
	return filesIn((await environment.snapshot()).entries, folder);
}

const prefixOf = (folder: string): string => (folder === '' ? '' : `${folder}/`);

/**
 * The site's files by path relative to its folder, including files that git ignores; without repositories, packages and
 * hidden files.
 */
function filesIn(entries: ReadonlyTree, folder: string): Tree {
	const prefix = prefixOf(folder);
	const files: Tree = new Map();
	for (const [path, entry] of entries) {
		if (!path.startsWith(prefix) || (entry.mode !== Mode.file && entry.mode !== Mode.executable)) continue;
		const inside = path.slice(prefix.length);
		const isHidden = inside.split('/').some((part) => part.startsWith('.') && part !== '.well-known');
		if (!isHidden && !inside.split('/').includes('node_modules')) files.set(inside, entry);
	}
	return files;
}

export interface SiteToPush {
	/** Address of the repository, as git clones it. */
	url: string;
	/** Branch that holds the site and nothing else, such as `gh-pages`. */
	branch: string;
	folder: string;
	message: string;
	author?: Author | undefined;
}

/**
 * Pushes a site as the whole content of a branch, as a new commit on top of it if the branch exists. Works in a
 * separate folder: the project's files, index and branches stay as they are. `.nojekyll` keeps GitHub from omitting
 * files.
 *
 * @returns the new commit
 * @throws PublishError `publish_…`
 */
export async function pushSite(
	environment: ExecutionEnvironment,
	{ url, branch, folder, message, author }: SiteToPush,
	options: { onStep?: (step: PushStep) => void; onPush?: (commit: string) => void; signal?: AbortSignal } = {}
): Promise<string> {
	const work = `/tmp/site-${crypto.randomUUID()}`;
	const env = { WORK: work, URL: url, BRANCH: branch, MESSAGE: message, ...authorVariables(author) };
	const run = async (command: string, during: 'fetch' | 'commit' | 'push'): Promise<string> => {
		const result = await environment.exec(command, { env, ...(options.signal && { signal: options.signal }) });
		options.signal?.throwIfAborted();
		if (result.exitCode !== 0) throw failureOf(result.stderr || result.stdout, during);
		return result.stdout.trim();
	};
	try {
		options.onStep?.('fetching');
		await run('git init -q "$WORK" && cd "$WORK" && git remote add origin "$URL"', 'commit');
		await run('cd "$WORK" && git symbolic-ref HEAD "refs/heads/$BRANCH"', 'commit');
		try {
			await run('cd "$WORK" && git fetch -q --depth 1 origin "$BRANCH"', 'fetch');
			await run('cd "$WORK" && git update-ref "refs/heads/$BRANCH" "refs/remotes/origin/$BRANCH"', 'commit');
		} catch (error) {
			// The first push creates the branch.
			if (!(error instanceof PublishError && error.code === 'publish_no_branch')) throw error;
		}
		options.onStep?.('committing');
		await environment.load(contents(environment, folder), { root: work, restored: true });
		await run('cd "$WORK" && git add -A -f .', 'commit');
		if ((await run('cd "$WORK" && git status --porcelain', 'commit')) === '') throw new PublishError('publish_nothing');
		await run('cd "$WORK" && git commit -q -m "$MESSAGE"', 'commit');
		const commit = await run('cd "$WORK" && git rev-parse HEAD', 'commit');
		options.onStep?.('pushing');
		options.onPush?.(commit);
		await run('cd "$WORK" && git push -q origin "$BRANCH"', 'push');
		return commit;
	} finally {
		await environment.exec('rm -rf "$WORK"', { env: { WORK: work } });
	}
}

async function* contents(environment: ExecutionEnvironment, folder: string): AsyncIterable<LoadEntry> {
	for (const [path, { mode, blob }] of await siteFiles(environment, folder))
		yield { path, mode, bytes: await environment.readBlob(blob) };
	yield { path: '.nojekyll', mode: Mode.file, bytes: new Uint8Array() };
}

/** Address where a host serves a Pages branch; `null` if unknown. */
export function pagesAddress(host: string, repository: string): string | null {
	const [owner = '', name = ''] = repository.split('/');
	if (host !== 'github.com' || owner === '' || name === '') return null;
	const site = `${owner.toLowerCase()}.github.io`;
	return name.toLowerCase() === site ? `https://${site}/` : `https://${site}/${name}/`;
}
