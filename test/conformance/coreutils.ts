import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gnuScripts } from './gnu-scripts.ts';

/** Names of C's integer types as printed by `getlimits`, by sign and size in bits on x86-64. */
const INTEGERS = {
	signed: { 8: 'CHAR SCHAR', 16: 'SHRT', 32: 'INT PID_T', 64: 'LONG SSIZE TIME_T OFF_T INTMAX' },
	unsigned: { 8: 'UCHAR', 32: 'UINT UID_T GID_T', 64: 'ULONG SIZE UINTMAX' }
};

/** Output of `getlimits`, the only helper program of the scripts: limits of C's types on x86-64. */
export function limits(): string {
	const lines: string[] = [];
	for (const [sign, types] of Object.entries(INTEGERS))
		for (const [bits, names] of Object.entries(types)) {
			const isSigned = sign === 'signed';
			const size = 2n ** BigInt(Number(bits) - (isSigned ? 1 : 0));
			for (const name of names.split(' ')) {
				lines.push(`${name}_MAX=${size - 1n}`, `${name}_OFLOW=${size}`);
				if (isSigned) lines.push(`${name}_MIN=${-size}`, `${name}_UFLOW=${-size - 1n}`);
			}
		}
	return [
		...lines,
		...['FLT_MIN=1.1754944e-38', 'FLT_MAX=3.4028235e+38'],
		...['DBL_MIN=2.2250738585072014e-308', 'DBL_MAX=1.7976931348623157e+308'],
		...['LDBL_MIN=3.3621031431120935063e-4932', 'LDBL_MAX=1.189731495357231765e+4932']
	].join('\n');
}

/** Programs built by the package, from its own list: a script names those that it tests. */
async function builtPrograms(folder: string): Promise<string> {
	const text = await readFile(path.join(folder, 'build-aux/gen-lists-of-programs.sh'), 'utf8');
	const lists = [...text.matchAll(/^(?:build_if_possible|normal)_progs='([^']*)'/gm)];
	return lists.flatMap(([, names = '']) => names.trim().split(/\s+/)).join(' ');
}

/** Requirements of scripts that a tab does not meet. */
const CAUSES: [cases: RegExp, cause: string][] = [
	[
		/^(?:cp\/sparse(?:-perf|-extents|-to-pipe)?|dd\/(?:skip-seek-past-file|sparse)|du\/8gb|misc\/wc-files0|split\/filter)\.sh$/,
		'needs files with holes, or larger than the volume'
	],
	[
		/^(?:chown\/separator|cp\/(?:copy-FMR|sparse-2|sparse-extents-2)|dd\/nocache_eof|df\/total-verify|du\/long-from-unreadable|ls\/stat-free-symlinks|misc\/(?:sort-u-FMR|sum-sysv)|mv\/atomic2?|rm\/deep-2)\.sh$/,
		'needs Perl, Python, valgrind, strace, a preloaded library or getent'
	],
	[
		/^(?:df\/df-symlink|tail-2\/tail-n0f)\.sh$/,
		'needs a device of its file system, or the state of processes in /proc'
	],
	[
		/^(?:dd\/stats|misc\/(?:env-signal-handler|timeout-group)|tail-2\/overlay-headers)\.sh$/,
		'needs SIGSTOP, SIGALRM, SIGUSR1 of a built-in command, or signals that a shell was started to ignore'
	],
	[/^(?:ls\/removed-directory|mkdir\/p-3)\.sh$/, 'needs a working directory that is removed or closed meanwhile'],
	[/^misc\/(?:date-debug|ptx-overrun|shred-passes)\.sh$/, 'no `date --debug`, `ptx` and patterns of `shred`'],
	[/^du\/inodes\.sh$/, 'needs the descriptions of options in --help'],
	[/^misc\/stat-nanoseconds\.sh$/, 'needs times finer than milliseconds'],
	[/^misc\/(?:csplit-heap|cut-huge-range|head-c|printf-surprise)\.sh$/, 'needs a limit of memory for a program']
];

export const coreutils = gnuScripts({
	name: 'coreutils',
	folder: 'tests',
	program: 'ls',
	causes: CAUSES,
	programs: {
		getlimits: `#!/bin/sh\ncat <<'END'\n${limits()}\nEND\n`,
		ginstall: '#!/bin/bash\nexec -a ginstall install "$@"\n'
	},
	settings: async (folder) => ({ LC_ALL: 'C', built_programs: await builtPrograms(folder) })
});
