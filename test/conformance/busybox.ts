import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Case, LoadedSuite, Suite } from './suite.ts';

/** Files about busybox itself, devices and mounts, and programs without an equivalent on GNU systems. */
const OTHER =
	/^(?:all_sourcecode|busybox|makedevs|mdev|mkfs\.minix|mount|start-stop-daemon|parse|cryptpw|taskset|hostid|uptime)(?:\.tests)?$/;

/**
 * Replacement for the suite's `testing.sh`. `SUITE_CASE` is the index of the single call of `testing` to run; without
 * it, each call only prints its name. The result follows the output, so that both are compared.
 */
const TESTING = `SKIP= FAILCOUNT=0 ECHO=echo SUITE_INDEX=-1
optional() { SKIP=; }
testing() {
	SUITE_INDEX=$((SUITE_INDEX + 1))
	if [ -z "$SUITE_CASE" ]; then printf '%s\\n' "\${1:-$2}" | tr '\\n' ' '; echo; return 0; fi
	[ "$SUITE_INDEX" = "$SUITE_CASE" ] || return 0
	echo -ne "$3" >expected
	echo -ne "$4" >input
	echo -ne "$5" | eval "$2" >actual
	SUITE_STATUS=$?
	if cmp -s expected actual; then SUITE_VERDICT=PASS; else SUITE_VERDICT=FAIL; fi
	{ cat actual; echo "status $SUITE_STATUS"; echo "verdict $SUITE_VERDICT"; } >&9
	exit 0
}
`;

/** Start of a test file in the older format, whose lines must all succeed. */
const OLD_STYLE = `set -e
d="$SUITE_ROOT/testsuite" . "$SUITE_ROOT/testsuite/$SUITE_FILE"`;

/** busybox's tests of everyday programs, compared with those of the machine. */
export const busybox: Suite = {
	name: 'busybox',
	title: "busybox' tests",
	place: 'SANDGLASS_SUITE_BUSYBOX',
	repository: 'https://git.busybox.net/busybox',
	sourcePackage: 'busybox',
	async load(folder) {
		const suite: Required<Pick<LoadedSuite, 'files' | 'binaries'>> = { files: {}, binaries: {} };
		const cases: Case[] = [];
		const names = (await readdir(path.join(folder, 'testsuite'), { withFileTypes: true })).sort((a, b) =>
			a.name < b.name ? -1 : 1
		);
		for await (const name of filesBelow(folder, 'testsuite', (one) => OTHER.test(path.basename(one)))) {
			const bytes = await readFile(path.join(folder, name));
			if (isUtf8(bytes)) suite.files[name] = bytes.toString('utf8');
			else suite.binaries[name] = bytes.toString('base64');
		}
		suite.files['testsuite/testing.sh'] = TESTING;
		suite.files['bin/busybox'] = '#!/bin/sh\nexec "$@"\n';
		for (const entry of names) {
			if (OTHER.test(entry.name)) continue;
			if (entry.isDirectory()) cases.push(...oldStyleCases(entry.name, Object.keys(suite.files)));
			else if (entry.name.endsWith('.tests')) cases.push(...(await casesOf(folder, entry.name)));
		}
		return {
			version: /^VERSION = (\d+)\nPATCHLEVEL = (\d+)/m
				.exec(await readFile(path.join(folder, 'Makefile'), 'utf8'))!
				.slice(1)
				.join('.'),
			native: 'the programs of Debian 12',
			cases,
			...suite,
			isCase: ({ stdout, status }) =>
				status === 0 && (/\nverdict PASS\n$/.test(stdout) || !/verdict \w+\n$/.test(stdout)),
			env: (root) => ({ SUITE_ROOT: root, PATH: `${root}/bin:/usr/local/bin:/usr/bin:/bin`, bindir: root })
		};
	}
};

function oldStyleCases(group: string, files: string[]): Case[] {
	return files
		.filter((file) => path.dirname(file) === `testsuite/${group}`)
		.sort()
		.map((file) => ({
			name: `${group}: ${path.basename(file)}`,
			group,
			script: OLD_STYLE,
			env: { SUITE_FILE: file.slice('testsuite/'.length) }
		}));
}

/** Cases of one file, by the names printed by its calls of `testing`. */
async function casesOf(folder: string, file: string): Promise<Case[]> {
	const group = file.replace('.tests', '');
	const cwd = await mkdtemp('/tmp/conformance-busybox-');
	const text = await readFile(path.join(folder, 'testsuite', file), 'utf8');
	const others = await readdir(path.join(folder, 'testsuite'));
	const needed = others.filter(
		(name) => name === file || name.startsWith(`${group}_`) || (name.includes('.') && text.includes(name))
	);
	try {
		const script = `ln -s "$FOLDER"/testsuite/* .; rm testing.sh; printf %s "$TESTING" > testing.sh; (. ./${file}) </dev/null 2>/dev/null; true`;
		const printed = execFileSync('bash', ['-c', script], {
			cwd,
			env: { ...process.env, TESTING, FOLDER: path.resolve(folder) },
			encoding: 'utf8',
			timeout: 20_000
		});
		const known = new Map<string, number>();
		return printed
			.split('\n')
			.filter(Boolean)
			.map((line, index) => {
				const title = `${group}: ${line.trim()}`;
				const count = (known.get(title) ?? 0) + 1;
				known.set(title, count);
				return {
					name: count > 1 ? `${title} (${count})` : title,
					group,
					script: `ln -s ${needed.map((name) => `"$SUITE_ROOT/testsuite/${name}"`).join(' ')} .; rmdir _tmp\n. ./${file} 9>&1 >/dev/null`,
					env: { SUITE_CASE: String(index) }
				};
			});
	} finally {
		await rm(cwd, { recursive: true, force: true });
	}
}
