import ignore, { type Ignore } from 'ignore';
import { TimeSlice } from './time-slice.ts';

const decoder = new TextDecoder();
const MOST_REMEMBERED = 10_000;
const GIT_IGNORE = ['.gitignore'];

/** Folders that tools fill and that belong in no version control, whether or not an ignore file names them. */
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
 * Builds the test from a project's ignore files. `.git` itself is always ignored, and folders such as `node_modules`
 * unless an ignore file says otherwise (`!node_modules/`).
 *
 * @param files every ignore file by its path relative to the working directory, with its text
 */
export function ignoreRules(files: Map<string, string>): IsIgnored {
	const rules = [...files]
		.map(([path, text]) => ({ folder: path.slice(0, path.lastIndexOf('/') + 1), test: matcherOf(text) }))
		.sort((a, b) => a.folder.length - b.folder.length);
	/** Directories, by their paths with a slash at the end. */
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

/** The library remembers every path it was asked for; of very many it is made to forget. */
function matcherOf(text: string): Ignore['test'] {
	let [matcher, asked] = [ignore().add(text), 0];
	return (path) => {
		if (++asked > MOST_REMEMBERED) [matcher, asked] = [ignore().add(text), 0];
		return matcher.test(path);
	};
}

/** The rules of a whole tree. */
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
	/** Set while no ignore file has changed since the last tree. */
	#isCurrent = false;
	/** Number of changes of ignore files. */
	#changes = 0;

	/** @param names what ignore files are called; a later one wins over an earlier one of the same folder */
	constructor(
		private readonly readBlob: (id: string) => Promise<Uint8Array>,
		private readonly names: readonly string[] = GIT_IGNORE
	) {}

	/**
	 * Returns true for a changed path that the rules of the last tree ignore. Without a tree, and behind a change of an
	 * ignore file, none is: the next tree has to be read. git's own files never are, which may move HEAD.
	 *
	 * @param path ends in a slash where it is known to be a folder
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
		// A tree that was read before a change says nothing of what is there behind it.
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

/** @param path of a folder with a slash at its end */
function isGeneratedFolder(path: string): boolean {
	return path.endsWith('/') && generatedFolders.has(path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1));
}

/** Installed packages bring hundreds of ignore files of their own, which say nothing about the project. */
function isInGeneratedFolder(path: string): boolean {
	return path.split('/').some((segment) => generatedFolders.has(segment));
}

function isGit(path: string): boolean {
	return path === '.git' || path === '.git/' || path.startsWith('.git/');
}
