import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

interface ScriptSuite {
	name: string;
	/** Folder of the tests in the package. */
	folder: string;
	/** Folder that the scripts expect as `srcdir`, below the suite's root; absent: the root itself. */
	sourceFolder?: string;
	/** Program whose `--version` names the real side. */
	program: string;
	/** Further cases from tables in the package. */
	tables?(folder: string): Promise<Case[]>;
	/** Reasons for permanent differences, by the names of the cases. */
	causes?: Suite['causes'];
	/** Programs that the package builds only for its scripts, by name; not among the programs compared. */
	programs?: Readonly<Record<string, string>>;
	/** Further variables set by the package's makefile. */
	settings?(folder: string): Promise<Record<string, string>>;
}

/**
 * A suite of shell scripts in gnulib's framework (`init.sh`): each is one case, whose result is its exit status. Only
 * those that pass natively count; a script that lacks a helper program, root or Perl does not.
 */
export function gnuScripts(suite: ScriptSuite): Suite {
	const { name, folder: tests, sourceFolder = '', program, tables, programs = {}, causes = [] } = suite;
	return {
		name,
		title: `${name}'s tests`,
		place: `SANDGLASS_SUITE_${name.toUpperCase()}`,
		repository: `https://git.savannah.gnu.org/cgit/${name}.git`,
		sourcePackage: name,
		causes,
		async load(folder): Promise<LoadedSuite> {
			const files: Record<string, string> = {};
			for (const [program, text] of Object.entries(programs)) files[`src/${program}`] = text;
			const configuration = path.join(sourceFolder, 'init.cfg');
			if (existsSync(path.join(folder, configuration)))
				files[configuration] = await readFile(path.join(folder, configuration), 'utf8');
			const cases: Case[] = [];
			for await (const file of filesBelow(folder, tests)) {
				const text = await readFile(path.join(folder, file), 'utf8');
				if (/\.(?:p[lm]|[cho]|am|in|mk)$/.test(file)) continue;
				files[file] = text;
				if (isScript(text)) cases.push(scriptCase(file, tests));
			}
			cases.sort((a, b) => (a.name < b.name ? -1 : 1));
			cases.push(...((await tables?.(folder)) ?? []));
			const version = (await readFile(path.join(folder, '.tarball-version'), 'utf8')).trim();
			const settings = await suite.settings?.(folder);
			const native = versionLine(program);
			return {
				version,
				native,
				cases,
				files,
				isCase: ({ status }) => status === 0,
				env: (root) => ({
					SUITE_ROOT: root,
					PATH: `${root}/src:/usr/local/bin:/usr/bin:/bin`,
					srcdir: path.join(root, sourceFolder),
					abs_srcdir: path.join(root, sourceFolder),
					abs_top_srcdir: root,
					abs_top_builddir: root,
					...{ VERSION: version, PACKAGE_VERSION: version, SHELL: '/bin/bash', AWK: 'awk', fail: '0' },
					...{ LOCALE_FR: 'none', LOCALE_FR_UTF8: 'none', PERL: 'perl', host_triplet: 'x86_64-pc-linux-gnu' },
					...settings
				})
			};
		}
	};
}

const isScript = (text: string) => /^\. "\$\{srcdir=\.\}\/(?:\w+\/)?init\.sh"/m.test(text);

function scriptCase(file: string, tests: string): Case {
	const name = path.relative(tests, file);
	return {
		name,
		group: name.includes('/') ? path.dirname(name) : 'scripts',
		script: `cd _tmp && exec bash "$SUITE_ROOT/${file}" 9>&2 >&2`
	};
}

/** Lines `status@pattern@text` of grep's tables. */
export async function grepTables(folder: string): Promise<Case[]> {
	const cases: Case[] = [];
	for (const [table, options] of Object.entries({ bre: '-e', ere: '-E -e', spencer1: '-E -e' })) {
		const text = await readFile(path.join(folder, `tests/${table}.tests`), 'utf8');
		for (const [index, line] of text.split('\n').entries()) {
			const [, pattern, subject, ...rest] = line.split('@');
			if (line.startsWith('#') || pattern === undefined || subject === undefined || rest.length > 0) continue;
			cases.push({
				name: `${table} ${index + 1}: ${pattern} ${subject}`,
				group: table,
				script: `printf '%s\\n' "$SUITE_TEXT" | grep ${options} "$SUITE_PATTERN"; echo "status $?"`,
				env: { SUITE_PATTERN: pattern, SUITE_TEXT: subject }
			});
		}
	}
	return cases;
}

export const grep = gnuScripts({
	name: 'grep',
	folder: 'tests',
	sourceFolder: 'tests',
	program: 'grep',
	tables: grepTables
});
export const sed = gnuScripts({
	name: 'sed',
	folder: 'testsuite',
	program: 'sed',
	causes: [[/^(?:bug32082|bug32271-2|newline-dfa-bug)\.sh$/, 'needs valgrind']],
	settings: async () => ({ built_programs: 'sed' })
});
export const findutils = gnuScripts({
	name: 'findutils',
	folder: 'tests',
	program: 'find',
	settings: async () => ({ built_programs: 'find xargs frcode locate updatedb' })
});
export const diffutils = gnuScripts({
	name: 'diffutils',
	folder: 'tests',
	sourceFolder: 'tests',
	program: 'diff',
	causes: [[/^strip-trailing-cr$/, 'needs valgrind']]
});
export const gzip = gnuScripts({
	name: 'gzip',
	folder: 'tests',
	sourceFolder: 'tests',
	program: 'gzip',
	causes: [[/^zgrep-signal$/, 'needs Perl']]
});
