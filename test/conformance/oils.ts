import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Case, Suite } from './suite.ts';

/** Other languages of the project, and cases for its own shell. */
const FOREIGN = /^(?:ysh-|hay|osh-bugs)/;

/** Replacements for the suite's Python programs. Both sides run them, so any format will do. */
const PROGRAMS: Record<string, string> = {
	'argv.py': `sep=; printf '['; for arg do printf "%s'%s'" "$sep" "$arg"; sep=', '; done; printf ']\\n'`,
	'printenv.py': 'for name do printenv "$name" || echo None; done',
	'read_from_fd.py': 'for fd do printf "%s: " "$fd"; cat <&"$fd"; done',
	'stdout_stderr.py': 'echo "${1-STDOUT}"; echo "${2-STDERR}" >&2; exit "${3-0}"'
};

/** Shell spec tests of the Oils project, compared with bash. */
export const oils: Suite = {
	name: 'oils',
	title: "Oils' spec tests",
	place: 'SANDGLASS_SUITE_OILS',
	repository: 'https://github.com/oils-for-unix/oils',
	async load(folder) {
		const spec = path.join(folder, 'spec');
		const cases: Case[] = [];
		for (const file of (await readdir(spec)).sort()) {
			if (file.endsWith('.test.sh') && !FOREIGN.test(file))
				cases.push(...parseCases(file.replace('.test.sh', ''), await readFile(path.join(spec, file), 'utf8')));
		}
		const files: Record<string, string> = {};
		for await (const name of filesBelow(folder, 'spec/testdata'))
			files[name] = await readFile(path.join(folder, name), 'utf8');
		for (const [name, body] of Object.entries(PROGRAMS)) files[`spec/bin/${name}`] = `#!/bin/sh\n${body}\n`;
		return {
			version: versionOf(folder),
			native: `bash ${execFileSync('bash', ['-c', 'echo "$BASH_VERSION"'], { encoding: 'utf8' }).trim()}`,
			cases,
			files,
			env: (root) => ({
				SH: 'bash',
				REPO_ROOT: root,
				PATH: `${root}/spec/bin:/usr/local/bin:/usr/bin:/bin`
			})
		};
	}
};

function versionOf(folder: string): string {
	try {
		return execFileSync('git', ['-C', folder, 'describe', '--always'], { encoding: 'utf8', stdio: 'pipe' }).trim();
	} catch {
		return 'without history';
	}
}

/** Parses the cases of one file: `#### name`, then code, with metadata in lines that start with `##`. */
export function parseCases(group: string, text: string): Case[] {
	const cases: Case[] = [];
	const known = new Map<string, number>();
	let code: string[] | null = null;
	let inBlock = false;
	let ended = false;
	for (const line of text.split('\n')) {
		if (line.startsWith('####')) {
			const title = `${group}: ${line.slice(4).trim()}`;
			const count = (known.get(title) ?? 0) + 1;
			known.set(title, count);
			code = [];
			[inBlock, ended] = [false, false];
			cases.push({ name: count > 1 ? `${title} (${count})` : title, group, script: '' });
			continue;
		}
		const current = cases.at(-1);
		if (!code || !current) continue;
		if (inBlock) {
			if (/^##\s+END/.test(line)) inBlock = false;
			if (!/^##\s/.test(line) || !inBlock) continue;
			inBlock = false;
		}
		if (/^##\s+(?:\S+\s+\S+\s+)?(?:STDOUT|STDERR):\s*$/.test(line)) inBlock = true;
		else if (/^##\s+code:/.test(line)) current.script = `${line.replace(/^##\s+code:\s*/, '')}\n`;
		if (/^##\s/.test(line)) ended = code.length > 0;
		else if (!ended && (code.length > 0 || !/^\s*(?:#.*)?$/.test(line))) {
			code.push(line);
			current.script = `${code.join('\n')}\n`;
		}
	}
	return cases;
}
