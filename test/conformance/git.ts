import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Answer, Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Families of scripts, by the first digit of their numbers. */
const FAMILIES = [
	'basics',
	'objects and references',
	'working tree',
	'index, branches, rebase, stash',
	'diff and apply'
];
const MORE_FAMILIES = ['fetch, push and clone', 'revisions and merges', 'porcelain'];

/**
 * Numbers of the scripts for everyday commands, which take a quarter of an hour; `SANDGLASS_SUITE_GIT_ALL=1` runs all
 * of t0 to t7, which takes hours.
 */
const PART = new Set(
	[
		'0001',
		'1007 1100 1300 1400 1401 1402 1403 1410 1411 1500 1503 1504 1506 1507 1508',
		'2012 2017 2018 2020 2022 2023 2024 2027 2060 2070 2107 2200 2400 2402',
		'3001 3004 3005 3020 3100 3101 3103 3104 3200 3201 3203 3400 3402 3403 3404 3405 3406 3407 3415 3418 3420 3421',
		'3501 3502 3506 3507 3510 3511 3600 3700 3903 3905',
		'4001 4002 4010 4014 4015 4017 4018 4034 4038 4045 4053 4055 4061 4062 4100 4101 4103 4107 4117 4120 4124 4129',
		'4150 4151 4201 4202 4203 4205 4207 4208 4209 4211 4215',
		'5403 5407 5505 5520 5521 5523 5601',
		'6000 6003 6005 6006 6007 6009 6010 6012 6014 6018 6019 6030 6040 6101 6120 6132 6200 6300 6302 6402 6404 6417',
		'6427 6430 6436',
		'7001 7004 7005 7007 7060 7061 7064 7101 7102 7103 7104 7106 7110 7111 7201 7300 7500 7501 7502 7503 7504 7505',
		'7508 7509 7512 7524 7525 7600 7601 7611 7810'
	].flatMap((numbers) => numbers.split(' '))
);

/** Additional options for the scripts, while working on them: `-v` shows the output of their commands. */
const OPTIONS = process.env['SANDGLASS_SUITE_GIT_OPTIONS'] ?? '';

/** Output of the makefile: paths of programs, and which are missing on both sides. */
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

/** Replaces the scripts' one-liners that translate single bytes; neither side has another Perl. */
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

/** git's own tests; each assertion of a script is counted separately. */
export const git: Suite = {
	name: 'git',
	title: "git's tests",
	place: 'SANDGLASS_SUITE_GIT',
	repository: 'https://github.com/git/git',
	sourcePackage: 'git',
	limitMs: 240_000,
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
			.filter((name) => /^t[0-7]\d{3}-.*\.sh$/.test(name) && (isWhole || PART.has(name.slice(1, 5))))
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
				// A test harness refuses options such as `-v`.
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

/** Numbers of the assertions that a script reports as passed; skipped ones and known failures do not count. */
export function assertionsOf({ stdout }: Pick<Answer, 'stdout'>): Set<string> {
	const lines = stdout.matchAll(/^ok (\d+) (?!# skip|.*# TODO)/gm);
	return new Set([...lines].map(([, number = '']) => number));
}
