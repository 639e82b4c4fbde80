import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Answer, Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Scripts that need a terminal or job control. */
const NEEDS_TERMINAL = /%REQUIRETTY%/;

/** Names of tests with differences, and the reasons. */
const CAUSES: Suite['causes'] = [
	[/^sig.*, other,/, 'a subshell is no process: what a command in it sends to its parent reaches the whole shell'],
	[/^sig.*\(async, self, -i/, 'an interactive shell takes what it starts with `&` for jobs of a terminal'],
	[
		/^test .*: test -[bc]/,
		'the volume has one device, /dev/null, and no blocks; the names of tests have those of the machine'
	],
	[/^param .*parameter !/, 'a trap of the last part of a pipeline with `&` gets no signal to the job']
];

/**
 * Tests of yash that every POSIX shell should pass; each test of a script is counted separately. They start the shell
 * by the name `sh`.
 */
export const yash: Suite = {
	name: 'yash',
	title: "yash's tests of POSIX",
	place: 'SANDGLASS_SUITE_YASH',
	repository: 'https://github.com/magicant/yash',
	causes: CAUSES,
	// A script starts some hundred shells.
	limitMs: 240_000,
	async load(folder): Promise<LoadedSuite> {
		const files: Record<string, string> = {};
		const cases: Case[] = [];
		for (const name of (await readdir(path.join(folder, 'tests'))).sort()) {
			if (!/-p\.tst$|\.sh$/.test(name)) continue;
			const text = await readFile(path.join(folder, 'tests', name), 'utf8');
			files[`tests/${name}`] = text;
			if (name.endsWith('.tst') && !NEEDS_TERMINAL.test(text)) cases.push(scriptCase(name));
		}
		const native = versionLine('bash');
		return {
			version: await versionOf(folder),
			native,
			cases,
			files,
			isCase: (answer) => assertionsOf(answer).size > 0,
			assertions: assertionsOf,
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin' })
		};
	}
};

/** The release named by the newest entry of the package's news. */
async function versionOf(folder: string): Promise<string> {
	const text = await readFile(path.join(folder, 'NEWS'), 'utf8');
	return /^Yash ([\d.]+)/m.exec(text)?.[1] ?? 'unknown';
}

/** A script next to the runner, in a separate folder; the runner writes a log of all tests. */
function scriptCase(file: string): Case {
	const name = file.replace('-p.tst', '');
	return {
		name,
		group: name.replace(/\d$/, '').replace(/^sig\w+$/, 'signals'),
		script: `cp "$SUITE_ROOT"/tests/*.sh "$SUITE_ROOT/tests/${file}" . && bash --posix run-test.sh /bin/bash ${file} >&2; cat ${name}-p.trs`
	};
}

/** Names of the passed tests in the log. */
export function assertionsOf({ stdout }: Pick<Answer, 'stdout'>): Set<string> {
	const lines = stdout.matchAll(/^%%% PASSED: [^:]*:(\d+: .*)$/gm);
	return new Set([...lines].map(([, name = '']) => name));
}
