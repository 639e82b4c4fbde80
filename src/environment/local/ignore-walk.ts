import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];

interface Rules {
	/** Absolute directory the rules are written in. */
	directory: string;
	rules: Ignore;
}

/**
 * Files below `start`, absolute, with those left out that ignore files between `root` and them name.
 * Links are listed and not followed; `.git` is skipped.
 */
export async function* walkUnignored(root: string, start: string): AsyncGenerator<string> {
	const above: Rules[] = [];
	if (start !== root && start.startsWith(root + sep)) {
		let directory = root;
		for (const part of relative(root, start).split(sep)) {
			above.push(...(await rulesIn(directory)));
			directory = join(directory, part);
		}
	}
	yield* visit(start, above);
}

async function* visit(directory: string, inherited: Rules[]): AsyncGenerator<string> {
	const rules = [...inherited, ...(await rulesIn(directory))];
	const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
	for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const path = join(directory, entry.name);
		if (entry.name === '.git' || isIgnored(rules, path, entry.isDirectory())) continue;
		if (entry.isDirectory()) yield* visit(path, rules);
		else if (entry.isFile() || entry.isSymbolicLink()) yield path;
	}
}

/** The deepest rule that says anything wins, as in git. */
function isIgnored(rules: Rules[], path: string, isDirectory: boolean): boolean {
	for (const { directory, rules: own } of [...rules].reverse()) {
		const verdict = own.test(relative(directory, path).split(sep).join('/') + (isDirectory ? '/' : ''));
		if (verdict.ignored) return true;
		if (verdict.unignored) return false;
	}
	return false;
}

async function rulesIn(directory: string): Promise<Rules[]> {
	const texts = await Promise.all(IGNORE_FILES.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')));
	const text = texts.filter(Boolean).join('\n');
	return text ? [{ directory, rules: ignore().add(text) }] : [];
}
