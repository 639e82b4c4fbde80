import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Case, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** The parts of the suite's helper programs that its scripts use. */
const GENFILE = String.raw`#!/bin/bash
length=0 file= stat= pattern=default seek=
while [ $# -gt 0 ]; do
	case $1 in
	--length=*) length=${'$'}{1#*=} ;; -l | --length) length=$2; shift ;;
	-l*) length=${'$'}{1#-l} ;;
	--file=*) file=${'$'}{1#*=} ;; -f | --file) file=$2; shift ;;
	--pattern=*) pattern=${'$'}{1#*=} ;; -p | --pattern) pattern=$2; shift ;;
	--stat=*) stat=${'$'}{1#*=} ;; -S | --stat) stat=name,dev,ino,mode,nlink,uid,gid,size,blksize,blocks,atime,mtime,ctime ;;
	--files-from | -T | --sparse | -s | --run* | -r | --checkpoint* | --touch* | --seek* | --append | -a) exit 77 ;;
	-*) exit 77 ;;
	*) files+=("$1") ;;
	esac
	shift
done
case $length in *k | *K) length=$((${'$'}{length%?} * 1024)) ;; *M) length=$((${'$'}{length%?} * 1048576)) ;; esac
if [ "$stat" ]; then
	for one in "${'$'}{files[@]}"; do
		case $stat in
		mode) stat -c 0%a "$one" ;; mode:*) printf '%o\n' $((8#$(stat -c %a "$one") & 8#${'$'}{stat#mode:})) ;;
		uid) stat -c %u "$one" ;; gid) stat -c %g "$one" ;; size) stat -c %s "$one" ;; mtime) stat -c %Y "$one" ;;
		mtimeH) stat -c %y "$one" ;; nlink) stat -c %h "$one" ;; *) exit 77 ;;
		esac
	done
	exit
fi
bytes() {
	case $pattern in
	zeros) head -c "$length" /dev/zero ;;
	*) [ "$length" -gt 0 ] && for ((at = 0; at < (length + 255) / 256; at++)); do printf '%b' "$block"; done | head -c "$length" ;;
	esac
}
block=
for ((code = 0; code < 256; code++)); do printf -v one '\\%04o' "$code"; block+=$one; done
if [ "$file" ]; then bytes >"$file"; else bytes; fi
`;

const INSTALL = '#!/bin/bash\nexec install "$@"\n';

/** Functions shared by the scripts. */
const SHARED = `decho() { echo $*; echo >&2 $*; }
mkexcltest() { mkdir $1 $1/subdir; genfile --file=$1/top-level-file; genfile --file=$1/subdir/excludeme; genfile --file=$1/subdir/subdir-file; }
`;

const FORMATS = 'v7,oldgnu,ustar,posix,gnu';

/** tar's own tests, each in the formats it names; the expectations in their tables are part of the answer. */
export const tar: Suite = {
	name: 'tar',
	title: "tar's tests",
	place: 'SANDGLASS_SUITE_TAR',
	repository: 'https://git.savannah.gnu.org/cgit/tar.git',
	sourcePackage: 'tar',
	causes: [
		[/^time01 /, 'needs times finer than milliseconds'],
		[/^extrac11 /, 'needs a limit of open files, of which none are open here']
	],
	async load(folder) {
		const names = (await readdir(path.join(folder, 'tests'))).filter((name) => name.endsWith('.at')).sort();
		const cases: Case[] = [];
		for (const name of names) {
			if (name === 'testsuite.at') continue;
			cases.push(...casesOf(name.replace('.at', ''), await readFile(path.join(folder, 'tests', name), 'utf8')));
		}
		const native = versionLine('tar');
		return {
			version: native.replace('tar (GNU tar) ', ''),
			native,
			cases,
			files: { 'bin/genfile': GENFILE, 'bin/install-sh': INSTALL },
			isCase: ({ stdout }) => stdout.endsWith('\nverdict PASS\n'),
			env: (root) => ({ SUITE_ROOT: root, PATH: `${root}/bin:/usr/local/bin:/usr/bin:/bin`, LC_ALL: 'C' })
		};
	}
};

/** Parses the calls of `AT_TAR_CHECK` and `AT_CHECK` in one file; what a call prepares remains for the next. */
export function casesOf(group: string, text: string): Case[] {
	const lines = text.replaceAll(/^dnl .*$/gm, '').replaceAll(/^#.*\n/gm, '');
	const [, script, status = '0', stdout = '', , , , formats = FORMATS] = /AT_TAR_CHECK\(/.test(lines)
		? ['', ...argumentsOf(lines, lines.indexOf('AT_TAR_CHECK(') + 'AT_TAR_CHECK('.length)]
		: [];
	if (script === undefined || /AT_(?:DATA|CHECK)\(|AT_TARBALL|AT_STAR|\bm4_/.test(lines)) return [];
	return (formats || FORMATS).split(',').map((raw) => {
		const format = raw.replaceAll(/[[\]\s]/g, '');
		return {
			name: `${group} ${format}`,
			group: group.replace(/\d+[a-c]?$/, ''),
			script: `${SHARED}mkdir ${format} && cd ${format}\n(${prepared(script)}\n) >../out 2>../err\nstatus=$?\ncat ../out\necho "status $status"\n[ $status = ${status.trim() || '0'} ] && printf %s "$SUITE_EXPECTED" | cmp -s - ../out && echo "verdict PASS"`,
			env: { TEST_TAR_FORMAT: format, TAR_OPTIONS: `-H ${format}`, SUITE_EXPECTED: unescaped(stdout) }
		};
	});
}

/** Parses bracketed arguments from an opening parenthesis on, as m4 does. */
function argumentsOf(text: string, from: number): string[] {
	const found: string[] = [];
	let depth = 0;
	let argument = '';
	for (let at = from; at < text.length; at++) {
		const char = text[at]!;
		if (char === '[') {
			if (depth++ > 0) argument += char;
		} else if (char === ']') {
			if (--depth > 0) argument += char;
		} else if (depth === 0 && (char === ',' || char === ')')) {
			found.push(argument);
			argument = '';
			if (char === ')') break;
		} else if (depth > 0) argument += char;
		else if (!/\s/.test(char)) argument += char;
	}
	return found;
}

const unescaped = (text: string): string =>
	text.replaceAll('@<:@', '[').replaceAll('@:>@', ']').replaceAll('@S|@', '$').replaceAll('@%:@', '#');

/** Replaces the macros in a script that check requirements with shell code. */
function prepared(script: string): string {
	return unescaped(script)
		.replaceAll(/AT_TAR_MKHIER\(([^),]*)(?:,([^)]*))?\)/g, (_, folder: string, file?: string) => {
			const name = (word: string) => word.replaceAll(/[[\]\s]/g, '');
			return `install-sh -d ${name(folder)} >/dev/null${file === undefined ? '' : ` && genfile --file ${name(folder)}/${name(file)}`}`;
		})
		.replaceAll(/AT_(?:SORT|UNPRIVILEGED|SIGPIPE|TIMEOUT)_PREREQ\b(?:\(\))?/g, ':')
		.replaceAll(/AT_[A-Z_]+(?:\([^)]*\))?/g, 'exit 77');
}
