import ignore, { type Ignore } from 'ignore';
import { Stretches } from '../environment/stretches.ts';
import type { ReadonlyTree, Tree } from './checkpoint-store.ts';

const decoder = new TextDecoder();
const MOST_REMEMBERED = 10_000;

/** Whether a path, relative to the working directory, is one that git would not look at. */
export type IsIgnored = (path: string) => boolean;

/**
 * Builds the test from a project's `.gitignore` files; `.git` itself is always ignored.
 *
 * @param files every `.gitignore` by its path relative to the working directory, with its text
 */
export function ignoreRules(files: Map<string, string>): IsIgnored {
	const rules = [...files]
		.map(([path, text]) => ({ folder: path.slice(0, -'.gitignore'.length), test: matcherOf(text) }))
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
		let ignored = false;
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
export async function ignoreRulesOf(tree: Tree, readBlob: (id: string) => Promise<Uint8Array>): Promise<IsIgnored> {
	return new TreeIgnoreRules(readBlob).of(tree);
}

/** The rules of a tree that changes, made anew only where they have: what was found out of its paths stays known. */
export class TreeIgnoreRules {
	#versions = '';
	#isIgnored: IsIgnored = ignoreRules(new Map());

	constructor(private readonly readBlob: (id: string) => Promise<Uint8Array>) {}

	async of(tree: ReadonlyTree): Promise<IsIgnored> {
		const found: [path: string, blob: string][] = [];
		const stretches = new Stretches();
		for (const [path, { blob }] of tree) {
			if (stretches.areOver()) await stretches.pause();
			if (path === '.gitignore' || path.endsWith('/.gitignore')) found.push([path, blob]);
		}
		const versions = JSON.stringify(found);
		if (versions === this.#versions) return this.#isIgnored;
		const files = new Map<string, string>();
		for (const [path, blob] of found) files.set(path, decoder.decode(await this.readBlob(blob)));
		this.#isIgnored = ignoreRules(files);
		this.#versions = versions;
		return this.#isIgnored;
	}
}

function isGit(path: string): boolean {
	return path === '.git' || path === '.git/' || path.startsWith('.git/');
}
