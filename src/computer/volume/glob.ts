import type { Link } from '@jsonjoy.com/fs-core';
import ignore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { isWithin, join } from '#computer/abi/paths.ts';
import { childrenOf, fileOf, isDirectory } from './inode.ts';
import type { Volume } from './volume.ts';

/** Rules of one ignore file; they apply below its directory. */
interface Rules {
	directory: string;
	ignore: Ignore;
}

/**
 * Files below `path` that match `pattern`, newest first. Files matched by `.gitignore` and `.ignore` are excluded, and
 * `.git`. A pattern without a slash only matches in `path` itself.
 */
export function globFiles(volume: Volume, pattern: string, path: string): string[] {
	const top = volume.existing(path);
	if (!isDirectory(top.link)) return [];
	const relative = pattern.startsWith('/') && isWithin(pattern, path) ? pattern.slice(path.length + 1) : pattern;
	const matches = picomatch(relative.replace(/^\.\//, ''), { dot: true });
	const found: { path: string; modifiedMs: number }[] = [];
	const visit = (directory: Link, at: string, below: string, inherited: Rules[]): void => {
		const rules = [...inherited, ...rulesIn(directory, at)];
		for (const [name, child] of childrenOf(directory)) {
			const inner = below === '' ? name : `${below}/${name}`;
			const full = join(at, name);
			if (name === '.git' || isIgnored(full, isDirectory(child), rules)) continue;
			if (isDirectory(child)) visit(child, full, inner, rules);
			else if (matches(inner)) found.push({ path: full, modifiedMs: child.getNode().mtime.getTime() });
		}
	};
	visit(top.link, path, '', []);
	return found.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1)).map((file) => file.path);
}

function rulesIn(directory: Link, at: string): Rules[] {
	return ['.gitignore', '.ignore'].flatMap((name) => {
		const file = fileOf(directory.getChild(name));
		if (!file) return [];
		return [{ directory: at, ignore: ignore().add(new TextDecoder().decode(file.content.peek())) }];
	});
}

function isIgnored(path: string, isDirectory: boolean, rules: Rules[]): boolean {
	let ignored = false;
	for (const { directory, ignore: rule } of rules) {
		const below = path.slice(directory === '/' ? 1 : directory.length + 1) + (isDirectory ? '/' : '');
		const result = rule.test(below);
		if (result.ignored) ignored = true;
		else if (result.unignored) ignored = false;
	}
	return ignored;
}
