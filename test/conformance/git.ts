import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Answer, Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Families of scripts by the first digit of their numbers. */
const FAMILIES = [
	'basics',
	'objects and references',
	'working tree',
	'index, branches, rebase, stash',
	'diff and apply'
];
const MORE_FAMILIES = ['fetch, push and clone', 'revisions and merges', 'porcelain'];

/**
 * Scripts of the everyday commands on one repository, which take minutes; `SANDGLASS_SUITE_GIT_ALL=1` runs all of t0 to t7,
 * which takes hours beside other work.
 */
const PART = new RegExp(
	`^t(?:${[
		'0001-init|1100-commit-tree|1300-config|1500-rev-parse|1503-rev-parse|2018-checkout-branch|2020-checkout-detach',
		'2022-checkout-paths|2060-switch|2070-restore|2107-update-index|2200-add-update|3501-revert|3600-rm|3700-add',
		'4002-diff|4101-apply|6010-merge-base|7001-mv|7102-reset|7201-co|7300-clean|7501-commit'
	].join('|')})`
);

/** Further options of the scripts, for work on one of them: `-v` shows what its commands print. */
const OPTIONS = process.env['SANDGLASS_SUITE_GIT_OPTIONS'] ?? '';

/** What the makefile writes: where programs are, and which are left out on both sides. */
const BUILD_OPTIONS = `SHELL_PATH='/bin/bash'
TEST_SHELL_PATH='/bin/bash'
PERL_PATH="$SUITE_ROOT/bin/perl"
DIFF='diff'
PYTHON_PATH='false'
TAR='tar'
NO_CURL='YesPlease'
USE_LIBPCRE2=''
NO_PERL='YesPlease'
NO_PYTHON='YesPlease'
NO_GETTEXT='YesPlease'
PAGER_ENV='LESS=FRX LV=-c'
X=''
`;

/** The scripts' one-liners that translate single bytes; there is no other Perl on either side. */
const PERL = String.raw`#!/bin/bash
case "$1 $2" in
'-pe y/\012/\000/') exec tr '\012' '\000' ;;
'-pe y/\000/Q/') exec tr '\000' Q ;;
'-pe y/Q/\000/') exec tr Q '\000' ;;
'-e '*GIT_*) exit 0 ;;
esac
exit 127
`;

/** The parts of the helper program `test-tool` that need none of git's own code. */
const TEST_TOOL = String.raw`#!/bin/bash
tool=$1
shift
case "$tool $1" in
'path-utils file-size') stat -c %s "$2" ;;
'path-utils real_path') shift; realpath -m -- "$@" ;;
'date is64bit' | 'date time_t-is64bit') exit 0 ;;
'date getnanos') date +%s.%N ;;
'chmtime '*)
	shown= silent=
	while :; do
		case $1 in
		--get | -g) shown=mtime silent=t; shift ;;
		--verbose | -v) shown=both; shift ;;
		*) break ;;
		esac
	done
	change=
	case $1 in [=+-]*) change=$1; shift ;; esac
	for file; do
		before=$(stat -c %Y -- "$file") || exit 1
		case $change in
		'') after=$before ;;
		=+*) after=$(($(date +%s) + ${'$'}{change#=+})) ;;
		=-*) after=$(($(date +%s) - ${'$'}{change#=-})) ;;
		=*) after=${'$'}{change#=} ;;
		*) after=$((before + change)) ;;
		esac
		[ "$after" = "$before" ] || touch -d "@$after" -- "$file" || exit 1
		case $shown in mtime) echo "$after" ;; both) printf '%s\t%s\n' "$after" "$file" ;; esac
	done
	;;
'sha1 '*) sha1sum | cut -c 1-40 ;;
'genzeros '*) head -c "$1" /dev/zero ;;
*) echo "test-tool $tool: not among the suite's helper programs" >&2; exit 127 ;;
esac
`;

/** git's own tests; each assertion of a script counts by itself. */
export const git: Suite = {
	name: 'git',
	title: "git's tests",
	place: 'SANDGLASS_SUITE_GIT',
	repository: 'https://github.com/git/git',
	sourcePackage: 'git',
	limitMs: 90_000,
	async load(folder): Promise<LoadedSuite> {
		const files: Record<string, string> = {
			'GIT-BUILD-OPTIONS': BUILD_OPTIONS,
			'bin/perl': PERL,
			't/helper/test-tool': TEST_TOOL
		};
		const binaries: Record<string, string> = {};
		const add = async (name: string, file = name) => {
			const bytes = await readFile(path.join(folder, file));
			if (isUtf8(bytes)) files[name] = bytes.toString('utf8');
			else binaries[name] = bytes.toString('base64');
		};
		const isLeftOut = (name: string) => /\/t(?:9\d*|helper|chainlint|perf|interop|valgrind)$/.test(name);
		for await (const file of filesBelow(folder, 't', isLeftOut))
			if (!/^t\/(?:t9|helper|chainlint|perf|interop|valgrind|Git-SVN)/.test(file)) await add(file);
		for (const file of await readdir(path.join(folder, 'templates')))
			if (file.includes('--') && !file.startsWith('branches'))
				await add(`templates/blt/${file.replace('this--', '').replace('--', '/')}`, `templates/${file}`);
		const isWhole = process.env['SANDGLASS_SUITE_GIT_ALL'] !== undefined;
		const scripts = (await readdir(path.join(folder, 't')))
			.filter((name) => /^t[0-7]\d{3}-.*\.sh$/.test(name) && (isWhole || PART.test(name)))
			.sort();
		const native = versionLine('git');
		return {
			version: /^DEF_VER=v(.*)$/m.exec(await readFile(path.join(folder, 'GIT-VERSION-GEN'), 'utf8'))?.[1] ?? 'unknown',
			native,
			cases: scripts.map(scriptCase),
			files,
			binaries,
			isCase: (answer) => assertionsOf(answer).size > 0,
			assertions: assertionsOf,
			env: (root) => ({
				SUITE_ROOT: root,
				PATH: `${root}/bin:/usr/local/bin:/usr/bin:/bin`,
				GIT_TEST_INSTALLED: '/usr/bin',
				GIT_TEST_CHAIN_LINT: '0',
				// A harness refuses to be shown more.
				...(OPTIONS === '' ? { HARNESS_ACTIVE: '1' } : {}),
				TERM: 'dumb'
			})
		};
	}
};

function scriptCase(file: string): Case {
	return {
		name: file.replace('.sh', ''),
		group: [...FAMILIES, ...MORE_FAMILIES][Number(file[1])] ?? 'others',
		script: `cd "$SUITE_ROOT/t" && exec bash ./${file} --root="$TMP/_tmp" ${OPTIONS}`
	};
}

/** Numbers of the assertions that a script reports as held; those that were left out, or that are known to fail, are none. */
export function assertionsOf({ stdout }: Pick<Answer, 'stdout'>): Set<string> {
	const lines = stdout.matchAll(/^ok (\d+) (?!# skip|.*# TODO)/gm);
	return new Set([...lines].map(([, number = '']) => number));
}
