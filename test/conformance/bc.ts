import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** bc's own tests, compared with the machine's bc. */
export const bc: Suite = {
	name: 'bc',
	title: "bc's tests",
	place: 'SANDGLASS_SUITE_BC',
	repository: 'https://www.gnu.org/software/bc/',
	sourcePackage: 'bc',
	async load(folder) {
		const names = (await readdir(path.join(folder, 'Test'))).filter((name) => /\.bc?$/.test(name)).sort();
		const files: Record<string, string> = {};
		for (const name of names) files[`Test/${name}`] = await readFile(path.join(folder, 'Test', name), 'utf8');
		const native = versionLine('bc');
		return {
			version: native.replace('bc ', ''),
			native,
			cases: names.map((name) => ({
				name,
				group: 'programs',
				script: `bc -l "$SUITE_ROOT/Test/${name}" </dev/null`
			})),
			files,
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin' })
		};
	}
};
