import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** gawk's own tests, compared with the machine's gawk. */
export const gawk: Suite = {
	name: 'gawk',
	title: "gawk's tests",
	place: 'SANDGLASS_SUITE_GAWK',
	repository: 'https://git.savannah.gnu.org/cgit/gawk.git',
	sourcePackage: 'gawk',
	causes: [
		[/^(?:apiterm|fnmatch|functab[45]|ordchr|revout|revtwoway|rwarray|time)$/, 'needs extensions that `@load` links'],
		[/^(?:profile\d+|nsprof\d)$/, '`--pretty-print` keeps neither comments nor namespaces'],
		[/^mpfr/, 'needs numbers of any precision (`-M`)'],
		[/^(?:arraysort|symtab1|symtab11)$/, "needs the order of gawk's hash tables"],
		[/^(?:mbstr[12]|backbigs1)$/, 'bytes that are no characters match as one, without a warning'],
		[/^(?:lintold|lintwarn|clos1way6)$/, '`--lint-old`, and warnings of `--lint` that are not there'],
		[/^childin$/, 'commands that `getline` runs have no standard input']
	],
	async load(folder) {
		const suite: Required<Pick<LoadedSuite, 'files' | 'binaries'>> = { files: {}, binaries: {} };
		for await (const name of filesBelow(folder, 'test')) {
			const bytes = await readFile(path.join(folder, name));
			if (/\.(?:[cho]|am|mk)$|Makefile|ChangeLog/.test(name)) continue;
			if (isUtf8(bytes)) suite.files[name] = bytes.toString('utf8');
			else suite.binaries[name] = bytes.toString('base64');
		}
		const [, version = ''] = /AC_INIT\(\[GNU Awk\],\[([\d.]+)/.exec(
			await readFile(path.join(folder, 'configure.ac'), 'utf8')
		)!;
		const native = versionLine('gawk');
		return {
			version,
			native,
			cases: parseRules(await readFile(path.join(folder, 'test/Maketests'), 'utf8')),
			...suite,
			isCase: ({ stdout }) => stdout.endsWith('\nverdict PASS\n'),
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin', srcdir: `${root}/test` })
		};
	}
};

/** Parses the makefile rules that run gawk and compare its output with a file. */
export function parseRules(text: string): Case[] {
	const cases: Case[] = [];
	for (const [, name = '', recipe = ''] of text.matchAll(/^([\w-]+):\n((?:\t.*\n)+)/gm)) {
		if (!recipe.includes('$(AWK)') || recipe.includes('--debug')) continue;
		const script = recipe
			.replaceAll(/^\t@?-?/gm, '')
			.replaceAll(/^(?:echo \$@|\$\(CMP\).*)$/gm, '')
			.replaceAll('$@', name)
			.replaceAll('$(AWK)', 'gawk')
			.replaceAll('$(srcdir)', '$srcdir')
			.replaceAll('$$', '$');
		cases.push({
			name,
			group: 'programs',
			script: `${script}\ncat _${name}; cmp -s "$srcdir/${name}.ok" _${name} && echo "verdict PASS" || echo "verdict FAIL"`
		});
	}
	return cases;
}
