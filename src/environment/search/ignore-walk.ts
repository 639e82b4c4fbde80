import ignore, { type Ignore } from 'ignore';

const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];

/**
 * Operations of a tree that a walk needs. Paths are relative to its root with `/` between parts; the root is
 * `''`.
 */
export interface SearchTree {
	/** Empty for a directory that cannot be read. */
	list(directory: string): Promise<{ name: string; isDirectory: boolean }[]>;
	/** `undefined` if there is no such file. */
	text(path: string): Promise<string | undefined>;
}

interface Rules {
	/** Directory that contains the ignore file. */
	directory: string;
	rules: Ignore;
}

/**
 * Walks the files below `start`, except those ignored by ignore files between the root and them. Links are listed but
 * not followed; `.git` is skipped.
 *
 * @returns paths relative to the root
 */
export async function* walkUnignored(tree: SearchTree, start: string): AsyncGenerator<string> {
	const above: Rules[] = [];
	let directory = '';
	for (const part of start === '' ? [] : start.split('/')) {
		above.push(...(await rulesIn(tree, directory)));
		directory = below(directory, part);
	}
	yield* visit(tree, start, above);
}

async function* visit(tree: SearchTree, directory: string, inherited: Rules[]): AsyncGenerator<string> {
	const rules = [...inherited, ...(await rulesIn(tree, directory))];
	const entries = await tree.list(directory);
	for (const { name, isDirectory } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const path = below(directory, name);
		if (name === '.git' || isIgnored(rules, path, isDirectory)) continue;
		if (isDirectory) yield* visit(tree, path, rules);
		else yield path;
	}
}

/** Applies the deepest rule that matches, as git does. */
function isIgnored(rules: Rules[], path: string, isDirectory: boolean): boolean {
	for (const { directory, rules: own } of [...rules].reverse()) {
		const relative = directory === '' ? path : path.slice(directory.length + 1);
		const verdict = own.test(relative + (isDirectory ? '/' : ''));
		if (verdict.ignored) return true;
		if (verdict.unignored) return false;
	}
	return false;
}

async function rulesIn(tree: SearchTree, directory: string): Promise<Rules[]> {
	const texts = await Promise.all(IGNORE_FILES.map((name) => tree.text(below(directory, name))));
	const text = texts.filter(Boolean).join('\n');
	return text ? [{ directory, rules: ignore().add(text) }] : [];
}

const below = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`);
