import ignore, { type Ignore } from 'ignore';
import { TimeSlice } from './time-slice.ts';

const decoder = new TextDecoder();
const MOST_REMEMBERED = 10_000;
const GIT_IGNORE = ['.gitignore'];

/** Folders that tools fill and that never belong in version control, whether or not an ignore file names them. */
const generatedFolders = new Set([
	'node_modules',
	'.pnpm-store',
	'.npm',
	'.cache',
	'.parcel-cache',
	'.turbo',
	'.vite',
	'__pycache__',
	'.pytest_cache',
	'.mypy_cache',
	'.ruff_cache'
]);

type ReadonlyTree = ReadonlyMap<string, { blob: string }>;

/** Returns true for a path, relative to the working directory, that is ignored. */
export type IsIgnored = (path: string) => boolean;

/**
 * Builds a matcher from a project's ignore files. `.git` itself is always ignored, and folders such as `node_modules`
 * unless an ignore file says otherwise (`!node_modules/`).
 *
 * @param files text of every ignore file, by path relative to the working directory
 */
export function ignoreRules(files: Map<string, string>): IsIgnored {
	const rules = [...files]
		.map(([path, text]) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), test: matcherOf(text) }))
		.sort((a, b) => a.folder.length - b.folder.length);
	/** Directories, by path with a trailing slash. */
	const known = new Map<string, boolean>();

	const isIgnored = (path: string): boolean => {
		const end = path.lastIndexOf('/', path.length - 2) + 1;
		return isGit(path) || (end > 0 && isDirectoryIgnored(path.slice(0, end))) || matches(path);
	};
	const isDirectoryIgnored = (directory: string): boolean => {
		let result = known.get(directory);
		if (result === undefined) known.set(directory, (result = isIgnored(directory)));
		return result;
	};
	const matches = (path: string): boolean => {
		let ignored = isGeneratedFolder(path);
		for (const { folder, test } of rules) {
			if (!path.startsWith(folder) || path === folder) continue;
			const verdict = test(path.slice(folder.length));
			if (verdict.ignored) ignored = true;
			else if (verdict.unignored) ignored = false;
		}
		return ignored;
	};
	return isIgnored;
}

/** Returns a matcher that is recreated from time to time: the library caches every path it tests, without limit. */
function matcherOf(text: string): Ignore['test'] {
	let [matcher, asked] = [ignore().add(text), 0];
	return (path) => {
		if (++asked > MOST_REMEMBERED) [matcher, asked] = [ignore().add(text), 0];
		return matcher.test(path);
	};
}

/** Reads the ignore rules of a whole tree. */
export async function ignoreRulesOf(
	tree: ReadonlyTree,
	readBlob: (id: string) => Promise<Uint8Array>
): Promise<IsIgnored> {
	return new TreeIgnoreRules(readBlob).of(tree);
}

/**
 * Ignore rules of a changing tree. They are rebuilt only if ignore files changed, so that results for its paths
 * stay cached.
 */
export class TreeIgnoreRules {
	#versions = '';
	#isIgnored: IsIgnored = ignoreRules(new Map());
	/** True while no ignore file has changed since the last tree. */
	#isCurrent = false;
	/** Number of changes to ignore files. */
	#changes = 0;

	/** @param names names of ignore files; a later one takes precedence over an earlier one in the same folder */
	constructor(
		private readonly readBlob: (id: string) => Promise<Uint8Array>,
		private readonly names: readonly string[] = GIT_IGNORE
	) {}

	/**
	 * Returns true for a changed path that the rules of the last tree ignore. False for every path if there is no tree
	 * yet or an ignore file has changed: the next tree must be read first. Always false for git's own files, since they
	 * may move HEAD.
	 *
	 * @param path ends with a slash if it is known to be a folder
	 */
	covers(path: string): boolean {
		if (this.#isIgnoreFile(path)) {
			this.#isCurrent = false;
			this.#changes++;
		}
		return this.#isCurrent && !isGit(path) && this.#isIgnored(path);
	}

	async of(tree: ReadonlyTree): Promise<IsIgnored> {
		const changes = this.#changes;
		const rules = await this.#read(tree);
		// If an ignore file changed while the tree was being read, the rules are stale.
		if (changes === this.#changes) this.#isCurrent = true;
		return rules;
	}

	async #read(tree: ReadonlyTree): Promise<IsIgnored> {
		const found: [path: string, blob: string][] = [];
		const slice = new TimeSlice();
		for (const [path, { blob }] of tree) {
			if (slice.isExpired()) await slice.yieldThread();
			if (this.#isIgnoreFile(path)) found.push([path, blob]);
		}
		found.sort(([a], [b]) => this.#rank(a) - this.#rank(b));
		const versions = JSON.stringify(found);
		if (versions === this.#versions) return this.#isIgnored;
		const files = new Map<string, string>();
		for (const [path, blob] of found) files.set(path, decoder.decode(await this.readBlob(blob)));
		this.#isIgnored = ignoreRules(files);
		this.#versions = versions;
		return this.#isIgnored;
	}

	#isIgnoreFile(path: string): boolean {
		return this.names.includes(path.slice(path.lastIndexOf('/') + 1)) && !isInGeneratedFolder(path);
	}

	#rank(path: string): number {
		return this.names.indexOf(path.slice(path.lastIndexOf('/') + 1));
	}
}

/** @param path path of a folder with a trailing slash */
function isGeneratedFolder(path: string): boolean {
	return path.endsWith('/') && generatedFolders.has(path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1));
}

/**
 * Returns true for paths in generated folders: installed packages bring hundreds of ignore files that do not concern
 * the project.
 */
function isInGeneratedFolder(path: string): boolean {
	return path.split('/').some((segment) => generatedFolders.has(segment));
}

function isGit(path: string): boolean {
	return path === '.git' || path === '.git/' || path.startsWith('.git/');
}
