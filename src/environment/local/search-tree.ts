import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { walkUnignored } from '../search/ignore-walk.ts';

/**
 * Files below `start`, except those ignored by ignore files between `root` and them.
 *
 * @returns paths relative to `start`, `/` between parts
 */
export async function* filesBelow(root: string, start: string): AsyncGenerator<string> {
	const base = start.startsWith(root + sep) ? root : start;
	const below = relative(base, start).split(sep).join('/');
	const tree = {
		async list(directory: string) {
			const entries = await readdir(join(base, directory), { withFileTypes: true }).catch(() => []);
			return entries
				.filter((entry) => entry.isDirectory() || entry.isFile() || entry.isSymbolicLink())
				.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
		},
		text: (path: string) => readFile(join(base, path), 'utf8').catch(() => undefined)
	};
	for await (const path of walkUnignored(tree, below)) yield below === '' ? path : path.slice(below.length + 1);
}
