import ignore from 'ignore';
import type { Tree } from './checkpoint-store.ts';

const decoder = new TextDecoder();

/** Whether a path, relative to the working directory, is one that git would not look at. */
export type IsIgnored = (path: string) => boolean;

/**
 * Builds the test from a project's `.gitignore` files; `.git` itself is always ignored.
 *
 * @param files every `.gitignore` by its path relative to the working directory, with its text
 */
export function ignoreRules(files: Map<string, string>): IsIgnored {
	const rules = [...files]
		.map(([path, text]) => ({ folder: path.slice(0, -'.gitignore'.length), matcher: ignore().add(text) }))
		.sort((a, b) => a.folder.length - b.folder.length);
	const known = new Map<string, boolean>();

	const isIgnored = (path: string): boolean => {
		const cached = known.get(path);
		if (cached !== undefined) return cached;
		const parent = path.replace(/\/?[^/]+\/?$/, '');
		const result = isGit(path) || (parent !== '' && isIgnored(`${parent}/`)) || matches(path);
		known.set(path, result);
		return result;
	};
	const matches = (path: string): boolean => {
		let ignored = false;
		for (const { folder, matcher } of rules) {
			if (!path.startsWith(folder) || path === folder) continue;
			const verdict = matcher.test(path.slice(folder.length));
			if (verdict.ignored) ignored = true;
			else if (verdict.unignored) ignored = false;
		}
		return ignored;
	};
	return isIgnored;
}

/** The rules of a whole tree. */
export async function ignoreRulesOf(tree: Tree, readBlob: (id: string) => Promise<Uint8Array>): Promise<IsIgnored> {
	const files = new Map<string, string>();
	for (const [path, entry] of tree) {
		if (path === '.gitignore' || path.endsWith('/.gitignore'))
			files.set(path, decoder.decode(await readBlob(entry.blob)));
	}
	return ignoreRules(files);
}

function isGit(path: string): boolean {
	return path === '.git' || path === '.git/' || path.startsWith('.git/');
}
