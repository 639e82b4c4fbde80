import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Scripts that run other scripts. */
const OTHER = /^run-(?:all|minimal|gprof)$/;

/** `recho`: prints each argument on a line, control characters as `^X`. */
const RECHO = `#!/bin/bash
number=0
for word; do
	if [[ $word == *[[:cntrl:]]* ]]; then
		for code in {1..31} 127; do
			printf -v raw '\\\\x%x' "$code"
			printf -v raw "$raw"
			printf -v shown '\\\\x%x' $((code ^ 64))
			printf -v shown "$shown"
			word=\${word//"$raw"/"^$shown"}
		done
	fi
	printf 'argv[%d] = <%s>\\n' $((++number)) "$word"
done
`;

/** The suite's helper programs, which its makefile builds. */
const PROGRAMS: Readonly<Record<string, string>> = {
	recho: RECHO,
	zecho: '#!/bin/bash\nprintf "%s\\n" "$*"\n',
	xcase:
		'#!/bin/bash\ncase $1 in -n) shift ;; esac\ncase $1 in -u) tr a-z A-Z ;; -l) tr A-Z a-z ;; *) tr a-zA-Z A-Za-z ;; esac\n'
};

/** Names of scripts with differences, and the reasons. */
const CAUSES: Suite['causes'] = [
	[/^hist(?:expand|ory)$/, 'no history expansion (`!!`) and no `fc` in scripts with `set -o history -H`'],
	[/^nameref$/, 'not every builtin that assigns checks the name that a reference has'],
	[/^procsub$/, '`<(…)` is a file that can be read again, not a pipe'],
	[/^dollars$/, 'the byte 0x7f in expansions without quotes']
];

/** bash's own tests: each `run-*` script is a case, which passes if its output is the expected one. */
export const bash: Suite = {
	name: 'bash',
	title: "bash's tests",
	place: 'SANDGLASS_SUITE_BASH',
	repository: 'https://git.savannah.gnu.org/cgit/bash.git',
	sourcePackage: 'bash',
	causes: CAUSES,
	// A script calls its helper programs some hundred times, each in a separate process.
	limitMs: 60_000,
	async load(folder): Promise<LoadedSuite> {
		const files: Record<string, string> = {};
		const binaries: Record<string, string> = {};
		const cases: Case[] = [];
		for (const [name, text] of Object.entries(PROGRAMS)) files[`bin/${name}`] = text;
		for await (const file of filesBelow(folder, 'tests')) {
			const bytes = await readFile(path.join(folder, file));
			if (isUtf8(bytes)) files[file] = bytes.toString('utf8');
			else binaries[file] = bytes.toString('base64');
			const name = path.basename(file);
			if (path.dirname(file) === 'tests' && name.startsWith('run-') && !OTHER.test(name)) cases.push(runCase(name));
		}
		cases.sort((a, b) => (a.name < b.name ? -1 : 1));
		const native = versionLine('bash');
		return {
			version: await versionOf(folder),
			native,
			cases,
			files,
			binaries,
			isCase: ({ status }) => status === 0,
			env: (root) => ({ SUITE_ROOT: root, PATH: `${root}/bin:/usr/local/bin:/usr/bin:/bin`, THIS_SH: '/bin/bash' })
		};
	}
};

/** The release named by the package's configuration. */
async function versionOf(folder: string): Promise<string> {
	const text = await readFile(path.join(folder, 'configure.ac'), 'utf8');
	return /^define\(bashvers, ([\d.]+)\)/m.exec(text)?.[1] ?? 'unknown';
}

/** A script in a separate folder, with all files of the tests next to it. */
function runCase(name: string): Case {
	const script =
		'cp -R "$SUITE_ROOT/tests" t && cd t && export TMPDIR="$PWD/../_tmp" PATH="$PWD:$PATH" && ' +
		`export BASH_TSTOUT="$TMPDIR/out" && exec sh ./${name} 2>&1`;
	return { name: name.slice('run-'.length), group: 'scripts', script };
}
